import Table from 'cli-table3';
import { CHECKS } from './checks/checks.ts';
import { STEPS } from './make/steps.ts';
import type { Outcome } from './runner.ts';
import type { Finding } from './smoke.ts';

/** A run that nobody could object to. */
export function isGood({ findings, leftovers, error }: Outcome): boolean {
  return error === undefined && leftovers.length === 0 && findings.every(({ passed }) => passed);
}

export function findingsTable(findings: readonly Finding[]): string {
  const table = new Table({ head: ['', 'what', 'observed'], style: { head: [], border: [] } });
  table.push(...findings.map(({ passed, what, observed }) => [passed ? 'pass' : 'FAIL', what, observed]));
  return table.toString();
}

const REMOVAL_MINUTES = 10;

/** What `--yes` would do. */
export function planText(place: string, images: { readonly older: string; readonly newest: string }): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const minutes = sum([...STEPS, ...CHECKS].map((one) => one.minutes)) + REMOVAL_MINUTES;
  return [
    `In ${place} it would make, each with the tag ecs-ami-deploy-smoke:`,
    ...STEPS.map(({ makes, cents }) => `  - ${makes}${cents === 0 ? '' : ` (some ${cents} cents)`}`),
    `Then it would roll from ${images.older} to ${images.newest}, and try:`,
    ...CHECKS.map(({ name }) => `  - ${name}`),
    `That takes some ${minutes} minutes and ${sum(STEPS.map(({ cents }) => cents))} US cents, by on-demand prices and with room.`,
    'All of it is removed at the end, also where it fails or is stopped by Ctrl-C; the key is scheduled for deletion, which',
    'takes 7 days and costs nothing. `npm run smoke -- --clean` removes what a run has left.',
    'Nothing was changed.',
  ].join('\n');
}
