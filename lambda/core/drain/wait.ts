import type { Decision } from '../actions/decision.ts';
import { type Drainers, failedMembers, idleFault, idleMembers } from '../group/capacity.ts';
import { crashesOnReplacements, crashFacts } from '../group/crashes.ts';
import { failedDeployments, LONGEST_SECONDS, longDeployments } from '../group/deployments.ts';
import { DEBOUNCE_POLLS, hasLasted, WATCHED_SECONDS, watchedSeconds } from '../group/has-lasted.ts';
import { isSuspected } from '../group/health.ts';
import { spareInstances } from '../group/spare.ts';
import { areDeployed, lingering, losableOn, tasksOn, unsettled } from '../group/steadiness.ts';
import { awaitUnknown } from '../group/unknown.ts';
import { crashesAnywhere, crashesOfOthers } from '../group/unmovable.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import type { Assessment, Attached } from '../model/assessment.ts';
import type { Crash } from '../model/cluster.ts';
import type { Group, Mark } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { earlier, isOver, later } from '../model/time.ts';
import type { CrashFacts, Fault } from '../reasons/faults.ts';
import { progressOn } from './drain-progress.ts';
import { type Candidate, isCutOff } from './phase.ts';

/** After so many times `stableSeconds` without being steady, services count as never steady. */
const UNSTEADY_PERIODS = 3;

/**
 * Waits while too few members take tasks, and blocks once that lasts too long. That is no fault of what the
 * group launches.
 *
 * @returns undefined if enough members take tasks
 */
export function waitForCapacity(assessment: Assessment, drainers: Drainers): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const idle = idleMembers(assessment, drainers);
  if (idle.length === 0) return undefined;
  // It may be draining by a turn of its own.
  const unknown = idle.some(({ instance }) => instance === undefined) ? awaitUnknown(group) : undefined;
  if (unknown !== undefined) return unknown;
  const faults = idle.map((each) => idleFault(each, observation));
  const reason = { code: 'too-few-serve', desiredCapacity: group.desiredCapacity, faults } as const;
  const failed = failedMembers(classified).filter((each) => idle.includes(each));
  const { since, limit } = shortage(failed, group, settings);
  if (since === undefined || !isOver(since, limit, observation.now)) return { kind: 'wait', reason };
  return { kind: 'blocked', reason: { ...reason, afterSeconds: limit } };
}

/**
 * Since when members have been missing, and for how many seconds they may be. In a rollback, each failed
 * member gets the time of a replacement to come and of a drain.
 */
function shortage(
  failed: readonly Attached[],
  group: Group,
  settings: Settings,
): { readonly since?: Date; readonly limit: number } {
  const { roll, watch } = group;
  if (watch.shortSince !== undefined || roll?.course.kind !== 'rollback')
    return { since: watch.shortSince, limit: watchedSeconds(settings) };
  const since = failed.map(({ instance }) => instance.launchedAt).reduce(later, roll.course.since);
  return { since, limit: settings.readyTimeoutSeconds + settings.drainTimeoutSeconds };
}

/**
 * Waits for the instances that have a turn, and blocks once they exceed their time, naming what is left on
 * them or unsteady.
 */
