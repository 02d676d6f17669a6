import type { Action, Decision } from '../actions/decision.ts';
import type { Classification, RollAssessment } from '../model/assessment.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import type { RaisedMinSize, Roll } from '../model/roll.ts';
import { isOver } from '../model/time.ts';
import { recordChanges } from './temporary-changes.ts';

/**
 * ECS publishes once a minute how much of a group its tasks need, and CloudWatch evaluates it once a minute.
 * After this time both have seen that the last replacement has its tasks.
 */
const REST_SECONDS = 180;

/**
 * Keeps ECS managed scaling from making a group smaller in the middle of its roll. Replacements have no tasks
 * before old instances drain, and after 15 empty minutes managed scaling scales in; the group's termination
 * policy then picks any member, empty or not. So the minimum size is raised to the size of the group for as
 * long as the roll lasts. (Scale-in protection wouldn't help: the desired capacity still drops, and members
 * end as soon as the protection is lifted. Suspending AlarmNotification would also keep the group from
 * growing for tasks that lack room.)
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-scaling-behavior.html
 */
export function keepWhole({ group, classified }: RollAssessment): Decision | undefined {
  const { addedSizes, raisedMinSize } = group.roll.changes;
  // What was ours of the size is still to go: it can't below a minimum that was raised for a larger group.
  const isLarger = raisedMinSize !== undefined && addedSizes.desiredCapacity > 0;
  const isKept = isUnderWay(group.roll, classified) || isLarger;
  if (!group.details?.mayScaleIn || addedSizes.change !== undefined || !isKept) return undefined;
  const owner = ownersMinSize(group, raisedMinSize);
  const ours = Math.max(owner, group.desiredCapacity - addedSizes.desiredCapacity);
  if (group.minSize === ours && (raisedMinSize === undefined || isNoted(raisedMinSize, ours)))
    return undefined;
  // Until we see the new minimum, the one that we set before counts as ours, too.
  const before = raisedMinSize?.ours.includes(group.minSize) ? [group.minSize] : [];
  const raised = { owner, ours: [...new Set([...before, ours])] };
  return {
    kind: 'act',
    reason: { code: 'min-size-raised', minSize: ours },
    actions: [...note(group, raised), ...setMinSize(group, ours)],
  };
}

/** Gives the minimum size back once ECS has had time to see that the group is in use. */
export function giveBackMinSize(group: RollingGroup, now: Date): Decision | undefined {
  const { raisedMinSize } = group.roll.changes;
  if (raisedMinSize === undefined) return undefined;
  const { owner, ours, restsSince } = raisedMinSize;
  if (!ours.includes(group.minSize)) {
    const reason = { code: 'min-size-not-ours', minSize: group.minSize } as const;
    return { kind: 'act', reason, actions: note(group, undefined) };
  }
  const rest = { minSize: group.minSize, seconds: REST_SECONDS };
  if (restsSince === undefined)
    return {
      kind: 'act',
      reason: { code: 'min-size-rest-begins', ...rest },
      actions: note(group, { ...raisedMinSize, restsSince: now }),
    };
  if (!isOver(restsSince, REST_SECONDS, now))
    return { kind: 'wait', reason: { code: 'min-size-rests', ...rest } };
  return {
    kind: 'act',
    reason: { code: 'min-size-given-back', minSize: owner },
    actions: [...setMinSize(group, owner), ...note(group, undefined)],
  };
}

/** The minimum size to give back: if somebody else has set it since, theirs. */
function ownersMinSize({ minSize }: Group, raisedMinSize: RaisedMinSize | undefined): number {
  return raisedMinSize?.ours.includes(minSize) ? raisedMinSize.owner : minSize;
}

function isNoted({ ours, restsSince }: RaisedMinSize, size: number): boolean {
  return restsSince === undefined && ours.length === 1 && ours.includes(size);
}

/**
 * With a minimum above its "current size", which may mean its members, the desired capacity of the group
 * would become that minimum: so it is named then.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
 */
function setMinSize({ name, members, desiredCapacity, ...group }: Group, minSize: number): Action[] {
  if (group.minSize === minSize) return [];
  const serving = members.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const isAbove = serving.length < minSize && minSize < desiredCapacity;
  return [{ kind: 'set-sizes', group: name, ...(isAbove && { desiredCapacity }), minSize }];
}

function note(group: RollingGroup, raisedMinSize: RaisedMinSize | undefined): Action[] {
  const { raisedMinSize: _, ...changes } = group.roll.changes;
  return [recordChanges(group, raisedMinSize === undefined ? changes : { ...changes, raisedMinSize })];
}

/**
 * Whether anything is still to be replaced or to leave. An aborted roll only finishes what it has begun to
 * replace.
 */
function isUnderWay({ course }: Roll, { drifted, detached, detaching, leaving }: Classification): boolean {
  const chosen = course.kind === 'abort' ? leaving : drifted;
  return chosen.length + detached.length + detaching.length > 0;
}
