import type { Action, Decision } from './actions/decision.ts';
import type { Ordered } from './model/group.ts';
import type { Observation } from './model/observation.ts';
import type { Order, Request } from './model/request.ts';
import { nothingToGoBackTo, stepsTo } from './rollback/begin-rollback.ts';

type Now = Pick<Observation, 'now'>;

/**
 * Writes down what somebody asks of a group, once: from then on it is found on the group's tags, whoever invokes.
 *
 * @returns undefined when it is written down, or is nothing that concerns the group
 */
export function recordOrder(group: Ordered, request: Request, observation: Now): Decision | undefined {
  const { order, orderedAt, recordedOn } = request;
  const { name, pausedSince } = group;
  if (order === undefined || recordedOn?.has(name)) return dateByHand(group, observation);
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
      return change(group, order, orderedAt ?? observation.now, observation.now);
  }
}

/** Who writes a tag by hand leaves out the time, from which limits count: it is that of the first look. */
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

/** What can't be taken back, as the old image is gone, may be left as it is; but nothing that is aborted goes back by itself. */
function change(
  group: Ordered,
  order: Extract<Order, 'abort' | 'rollback'>,
  orderedAt: Date,
  since: Date,
): Decision | undefined {
  const { roll, name, pausedSince } = group;
  if (roll === undefined) return undefined;
  const resume: Action = { kind: 'resume', group: name };
  if (roll.course.kind === order) {
    // Whoever wrote it was killed before it took the pause away.
    if (pausedSince === undefined || pausedSince >= orderedAt) return undefined;
    return { kind: 'act', reason: { code: 'order-resumed', order }, actions: [resume] };
  }
  if (roll.course.kind !== 'forward' && roll.course.since >= orderedAt) return undefined;
  if (order === 'rollback' && roll.previous.length === 0) return nothingToGoBackTo({ code: 'asked' });
  const steps = stepsTo(group, roll, { kind: order, since, because: { code: 'asked' } });
  return {
    kind: 'act',
    reason: { code: order === 'abort' ? 'aborts' : 'rolls-back' },
    // It could do nothing while it is paused.
    actions: pausedSince === undefined ? steps : [...steps, resume],
  };
}
