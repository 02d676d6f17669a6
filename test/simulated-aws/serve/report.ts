import type { SimulatedAccount } from '../account/account.ts';
import type { Call } from '../account/call.ts';
import type { Invariants, Metrics, Violation } from '../invariants/invariants.ts';
import type { OwnInvariant } from '../invariants/own.ts';
import { TITLES } from '../invariants/titles.ts';

/** The one that is about the end of a roll. */
const AT_THE_END = 5;

/** How those who call are judged. `GET /_report` answers it as JSON. */
export interface Report extends Metrics {
  readonly cluster: string;
  /** Whether any call has changed anything: otherwise there is nothing to judge. */
  readonly changed: boolean;
  /** Whether all invariants have held so far. What is still to do for the end is not among them. */
  readonly held: boolean;
  /** How often an invariant was checked. */
  readonly checks: number;
  /** How often each was broken, in the order of their numbers. */
  readonly broken: readonly Standing[];
  readonly violations: readonly Violation[];
  /** What is not yet as it has to be once the roll is over. */
  readonly unfinished: readonly string[];
  /** By `service.Operation`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Calls that were refused or lost, by operation and code. */
  readonly refused: Readonly<Record<string, number>>;
  /** What broke in the simulation itself. */
  readonly bugs: readonly string[];
}

/**
 * How one invariant stands. `unjudged`: nothing has happened that it is about. `pending`: it is about the end
 * of the roll, which is not reached; nothing that was checked on the way broke it.
 */
export interface Standing {
  readonly invariant: number;
  readonly title: string;
  readonly status: 'held' | 'broken' | 'pending' | 'unjudged';
  readonly count: number;
}

export interface Judgement {
  readonly cluster: string;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  /** Invariants beyond the seven. */
  readonly own: readonly OwnInvariant[];
}

/** @param isOver what the end lacks is broken then, rather than still to do */
export function reportOf({ cluster, account, invariants, own }: Judgement, isOver: boolean): Report {
  const { violations, checked } = invariants;
  const { calls, bugs } = account;
  return {
    cluster,
    changed: calls.log.some(hasChanged),
    held: violations.length === 0 && bugs.length === 0,
    checks: checked,
    broken: Object.entries(titlesWith(own)).map(([number, title]) =>
      standingOf(Number(number), title, invariants, isOver),
    ),
    violations,
    unfinished: isOver ? [] : invariants.unfinished(),
    ...invariants.metrics(),
    calls: sorted(calls.counts),
    refused: sorted(
      count(calls.log.flatMap(({ key, error }) => (error === undefined ? [] : [`${key} ${error}`]))),
    ),
    bugs: bugs.map(String),
  };
}

/** Object keys that are numbers come in their order. */
const titlesWith = (own: readonly OwnInvariant[]): Readonly<Record<number, string>> => ({
  ...Object.fromEntries(own.map(({ number, title = '' }) => [number, title])),
  ...TITLES,
});

function standingOf(
  invariant: number,
  title: string,
  { violations, checks }: Invariants,
  isOver: boolean,
): Standing {
  const count = violations.filter((violation) => violation.invariant === invariant).length;
  const judged = checks.has(invariant) ? 'held' : 'unjudged';
  const unbroken = invariant === AT_THE_END && !isOver ? 'pending' : judged;
  return { invariant, title, status: count > 0 ? 'broken' : unbroken, count };
}

export const hasChanged = ({ operation, tookEffect }: Call) =>
  tookEffect && !/^(Describe|Generate|Get|List)/.test(operation);

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

const SHOWN = { held: 'held    ', broken: 'BROKEN  ', pending: 'pending ', unjudged: 'unjudged' } as const;

/** The same to be read. */
export function reportText(report: Report): string {
  const { cluster, changed, held, checks, violations, broken, unfinished, services, calls } = report;
  const verdict = held
    ? `nothing broken in ${checks} checks`
    : `${violations.length} breaches in ${checks} checks`;
  const made = Object.values(calls).reduce((sum, each) => sum + each, 0);
  return [
    `Cluster ${cluster}: ${verdict}, ${made} calls${changed ? '' : ', none of which changed anything'}`,
    ...broken.map(({ invariant, title, status }) => `  ${invariant}. ${SHOWN[status]}  ${title}`),
    ...listed(
      'Breaches',
      violations.map(({ invariant, at, what }) => `${at}  ${invariant}. ${what}`),
    ),
    ...listed('Still to do', changed ? unfinished : []),
    ...listed(
      'Fewest healthy tasks',
      services.map(
        ({ cluster, name, minHealthyPercentSeen }) =>
          `${cluster}/${name}: ${Math.round(minHealthyPercentSeen)} %`,
      ),
    ),
    `Instances replaced: ${report.instancesReplaced}; moves of a task, mean: ${report.taskMoves.mean.toFixed(2)}`,
    ...listed(
      'Refused or lost',
      Object.entries(report.refused).map(([what, times]) => `${what}: ${times}`),
    ),
    ...listed('The simulation broke', report.bugs),
    '',
  ].join('\n');
}

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
