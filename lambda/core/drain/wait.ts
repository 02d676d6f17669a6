import type { Decision } from '../actions/decision.ts';
import { type Drainers, failedMembers, idleFault, idleMembers } from '../group/capacity.ts';
import { crashesOnReplacements, crashFacts } from '../group/crashes.ts';
import { failedDeployments, longDeployments } from '../group/deployments.ts';
import { isSuspected } from '../group/health.ts';
import { hinderedUntil } from '../group/launch-faults.ts';
import { heartbeatSeconds, readyLimitSeconds } from '../group/launch-time.ts';
import { type Lack, lackingInstance, readiness } from '../group/readiness.ts';
import { spareInstances } from '../group/spare.ts';
import { areDeployed, lingering, losableOn, tasksOn, unsettled } from '../group/steadiness.ts';
import { awaitUnknown } from '../group/unknown.ts';
import { crashesAnywhere, crashesOfOthers, crashFactsOfOther } from '../group/unmovable.ts';
import type { Assessment, Attached, Classification } from '../model/assessment.ts';
import type { Crash } from '../model/cluster.ts';
import type { Group, Mark } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { earlier, isOver, later, secondsBetween } from '../model/time.ts';
import type { CrashFacts, Fault } from '../reasons/faults.ts';
import { type Candidate, isCutOff } from './phase.ts';
import { progressOn } from './progress.ts';

/**
 * How many polls this invocation must see a fault last before an expired limit counts. An agent reconnects
 * several times an hour, and a group that scales lacks an instance for a moment.
 */
const DEBOUNCE_POLLS = 6;

/** The longest time that an invocation can be sure to observe anything: Lambda stops it after 15 minutes. */
const WATCHED_SECONDS = 600;

/** After so many times `stableSeconds` without being steady, services count as never steady. */
const UNSTEADY_PERIODS = 3;

/**
 * Waits for replacements, and blocks once they exceed their time.
 *
 * @param spare how many may leave all the same, to make room for what is lacking
 * @returns undefined if the group is whole, or some may leave
 */
export function waitForReadiness(assessment: Assessment, spare = 0): Decision | undefined {
  if (spare > 0) return undefined;
  const { group, observation, settings, classified } = assessment;
  const { now } = observation;
  const lacks = readiness(assessment);
  if (lacks.length === 0) return undefined;
  const faults = lacks.map(({ what }) => what);
  const chosen = batchStartedAt(group, classified);
  const begun = later(chosen, hinderedUntil(group));
  const limit = readyLimitSeconds(group, settings);
  const heartbeat = heartbeatSeconds(group);
  const isOverdue = (lack: Lack) => {
    const { launchedAt, freeSince = launchedAt } = lack;
    const own = group.watch.unreadySince?.get(lackingInstance(lack));
    if (launchedAt === undefined || freeSince === undefined)
      return isOver(chosen, limit, now) && isLasting(own, assessment);
    if (isOver(later(begun, freeSince), limit, now)) return isLasting(own, assessment);
    // If replacements keep dying and being replaced, each one is young, so the batch has a limit too.
    const isFirst = !isOver(begun, limit + heartbeat, launchedAt);
    const held = isFirst ? secondsBetween(launchedAt, freeSince) : heartbeat;
    const isOld = isOver(begun, 2 * limit + Math.max(0, held), now);
    return isOld && isLasting(group.watch.comingSince, assessment);
  };
  const overdue = lacks.filter(isOverdue);
  const atFault = overdue.filter(({ failing }) => failing);
  const failing = atFault.length > 0;
  if (overdue.length === 0 || (failing && mayRecover(atFault, group, settings, now)))
    return { kind: 'wait', reason: { code: 'replacements-not-ready', faults } };
  const { course, previous = [] } = group.roll ?? {};
  const mayGoBack = course?.kind === 'forward' && previous.length > 0;
  const ofZone = mayGoBack && !failing && overdue.some(({ excused }) => excused);
  return {
    kind: 'blocked',
    reason: { code: 'replacements-not-ready', afterSeconds: limit, faults, ...(ofZone && { ofZone }) },
    failing,
  };
}

