import type { Action, Decision } from './actions/decision.ts';
import { RELAUNCH_SECONDS } from './group/course-doubts.ts';
import { noteAnswer } from './hooks/answer.ts';
import type { GivenUp } from './launch-spec/rejected-images.ts';
import type { Ordered } from './model/group.ts';
import type { Observation } from './model/observation.ts';
import type { Order, Request } from './model/request.ts';
import { isOver } from './model/time.ts';
import { skipAnnounced } from './notice.ts';
import { nothingToGoBackTo } from './rollback/begin-rollback.ts';

type Now = Pick<Observation, 'now'>;
type StopOrder = Extract<Order, 'abort' | 'rollback' | 'skip'>;

/**
 * Records what somebody asks of a group on the group's tags, so that every later invocation sees it.
 *
 * @returns undefined if it is already recorded or doesn't concern the group
 */
export function takeOrder(group: Ordered, request: Request, observation: Now): Decision | undefined {
  const { order, orderedAt, recordedOn } = request;
  const { name, pausedSince } = group;
  if (order === undefined || recordedOn?.has(name))
    return request.looks ? undefined : dateByHand(group, observation);
  switch (order) {
    case 'pause':
      if (pausedSince !== undefined) return undefined;
      return {
        kind: 'act',
        reason: { code: 'pauses' },
        actions: [{ kind: 'pause', group: name, since: observation.now }],
      };
    case 'resume':
      if (pausedSince === undefined) return undefined;
      return {
        kind: 'act',
        reason: { code: 'resumes' },
        actions: [{ kind: 'resume', group: name }],
      };
    case 'abort':
    case 'rollback':
    case 'skip':
      return stop(group, order, orderedAt ?? observation.now, observation.now);
    case 'approve':
    case 'refuse':
      return noteAnswer(group, order, request, observation.now);
  }
}

/**
 * For the orders function: a read may miss an opposite order that somebody just gave, so this one is written
 * whatever the tags say.
 */
export function alwaysWrite(
  { name, pausedSince, roll }: Ordered,
  order: 'pause' | 'resume',
  now: Date,
): Extract<Decision, { kind: 'act' }> {
  if (order === 'pause') {
    const action: Action = { kind: 'pause', group: name, since: pausedSince ?? now };
    return { kind: 'act', reason: { code: 'pauses' }, actions: [action] };
  }
  const isHeld = roll?.hook !== undefined && roll.hook.answer !== 'go';
  const asksAnew: readonly Action[] = isHeld ? [{ kind: 'clear-hook', group: name }] : [];
  return {
    kind: 'act',
    reason: { code: 'resumes' },
    actions: [{ kind: 'resume', group: name }, ...asksAnew],
  };
}

/**
 * Somebody has only asked for it by tag, or so long ago that nothing may show any more what it was about: see
 * `doubtRollback`.
 */
function isToBeDated({ since, because }: GivenUp, orderedAt: Date): boolean {
  return (
    (because.code === 'asked-by-tag' && since >= orderedAt) || isOver(since, RELAUNCH_SECONDS, orderedAt)
  );
}

/** Adds the time to a tag written by hand, which has none: limits count from when we first saw it. */
function dateByHand({ name, pausedSince, roll }: Ordered, { now }: Now): Decision | undefined {
  const actions: Action[] = [];
  if (pausedSince !== undefined && pausedSince >= now)
    actions.push({ kind: 'pause', group: name, since: now });
  const course = roll?.course;
  if (course !== undefined && course.kind !== 'forward' && course.since >= now)
    actions.push({ kind: 'record-course', group: name, course: { ...course, since: now } });
  if (actions.length === 0) return undefined;
  return { kind: 'act', reason: { code: 'order-dated' }, actions };
}

/** Whichever way somebody stops a roll that is only announced, there is nothing to take back of it. */
function stop(group: Ordered, order: StopOrder, orderedAt: Date, since: Date): Decision | undefined {
  if (group.notice !== undefined) return skipAnnounced(group, group.notice, since);
  if (group.roll?.onlyAnnounced) return change(group, 'abort', orderedAt, since);
  return order === 'skip' ? undefined : change(group, order, orderedAt, since);
}

/**
 * A roll that can't be taken back, as the old image is gone, may still be aborted; an aborted one never goes
 * back by itself.
 */
function change(
  group: Ordered,
  order: Exclude<StopOrder, 'skip'>,
  orderedAt: Date,
  since: Date,
): Decision | undefined {
  const { roll, name, pausedSince } = group;
  if (roll === undefined) return undefined;
  const resume: Action = { kind: 'resume', group: name };
  const isFixed = roll.course.kind !== 'forward' && !isToBeDated(roll.course, orderedAt);
  if (roll.course.kind === order && isFixed) {
    // The invocation that wrote it may have been killed before it lifted the pause.
    if (pausedSince === undefined || pausedSince >= orderedAt) return undefined;
    return { kind: 'act', reason: { code: 'order-resumed', order }, actions: [resume] };
  }
  if (isFixed && roll.course.since >= orderedAt) return undefined;
  if (order === 'rollback' && roll.previous.length === 0) return nothingToGoBackTo({ code: 'asked' });
  const course = { kind: order, since, because: { code: 'asked' } } as const;
  const record: Action = { kind: 'record-course', group: name, course };
  return {
    kind: 'act',
    reason: { code: order === 'abort' ? 'aborts' : 'rolls-back' },
    // It could do nothing while paused.
    actions: pausedSince === undefined ? [record] : [record, resume],
  };
}
