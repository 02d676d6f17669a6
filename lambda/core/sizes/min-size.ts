import type { Action, Decision } from '../actions/decision.ts';
import type { Classification, RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { RaisedMinSize, Roll } from '../model/roll.ts';
import { isOver } from '../model/time.ts';
import { recordChanges } from './temporary-changes.ts';

/**
 * ECS tells once a minute how much of a group its tasks need, and CloudWatch evaluates that as often: so long it may take
 * until they have seen that the last replacement has its tasks.
 */
const REST_SECONDS = 180;

/**
 * Keeps ECS' managed scaling from making a group smaller in the middle of its roll. Replacements have no task before old
 * instances drain, and whatever has stood empty for 15 minutes is scaled in: empty or not, as the group's termination
 * policy chooses. So the minimum size is as large as the group, for the time being. (Protection from scale-in wouldn't do:
 * the desired capacity gets smaller all the same, and members end as soon as it is lifted. Without AlarmNotification the
 * group wouldn't get larger for tasks that lack room, either.)
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-scaling-behavior.html
 */
export function keepWhole({ group, roll, classified }: RollAssessment): Decision | undefined {
  const { addedSizes, raisedMinSize } = roll.changes;
  if (!group.details?.hasManagedScaling || addedSizes.change !== undefined || !isUnderWay(roll, classified))
    return undefined;
  const owner = ownersMinSize(group, raisedMinSize);
  const ours = Math.max(owner, group.desiredCapacity - addedSizes.desiredCapacity);
  if (group.minSize === ours && (raisedMinSize === undefined || isNoted(raisedMinSize, ours)))
    return undefined;
  // As long as it isn't seen to be raised, what it was raised to before is ours, too.
  const before = raisedMinSize?.ours.includes(group.minSize) ? [group.minSize] : [];
  const raised = { owner, ours: [...new Set([...before, ours])] };
  return {
    kind: 'act',
    reason: { code: 'min-size-raised', minSize: ours },
    actions: [...note(group, roll, raised), ...setMinSize(group, ours)],
  };
}

/** Gives the minimum size back, once ECS has had the time to see that the group is in use. */
export function giveBackMinSize(group: Group, roll: Roll, now: Date): Decision | undefined {
  const { raisedMinSize } = roll.changes;
  if (raisedMinSize === undefined) return undefined;
  const { owner, ours, restsSince } = raisedMinSize;
  if (!ours.includes(group.minSize)) {
    const reason = { code: 'min-size-not-ours', minSize: group.minSize } as const;
    return { kind: 'act', reason, actions: note(group, roll, undefined) };
  }
  const rest = { minSize: group.minSize, seconds: REST_SECONDS };
  if (restsSince === undefined)
    return {
      kind: 'act',
      reason: { code: 'min-size-rest-begins', ...rest },
      actions: note(group, roll, { ...raisedMinSize, restsSince: now }),
    };
  if (!isOver(restsSince, REST_SECONDS, now))
    return { kind: 'wait', reason: { code: 'min-size-rests', ...rest } };
  return {
    kind: 'act',
    reason: { code: 'min-size-given-back', minSize: owner },
    actions: [...setMinSize(group, owner), ...note(group, roll, undefined)],
  };
}

/** What somebody else has made of it since is what he means, and what he gets back. */
function ownersMinSize({ minSize }: Group, raisedMinSize: RaisedMinSize | undefined): number {
  return raisedMinSize?.ours.includes(minSize) ? raisedMinSize.owner : minSize;
}

function isNoted({ ours, restsSince }: RaisedMinSize, size: number): boolean {
  return restsSince === undefined && ours.length === 1 && ours.includes(size);
}

function setMinSize(group: Group, minSize: number): Action[] {
  return group.minSize === minSize ? [] : [{ kind: 'set-sizes', group: group.name, minSize }];
}

function note(group: Group, roll: Roll, raisedMinSize: RaisedMinSize | undefined): Action[] {
  const { raisedMinSize: _, ...changes } = roll.changes;
  return [recordChanges(group, roll, raisedMinSize === undefined ? changes : { ...changes, raisedMinSize })];
}

/** Whatever is to be replaced, or to leave, is gone. An aborted roll replaces nothing more than it has begun with. */
function isUnderWay({ course }: Roll, { drifted, detached, detaching, leaving }: Classification): boolean {
  const chosen = course.kind === 'abort' ? leaving : drifted;
  return chosen.length + detached.length + detaching.length > 0;
}
