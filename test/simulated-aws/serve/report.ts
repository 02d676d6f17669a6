import type { SimulatedAccount } from '../account/account.ts';
import type { Call } from '../account/call.ts';
import type { Invariants, Metrics, Violation } from '../invariants/invariants.ts';
import { TITLES } from '../invariants/titles.ts';

/** How those who call are judged. `GET /_report` answers it as JSON. */
export interface Report extends Metrics {
  readonly cluster: string;
  /** Whether any call has changed anything: otherwise there is nothing to judge. */
  readonly changed: boolean;
  /** Whether all invariants have held so far. What is still to do for the end is not among them. */
  readonly held: boolean;
  /** How often an invariant was checked. */
  readonly checks: number;
  /** How often each was broken, by its number. */
  readonly broken: readonly { readonly invariant: number; readonly title: string; readonly count: number }[];
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

export interface Judgement {
  readonly cluster: string;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  /** The numbers of the invariants that are asked for. */
  readonly asked: readonly number[];
}

/** @param isOver what the end lacks is broken then, rather than still to do */
export function reportOf({ cluster, account, invariants, asked }: Judgement, isOver: boolean): Report {
  const { violations, checked } = invariants;
  const { calls, bugs } = account;
  return {
    cluster,
    changed: calls.log.some(hasChanged),
    held: violations.length === 0 && bugs.length === 0,
    checks: checked,
    broken: asked.map((number) => ({
      invariant: number,
      title: TITLES[number] ?? '',
      count: violations.filter(({ invariant }) => invariant === number).length,
    })),
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

export const hasChanged = ({ operation, tookEffect }: Call) =>
  tookEffect && !/^(Describe|Generate|Get|List)/.test(operation);

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The same to be read. */
export function reportText(report: Report): string {
  const { cluster, changed, held, checks, violations, broken, unfinished, services, calls } = report;
  const verdict = held ? `all held in ${checks} checks` : `${violations.length} breaches in ${checks} checks`;
  const made = Object.values(calls).reduce((sum, each) => sum + each, 0);
  return [
    `Cluster ${cluster}: ${verdict}, ${made} calls${changed ? '' : ', none of which changed anything'}`,
    ...broken.map(
      ({ invariant, title, count }) => `  ${invariant}. ${count === 0 ? 'held  ' : 'BROKEN'}  ${title}`,
    ),
    ...listed(
      'Breaches',
      violations.map(({ invariant, at, what }) => `${at}  ${invariant}. ${what}`),
    ),
    ...listed('For the end it lacks', changed ? unfinished : []),
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
