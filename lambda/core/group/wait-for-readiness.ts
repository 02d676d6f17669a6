import type { Decision } from '../actions/decision.ts';
import type { Assessment, Classification } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { Settings } from '../model/settings.ts';
import { earlier, isOver, later, secondsBetween } from '../model/time.ts';
import { hasLasted, watchedSeconds } from './has-lasted.ts';
import { hinderedUntil } from './launch-faults.ts';
import { heartbeatSeconds, readyLimitSeconds } from './launch-time.ts';
import { type Lack, lackingInstance, readiness } from './readiness.ts';

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
    return isOld && isLasting(group.watch.comingSince, assessment, chosen);
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
function isLasting(
  since: Date | undefined,
  { observation: { now }, settings, classified }: Assessment,
  batchSince?: Date,
) {
  if (since === undefined || !hasLasted(since, settings, now)) return false;
  return !hasHadTurn(classified, batchSince) || isOver(since, watchedSeconds(settings), now);
}

/**
 * Old instances take turns only after the batch's replacements have been ready once. What drains since before
 * it was chosen is of an earlier one.
 */
function hasHadTurn({ leaving, drifted }: Classification, batchSince = new Date(0)): boolean {
  if (leaving.length === 0) return drifted.every(({ instance }) => instance.mark === undefined);
  return leaving.some(({ mark: { drainStartedAt } }) => drainStartedAt && drainStartedAt >= batchSince);
}