/**
 * Once what they had in common with others is over, replacements get time to recover, too. That may have been
 * before this invocation, and agents that ECS lost together come back one after the other.
 */
function mayRecover(
  atFault: readonly Lack[],
  { watch: { excusedAt, unreadySince } }: Group,
  settings: Settings,
  now: Date,
): boolean {
  const areAway = atFault.every(({ what }) => what.kind === 'member-disconnected');
  const away = atFault.map((lack) => unreadySince?.get(lackingInstance(lack)) ?? now);
  const lost = areAway ? away.reduce(earlier) : undefined;
  return atFault.every((lack) => {
    const since = excusedAt?.get(lackingInstance(lack)) ?? lost;
    return since !== undefined && !isOver(since, watchedSeconds(settings), now);
  });
}

function watchedSeconds({ readyTimeoutSeconds }: Settings): number {
  return Math.min(readyTimeoutSeconds, WATCHED_SECONDS);
}

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
  const overdue = (draining.length > 0 ? draining : inTurn).some(
    ({ instance: { instanceId, mark }, phase }) => {
      const began = turnStartedAt(mark, group, now);
      // Tasks come to an ACTIVE one, too, so that some leave it is no progress.
      const since = phase === 'draining' ? later(began, progressOn(instanceId, observation)) : began;
      return isOver(since, settings.drainTimeoutSeconds, now);
    },
  );
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
  if (long.length > 0) return { kind: 'blocked', reason };
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
  const last = crashesOnReplacements(assessment).at(-1);
  const ofOther = crashesOfOthers(group, observation).at(-1);
  const isLate = (crash: Crash) => !isOver(crash.at, settings.readyTimeoutSeconds, observation.now);
  if (last !== undefined && isLate(last)) return [crashed(crashFacts(last, observation))];
  if (ofOther !== undefined && isLate(ofOther)) return [crashed(crashFactsOfOther(ofOther, observation))];
  const elsewhere = crashesAnywhere(group, observation).at(-1);
  return elsewhere !== undefined && isLate(elsewhere) ? [crashed(crashFacts(elsewhere, observation))] : [];
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

/** When the marked instances were chosen. Without any, when the roll began, or when it turned back. */
function batchStartedAt(group: Group, { detached, drifted }: Classification): Date {
  const { course } = group.roll ?? {};
  if (course?.kind === 'rollback') return course.since;
  const marks = [...detached, ...drifted.map(({ instance }) => instance)].flatMap(({ mark }) => mark ?? []);
  const [first, ...others] = marks.map(({ detachStartedAt }) => detachStartedAt);
  return first === undefined ? (group.roll?.startedAt ?? new Date(0)) : others.reduce(later, first);
}

/**
 * Whether this invocation has seen a fault of replacements for long enough. If they were ready once, so that
 * old ones began to drain, a later fault gets all its time.
 */
function isLasting(since: Date | undefined, { observation: { now }, settings, classified }: Assessment) {
  if (since === undefined || !hasLasted(since, settings, now)) return false;
  return !hasHadTurn(classified) || isOver(since, watchedSeconds(settings), now);
}

/** Old instances take turns only after the batch's replacements have been ready once. */
function hasHadTurn({ leaving, drifted }: Classification): boolean {
  if (leaving.length === 0) return drifted.every(({ instance }) => instance.mark === undefined);
  return leaving.some(({ mark }) => mark.drainStartedAt !== undefined);
}

/** Whether this invocation has seen it last for long enough to be more than a blip. */
export function hasLasted(since: Date | undefined, { pollSeconds }: Settings, now: Date): boolean {
  return since !== undefined && isOver(since, DEBOUNCE_POLLS * pollSeconds, now);
}
