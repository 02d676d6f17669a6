import type { Violation } from '../invariants.ts';
import type { RollOptions } from './options.ts';
import type { Stage } from './stage.ts';

/** What the roll came to. `--report` writes it as JSON. */
export interface Report {
  readonly completed: boolean;
  /** How many were replaced. */
  readonly instances: number;
  readonly invocations: number;
  /** How many of the invocations were killed. */
  readonly kills: number;
  readonly simulatedSeconds: number;
  /** `mean`: how often each task that had to move was moved. */
  readonly taskMoves: { readonly mean: number };
  readonly services: readonly {
    readonly name: string;
    readonly minHealthyPercentSeen: number;
    /** What the service allows. */
    readonly minimumHealthyPercent: number;
  }[];
  /** By `service.Operation`. */
  readonly calls: Readonly<Record<string, number>>;
  /** How often an invariant was checked. */
  readonly checks: number;
  readonly violations: readonly Violation[];
  /** What broke in the simulation itself. */
  readonly bugs: readonly string[];
}

type Course = Pick<Report, 'completed' | 'invocations' | 'kills' | 'simulatedSeconds'>;

export function reportOf({ invariants, account, scenario }: Stage, course: Course): Report {
  const { instancesReplaced, taskMoves, services } = invariants.metrics();
  const least = new Map(scenario.services.map((service) => [service.name, service.minimumHealthyPercent]));
  return {
    ...course,
    simulatedSeconds: Math.round(course.simulatedSeconds),
    instances: instancesReplaced,
    taskMoves,
    services: services.map(({ name, minHealthyPercentSeen }) => ({
      name,
      minHealthyPercentSeen,
      minimumHealthyPercent: least.get(name) ?? 100,
    })),
    calls: Object.fromEntries(Object.entries(account.calls.counts).sort(([a], [b]) => (a < b ? -1 : 1))),
    checks: invariants.checked,
    violations: invariants.violations,
    bugs: account.bugs.map(String),
  };
}

/** What did not hold, a sentence each; nothing when all did. */
export function failuresOf(report: Report, { killAt, instances }: RollOptions): string[] {
  const { completed, kills, violations, bugs, calls } = report;
  const made = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const missed =
    killAt.kind === 'calls'
      ? `was to be killed after ${killAt.calls} calls, but made only ${made}`
      : 'was to be killed half-way, but was not';
  return [
    ...(completed ? [] : [`the roll was not completed in ${report.invocations} invocations`]),
    ...(completed && report.instances !== instances
      ? [`${report.instances} instances were replaced, not ${instances}`]
      : []),
    ...(killAt.kind !== 'none' && kills === 0 ? [`the function ${missed}`] : []),
    ...violations.map(({ invariant, at, what }) => `invariant ${invariant} was broken at ${at}: ${what}`),
    ...bugs.map((bug) => `the simulated AWS broke: ${bug}`),
  ];
}
