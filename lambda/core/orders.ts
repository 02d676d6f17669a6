import type { Action, Decision, Order, Request } from './decision.ts';
import type { Group, Observation, Rollout } from './model.ts';
import { type GivenUp, stepsToReject } from './rejection.ts';

/** Why a roll is not to go on where it was an invocation that said so. */
export const ASKED = 'somebody asked for it';

/** Why it is not where all there is is a word on the group's tag, which whoever may tag the group may have written. */
export const ASKED_BY_TAG = 'somebody asked for it by a tag on the group';

/** Whether a roll was given up for no fault of its own. */
export function isAsked(because: string | undefined): boolean {
  return because === ASKED || because === ASKED_BY_TAG;
}

/** All of a group that an order depends on: what its tags say. */
export type Ordered = Pick<Group, 'name' | 'pausedSince' | 'rollout' | 'rejection'>;
type Now = Pick<Observation, 'now'>;

/**
 * Writes down what somebody asks of a group, once: from then on it is found on the group's tags, whoever invokes.
 *
 * @returns undefined when it is written down, or is nothing that concerns the group
 */
export function obey(group: Ordered, request: Request, observation: Now): Decision | undefined {
  const { order, orderedAt, obeyedBy } = request;
  const { name, pausedSince } = group;
  if (order === undefined || obeyedBy?.has(name)) return dateByHand(group, observation);
  switch (order) {
    case 'pause':
      if (pausedSince !== undefined) return undefined;
      return {
        kind: 'act',
        reason: 'pauses the group, as somebody asks',
        actions: [{ kind: 'pause', group: name, since: observation.now }],
      };
    case 'resume':
      if (pausedSince === undefined) return undefined;
      return {
        kind: 'act',
        reason: 'lets the group go on, as somebody asks',
        actions: [{ kind: 'resume', group: name }],
      };
    case 'abort':
    case 'rollback':
      return change(group, order, orderedAt ?? observation.now, observation.now);
  }
}

/** Who writes a tag by hand leaves out the time, from which limits count: it is that of the first look. */
function dateByHand({ name, pausedSince, rollout }: Ordered, { now }: Now): Decision | undefined {
  const actions: Action[] = [];
  if (pausedSince !== undefined && pausedSince >= now)
    actions.push({ kind: 'pause', group: name, since: now });
  const course = rollout?.course;
  if (course !== undefined && course.kind !== 'forward' && course.since >= now)
    actions.push({ kind: 'record-course', group: name, course: { ...course, since: now } });
  if (actions.length === 0) return undefined;
  return { kind: 'act', reason: 'notes since when, as somebody has asked for it by hand', actions };
}

/** What can't be taken back, as the old image is gone, may be left as it is; but nothing that is aborted goes back by itself. */
function change(
  group: Ordered,
  order: Extract<Order, 'abort' | 'rollback'>,
  orderedAt: Date,
  since: Date,
): Decision | undefined {
  const { rollout, name, pausedSince } = group;
  if (rollout === undefined) return undefined;
  const resume: Action = { kind: 'resume', group: name };
  if (rollout.course.kind === order) {
    // Whoever wrote it was killed before it took the pause away.
    if (pausedSince === undefined || pausedSince >= orderedAt) return undefined;
    return { kind: 'act', reason: `lets the ${order} go on, as somebody asks`, actions: [resume] };
  }
  if (rollout.course.kind !== 'forward' && rollout.course.since >= orderedAt) return undefined;
  if (order === 'rollback' && rollout.previous.length === 0) return nothingToGoBackTo(ASKED);
  const steps = stepsTo(group, rollout, { kind: order, since, because: ASKED });
  return {
    kind: 'act',
    reason: order === 'abort' ? 'aborts the roll, as somebody asks' : 'rolls back, as somebody asks',
    // It could do nothing while it is paused.
    actions: pausedSince === undefined ? steps : [...steps, resume],
  };
}

/** A roll that has changed nothing of what its group launches can't be taken back. */
function nothingToGoBackTo(reason: string): Decision {
  return {
    kind: 'blocked',
    reason:
      `${reason}; it can't be rolled back, as the roll has not changed what the group launches: mend that, or ` +
      'invoke {"action":"abort"}',
  };
}

/** What is done where nothing is to be begun. */
export function pausedIn({ pausedSince }: Group): Decision {
  const since = pausedSince === undefined ? '' : ` since ${pausedSince.toISOString()}`;
  return { kind: 'paused', reason: `paused${since}; {"action":"resume"} lets it go on` };
}

/** Rolls back where it is the replacements that fail; what else blocks a roll can be mended. */
export function turnBack(group: Group, rollout: Rollout, decision: Decision, since: Date): Decision {
  if (decision.kind !== 'blocked' || !decision.failing) return decision;
  if (rollout.previous.length === 0) return nothingToGoBackTo(decision.reason);
  return {
    kind: 'act',
    reason: `rolls back: ${decision.reason}`,
    actions: stepsTo(group, rollout, { kind: 'rollback', since, because: decision.reason }),
  };
}

/** That the images are not to be tried again is written down first, so that no other roll begins behind this one. */
function stepsTo(group: Ordered, rollout: Rollout, course: GivenUp): Action[] {
  return [...stepsToReject(group, rollout, course), { kind: 'record-course', group: group.name, course }];
}
