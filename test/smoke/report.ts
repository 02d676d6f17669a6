import process from 'node:process';
import Table from 'cli-table3';
import { CHECKS } from './checks/checks.ts';
import { STEPS } from './make/steps.ts';
import type { Leftover, Outcome } from './runner.ts';
import type { Finding } from './smoke.ts';

/** A run that nobody could object to. */
export function isGood({ findings, leftovers, error }: Outcome): boolean {
  return error === undefined && leftovers.length === 0 && findings.every(({ passed }) => passed);
}

export function findingsTable(findings: readonly Finding[]): string {
  const table = new Table({ head: ['', 'what', 'observed'], style: { head: [], border: [] } });
  // What is nothing but an answer stands below the table.
  const told = findings.filter(({ what, answers }) => what !== answers);
  table.push(...told.map(({ passed, what, observed }) => [passed ? 'pass' : 'FAIL', what, observed]));
  return table.toString();
}

/** What AWS was seen to do where its pages leave it open, by rows of the ledger. */
export function answersText(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ answers, what, observed }) =>
      answers === undefined ? [] : [`answers ${answers}: ${answers === what ? '' : `${what}: `}${observed}`],
    )
    .join('\n');
}

/** The simulation only says what it was told: nothing is learnt from it. */
export function answersCount(findings: readonly Finding[]): string {
  const count = findings.filter(({ answers }) => answers !== undefined).length;
  return `In an account of yours it also says what AWS does in ${count} ways that its pages leave open.`;
}

const REMOVAL_MINUTES = 10;

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Of a whole run; cents of the US. */
export const ESTIMATE = {
  minutes: sum([...STEPS, ...CHECKS].map((one) => one.minutes)) + REMOVAL_MINUTES,
  cents: sum(STEPS.map(({ cents }) => cents)),
} as const;

/**
 * What `--yes` would do.
 *
 * @param logPolicies how many of the ten that a Region has for all its log groups are taken
 * @param lacks what to take care of first, one sentence each
 */
export function planText(
  place: string,
  images: { readonly older: string; readonly newest: string },
  logPolicies: number,
  lacks: readonly string[],
): string {
  const { minutes, cents } = ESTIMATE;
  return [
    `In ${place} it would make, each with the tag ecs-ami-deploy-smoke:`,
    ...STEPS.map(({ makes, cents }) => `  - ${makes}${cents === 0 ? '' : ` (some ${cents} cents)`}`),
    `Then it would roll from ${images.older} to ${images.newest}, and try:`,
    ...CHECKS.map(({ name }) => `  - ${name}`),
    `Of the ten resource policies of CloudWatch Logs in the Region ${logPolicies} are taken. The history has one of its own log group, which is to need none of them.`,
    `That takes some ${minutes} minutes and ${cents} US cents, by on-demand prices and with room.`,
    'All of it is removed at the end, also where it fails or is stopped by Ctrl-C; the key is scheduled for deletion, which',
    'takes 7 days and costs nothing. `npm run smoke -- --clean` removes what a run has left.',
    ...(lacks.length > 0 ? [lacksText(lacks)] : []),
    'Nothing was changed.',
  ].join('\n');
}

export const lacksText = (lacks: readonly string[]) =>
  ['Before that, see to this:', ...lacks.map((sentence) => `  - ${sentence}`)].join('\n');

/** The result of the removal, for somebody who must know whether anything still costs money. */
export function removalText(leftovers: readonly Leftover[]): string {
  if (leftovers.length === 0) return 'Nothing of it is left.';
  const why = leftovers.map(({ step, why }) => `  - ${step}: ${why}`);
  return ['Something is left, which may cost:', ...why, CLEAN].join('\n');
}

/** @param steps the names of what is not removed yet */
export const givenUpText = (steps: readonly string[]) =>
  `Given up. What was made of these is left, which may cost: ${steps.join(', ')}.\n${CLEAN}`;

/** By credentials of the same account, in the same Region. */
export const CLEAN = 'To remove everything with the tag ecs-ami-deploy-smoke: npm run smoke -- --clean';

/** What went wrong, and what to do about it if the SDK's message doesn't say. */
export function troubleText(error: unknown, profile = process.env.AWS_PROFILE): string {
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceOn(error, message, profile);
  return advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}

function adviceOn(error: unknown, message: string, profile: string | undefined): string | undefined {
  const check = `Check that \`aws configure list-profiles\` lists ${profile}, which AWS_PROFILE names`;
  if (message.startsWith('Region is missing'))
    return profile === undefined
      ? 'Name it: AWS_REGION=eu-central-1, or a profile with a Region by AWS_PROFILE.'
      : `${check}, and give it a Region or set AWS_REGION.`;
  if (error instanceof Error && error.name === 'CredentialsProviderError')
    return profile === undefined
      ? 'Log in as for the AWS CLI (`aws sts get-caller-identity` shows whether you are), or name a profile by AWS_PROFILE.'
      : `${check}, and that you are logged in by it (\`aws sts get-caller-identity\`).`;
  return undefined;
}
