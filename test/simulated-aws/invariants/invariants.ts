import type { World } from '../world/world.ts';
import { describeBreach } from './breaches.ts';
import { watchBudget } from './budget.ts';
import { watchCapacity } from './capacity.ts';
import { ANYBODYS_CUSTOMS } from './customs.ts';
import { watchEndings } from './endings.ts';
import type { Expectations, Watch } from './expectations.ts';
import { watchExplained } from './explained.ts';
import { watchFinish } from './finish.ts';
import { watchHealth } from './health.ts';
import { watchLastInZone } from './last-in-zone.ts';
import { watchLaunched } from './launched.ts';
import { createLedger, type Ledger, type Violation } from './ledger.ts';
import { collectMetrics } from './metrics.ts';
import type { OwnInvariant } from './own.ts';
import { type GroupReport, watchProgress } from './progress.ts';
import { watchRebalanced } from './rebalanced.ts';
import { watchRegistered } from './registered.ts';
import { watchScope } from './scope.ts';
import { watchStarvation } from './starvation.ts';
import { watchTargets } from './targets.ts';
import { watchZones } from './zones.ts';

export type { Expectations, GroupReport, Violation };

export interface Metrics {
  readonly instancesReplaced: number;
  /**
   * How often replica tasks were placed again after their first time, whatever caused it; `mean` is per task.
   */
  readonly taskMoves: { readonly mean: number; readonly total: number };
  readonly services: readonly {
    readonly cluster: string;
    readonly name: string;
    readonly minHealthyPercentSeen: number;
  }[];
}

export interface Invariants {
  readonly violations: readonly Violation[];
  /** Number of checks, and of breaches: each breach counts once, however long it lasts. */
  readonly checked: number;
  readonly broken: number;
  /** Number of checks of each invariant, by its number. One that was never checked is not known to hold. */
  readonly checks: ReadonlyMap<number, number>;
  /** What number 5 would report if the roll were over now. */
  unfinished(): readonly string[];
  /** Checks number 5, once a roll has said that it is completed. */
  checkFinished(): void;
  /** Checks number 5, and throws if anything was broken since the watch began. */
  assertFinished(): void;
  /** Throws if any was broken. */
  assertHeld(): void;
  /** Checks number 6, with what the invocation answered. */
  invocationEnded(groups: readonly GroupReport[]): void;
  metrics(): Metrics;
}

/**
 * Watches the world from now on, and checks after everything that happens whatever that may have touched:
 *
 * 1. A service never runs fewer healthy tasks than its minimumHealthyPercent allows, nor a group's target
 *    group serves from fewer healthy targets than the group's owner wants; what faults took is set aside;
 *    nor from none in a zone of its own. At most one drain keeps a service short whose tasks fit nowhere.
 * 2. No instance is terminated under a service task; no task is orphaned; no task is stopped and no
 *    standalone task cut short, unless a setting allows it.
 * 3. Only drifted (or forced) and tagged instances are ended; nothing of anybody else's is touched.
 * 4. Detached instances that are alive never exceed the surge, those that drain never the drain concurrency
 *    while they move: until their tasks are told to stop, and others serve in place of these;
 *    nothing begins to drain while fewer members than desired take tasks, and what is registered, ACTIVE and
 *    connected is never less than desired; without surge, less the drain concurrency.
 * 5. At the end everything runs the target image, and all else is as before; what is launched has the
 *    volumes, user data and tags of what it replaces; AZRebalance is resumed over even zones.
 * 6. An invocation gets on, waits for something it names or tells why it can't (needs `invocationEnded`);
 *    nothing is asked for again and again that is refused again and again.
 * 7. Nothing is launched, ended, drained, attached, detached, resized, resumed or tagged that the
 *    expectations and the world's own history don't explain, whatever tags say by then.
 *
 * @param own further invariants, of a number from 8 or as a part of one of these
 */
export function watchInvariants(
  world: World,
  expectations: Expectations = {},
  own: readonly OwnInvariant[] = [],
): Invariants {
  const { state } = world;
  const { customs: createCustoms = () => ANYBODYS_CUSTOMS } = expectations;
  const watch: Watch = { state, expectations, customs: createCustoms({ state, expectations }) };
  const ledger = createLedger(state.clock.now);
  const health = watchHealth(watch, ledger);
  const finish = watchFinish(watch);
  const progress = watchProgress(state, ledger);
  const metrics = collectMetrics(watch);
  for (const cluster of state.clusters.values())
    for (const task of cluster.tasks.values()) metrics.noteRunning(task);

  const listeners = [
    health.listener,
    watchTargets(watch, ledger),
    watchZones(watch, ledger),
    watchLastInZone(watch, ledger),
    watchEndings(watch, ledger),
    watchLaunched(watch, ledger),
    watchExplained(watch, ledger),
    watchScope(watch, ledger),
    watchBudget(watch, ledger),
    watchCapacity(watch, ledger),
    watchRegistered(watch, ledger),
    watchRebalanced(watch, ledger),
    watchStarvation(watch, ledger),
    finish.listener,
    progress.listener,
    metrics.listener,
    ...own.map((each) => each.watch(watch, ledger)),
  ];
  for (const listener of listeners) world.subscribe(listener);

  const checkFinished = (of: Ledger) => {
    finish.checkFinished(of);
    for (const each of own) each.checkFinished?.(watch, of);
  };
  const assertHeld = () => {
    if (ledger.violations.length === 0) return;
    const lines = ledger.violations.map((each) => `  ${each.invariant}. ${each.at} ${describeBreach(each)}`);
    throw new Error(`Invariants are broken:\n${lines.join('\n')}`);
  };

  return {
    get violations() {
      return ledger.violations;
    },
    get checked() {
      return ledger.checked;
    },
    get broken() {
      return ledger.violations.length;
    },
    checks: ledger.checks,
    unfinished() {
      const scratch = createLedger(state.clock.now);
      checkFinished(scratch);
      return scratch.violations.map(({ what }) => what);
    },
    checkFinished: () => checkFinished(ledger),
    assertHeld,
    assertFinished() {
      checkFinished(ledger);
      assertHeld();
    },
    invocationEnded(groups) {
      progress.invocationEnded(groups);
      finish.invocationEnded(groups);
    },
    metrics: () => ({
      instancesReplaced: metrics.instancesReplaced(),
      taskMoves: metrics.taskMoves(),
      services: [...health.lowestPercent].map(([service, percent]) => ({
        cluster: service.cluster.name,
        name: service.name,
        minHealthyPercentSeen: percent,
      })),
    }),
  };
}
