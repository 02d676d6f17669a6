import type { Violation } from '../invariants/invariants.ts';
import { describeBreach } from '../simulated-aws/invariants/breaches.ts';
import { expectedEnding, type RollOptions } from './options.ts';
import type { RollEnding } from './progress.ts';
import type { Stage } from './stage.ts';

/** What the roll came to. `--report` writes it as JSON. */
export interface Report {
  readonly completed: boolean;
  /** Null where it came to no end. */
  readonly ending: RollEnding | null;
  /** Why that: what the group runs now or, where the roll was rolled back, what was wrong. */
  readonly reason: string;
  /** How many were replaced; of a roll that was rolled back, those that it took back are among them. */
  readonly instances: number;
  /** How many ever ran the new image. */
  readonly launched: number;
  readonly invocations: number;
  /** How many of the invocations were killed. */
  readonly kills: number;
  readonly simulatedSeconds: number;
  /**
   * How often replica tasks were placed beyond their first time, whatever caused it; `mean` for each of them.
   */
  readonly taskMoves: { readonly mean: number; readonly total: number };
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

type Course = Pick<Report, 'ending' | 'reason' | 'invocations' | 'kills' | 'simulatedSeconds'>;

export function reportOf({ invariants, account, scenario, world }: Stage, course: Course): Report {
  const { instancesReplaced, taskMoves, services } = invariants.metrics();
  const least = new Map(scenario.services.map((service) => [service.name, service.minimumHealthyPercent]));
  const { ending, reason } = course;
  return {
    completed: ending === 'completed',
    ending,
    reason,
    invocations: course.invocations,
    kills: course.kills,
    simulatedSeconds: Math.round(course.simulatedSeconds),
    instances: instancesReplaced,
    launched: world.snapshot().instances.filter(({ imageId }) => imageId === scenario.newImage.id).length,
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
export function failuresOf(report: Report, options: RollOptions): string[] {
  const { killAt, instances } = options;
  const { completed, kills, violations, bugs, calls } = report;
  const made = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const missed =
    killAt.kind === 'calls'
      ? `was to be killed after ${killAt.calls} calls, but made only ${made}`
      : `was to be killed ${options.badImage === undefined ? 'half-way' : 'as the roll turns back'}, but was not`;
  const broken = [
    ...violations.map(
      (each) => `invariant ${each.invariant} was broken at ${each.at}: ${describeBreach(each)}`,
    ),
    ...bugs.map((bug) => `the simulated AWS broke: ${bug}`),
  ];
  // Whoever plays may end a roll in any way.
  if (options.interactive) return broken;
  return [
    ...wrongEnding(report, options),
    ...(completed && report.instances !== instances
      ? [`${report.instances} instances were replaced, not ${instances}`]
      : []),
    ...(killAt.kind !== 'none' && kills === 0 ? [`the function ${missed}`] : []),
    ...broken,
  ];
}

function wrongEnding({ ending, reason, invocations }: Report, options: RollOptions): string[] {
  const expected = expectedEnding(options);
  if (ending === expected) return [];
  if (ending === null) return [`the roll was not ${expected} in ${invocations} invocations`];
  return [`the roll was ${ending}, not ${expected}: ${reason}`];
}
