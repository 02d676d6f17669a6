import { type ReadOptions, read } from '../read.ts';
import type { GroupStatus } from '../releases.ts';
import type { Exit, Terminal } from '../session.ts';
import { countOf, exitFor, json } from '../text.ts';
import { described, statusText } from './status.ts';

export interface PlanOptions extends ReadOptions {
  /** As if every member were outdated. */
  readonly force?: boolean;
}

/** What a roll would do, step by step. It changes nothing. */
export async function plan(
  clusters: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<Exit> {
  const found = await read({ action: 'plan', clusters, force: options.force ?? false }, options, terminal);
  const groups = await described(found, terminal);
  terminal.out(options.json ? json({ ...found, groups }) : planText(groups, terminal));
  return exitFor(groups);
}

export function planText(groups: readonly GroupStatus[], terminal: Pick<Terminal, 'color'>): string {
  const withSteps = groups.map((each) => ({ ...each, steps: each.steps ?? [] }));
  const steps = withSteps.flatMap((each) =>
    each.steps.length === 0
      ? []
      : [[`Steps for ${each.cluster}/${each.group}:`, ...each.steps.map(numbered)].join('\n')],
  );
  return [statusText(groups, terminal), ...steps, summary(groups)].join('\n\n');
}

function numbered(step: string, index: number): string {
  return `${String(index + 1).padStart(4)}  ${step}`;
}

/** How much a roll would replace. */
export function summary(groups: readonly GroupStatus[]): string {
  const rolled = groups.filter(({ state }) => state === 'planned' || state === 'in-progress');
  const outdated = rolled.reduce((sum, { instances }) => sum + instances.drifted + instances.detached, 0);
  if (rolled.length === 0) return 'Nothing to roll.';
  return `To replace: ${countOf(outdated, 'instance')} in ${countOf(rolled.length, 'group')}.`;
}