export function waitForTurns(
  assessment: Assessment,
  inTurn: readonly Candidate[],
  drainers: Drainers,
): Decision {
  const { group, observation, settings, classified } = assessment;
  const { now } = observation;
  const notDrained = inTurn.filter(({ phase }) => phase === 'next');
  if (notDrained.length > 0) {
    const unready = waitForReadiness(assessment, spareInstances(assessment));
    const waiting = unready ?? waitForCapacity(assessment, drainers);
    if (waiting !== undefined) return waiting;
  }
  const ids = inTurn.map(({ instance }) => instance.instanceId);
  // Those that wait for another to drain first have all their time before them.
  const draining = inTurn.filter(({ phase }) => phase === 'draining');
  const overdueBy = (seconds: number) =>
    (draining.length > 0 ? draining : inTurn).some(({ instance: { instanceId, mark }, phase }) => {
      const began = turnStartedAt(mark, group, now);
      // Tasks come to an ACTIVE one, too, so that some leave it is no progress.
      const since = phase === 'draining' ? progressOn(instanceId, began, observation) : began;
      return isOver(since, seconds, now);
    });
  const overdue = overdueBy(settings.drainTimeoutSeconds);
  const left = inTurn.flatMap((candidate) => leftOn(candidate, observation, overdue));
  const unsteady = unsettled(observation, group, classified.leaving);
  const faults = left.length > 0 ? left : unsteady.map((fault) => fault.what);
  if (faults.length === 0) return waitForSteadiness(ids, overdue, group, now, settings);
  const lasted =
    left.length > 0 ||
    hasLasted(unsettledSince(group), settings, now) ||
    isUnsteadyForLong(group, settings, now);
  // Deployments have their own limit.
  const deploys =
    left.length > 0
      ? inTurn.every(({ instance }) =>
          areDeployed(losableOn(observation, instance.instanceId), group, observation),
        )
      : unsteady.every((fault) => fault.deploys);
  const long = deploys ? longDeployments(group, observation) : [];
  const reason = {
    code: 'draining',
    instanceIds: ids,
    isNext: notDrained.length > 0,
    faults: [...long, ...faults, ...lateCrash(assessment)],
    failedDeployments: overdue ? failedDeployments(group, observation) : [],
  } as const;
  // Where they follow each other, each may be short.
  if (long.length > 0 || (deploys && overdueBy(2 * LONGEST_SECONDS))) return { kind: 'blocked', reason };
  if (!overdue || !lasted || deploys || isSuspected(assessment)) return { kind: 'wait', reason };
  return { kind: 'blocked', reason: { ...reason, afterSeconds: settings.drainTimeoutSeconds } };
}

/** Services whose tasks crash and restart are steady for moments, but never for long. */
function waitForSteadiness(
  ids: readonly string[],
  overdue: boolean,
  group: Group,
  now: Date,
  settings: Settings,
): Decision {
  const turns = { instanceIds: ids, seconds: settings.stableSeconds };
  if (!overdue || !isUnsteadyForLong(group, settings, now)) {
    return { kind: 'wait', reason: { code: 'services-settling', ...turns } };
  }
  const faults = group.watch.unsteady?.by ?? [];
  const afterSeconds = settings.drainTimeoutSeconds;
  return { kind: 'blocked', reason: { code: 'services-never-steady', ...turns, afterSeconds, faults } };
}

/**
 * Since when services have been unsettled by more than deployments of their owner; undefined if they are
 * settled.
 */
export function unsettledSince({ watch }: Group): Date | undefined {
  const { unsettledSince: since, unsteady } = watch;
  return since && later(since, unsteady?.since ?? since);
}

/** Whether this invocation has watched for several times the required steady time without seeing it. */
function isUnsteadyForLong({ watch }: Group, settings: Settings, now: Date): boolean {
  const { unsteady } = watch;
  if (unsteady === undefined || unsteady.by.length === 0) return false;
  const seconds = Math.max(DEBOUNCE_POLLS * settings.pollSeconds, UNSTEADY_PERIODS * settings.stableSeconds);
  return isOver(unsteady.since, Math.min(seconds, WATCHED_SECONDS), now);
}

/** If tasks crashed lately, that is why the services don't get steady. */
function lateCrash(assessment: Assessment): Fault[] {
  const { group, observation, settings } = assessment;
  const late = (crashes: readonly Crash[]) =>
    crashes.slice(-1).find(({ at }) => !isOver(at, settings.readyTimeoutSeconds, observation.now));
  const crash =
    late(crashesOnReplacements(assessment)) ??
    late(crashesOfOthers(group, observation)) ??
    late(crashesAnywhere(group, observation));
  return crash === undefined ? [] : [crashed(crashFacts(crash, observation))];
}

/** Once a roll goes back, a drain's time counts from that moment at the earliest. */
function turnStartedAt({ drainStartedAt = new Date(8.64e15) }: Mark, { roll }: Group, now: Date): Date {
  const { course } = roll ?? {};
  const since = course === undefined || course.kind === 'forward' ? drainStartedAt : course.since;
  return earlier(later(drainStartedAt, since), now);
}

/** What is left on a draining instance. With `named`, tasks are listed rather than counted. */
export function leftOn(candidate: Candidate, observation: Observation, named: boolean): Fault[] {
  const { instanceId } = candidate.instance;
  const left = lingering(observation, instanceId, named);
  if (left.length > 0 || !isCutOff(candidate, observation)) return left;
  const groups = tasksOn(observation, instanceId).map(({ group }) => group);
  return [{ kind: 'tasks-cut-off', instanceId, groups }];
}

export function crashed(facts: CrashFacts): Fault {
  return { kind: 'tasks-crash', ...facts };
}
