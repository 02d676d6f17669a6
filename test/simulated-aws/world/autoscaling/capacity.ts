import { SetDesiredCapacityCommand, type UpdateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { atNow } from './activities.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';
import type { Group, Member } from './model.ts';
import { weightOf } from './weights.ts';

/**
 * The sizes after an update. One that names no desired capacity moves it into its new bounds, "if the new
 * MinSize is larger than the current size of the group", or the new MaxSize smaller.
 *
 * @param present how many members there are, where they are the current size
 */
export function requestedSizes(
  group: Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>,
  input: Pick<UpdateAutoScalingGroupType, 'MinSize' | 'MaxSize' | 'DesiredCapacity'>,
  present = group.desiredCapacity,
) {
  const minSize = input.MinSize ?? group.minSize;
  const maxSize = input.MaxSize ?? group.maxSize;
  if (maxSize < minSize)
    // ledger: update-max-below-min
    throw validationError(`Max bound, ${maxSize}, must be greater than or equal to min bound, ${minSize}`);
  const isBelow = input.MinSize !== undefined && minSize > present;
  const isAbove = input.MaxSize !== undefined && maxSize < present;
  const current = isBelow ? minSize : isAbove ? maxSize : group.desiredCapacity;
  const desiredCapacity = input.DesiredCapacity ?? clamp(current, minSize, maxSize);
  if (desiredCapacity < minSize || desiredCapacity > maxSize)
    // ledger: update-desired-between
    throw validationError(
      `Desired capacity:${desiredCapacity} must be between the specified min size:${minSize} and max size:${maxSize}`,
    );
  return { minSize, maxSize, desiredCapacity };
}

/**
 * For the activities that come of it, in AWS's words:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-verify-scaling-activity.html
 *
 * @param who such as `a user request explicitly set group desired capacity`
 */
export function noteResize(state: State, group: Group, from: number, who: string) {
  const { desiredCapacity } = group;
  if (desiredCapacity === from || state.readings.sizeChanges === 'untold') return;
  group.resizedBy = `${atNow(state)} ${who} changing the desired capacity from ${from} to ${desiredCapacity}.  `;
}

/** Who changed a group by naming its sizes. */
export const byUpdate = ({ minSize, maxSize, desiredCapacity }: Group) =>
  `update of AutoScalingGroup constraints to min: ${minSize}, max: ${maxSize}, desired: ${desiredCapacity}`;

export const clamp = (size: number, min: number, max: number) => Math.min(max, Math.max(min, size));

/** The wording: https://github.com/kubernetes/autoscaler/issues/943 */
export function setDesiredCapacity(state: State): Operation {
  return on(
    SetDesiredCapacityCommand,
    { AutoScalingGroupName: 'all', DesiredCapacity: 'all', HonorCooldown: [false] },
    (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      const { DesiredCapacity: asked = group.desiredCapacity } = input;
      const { minSize, maxSize } = group;
      const refuse = (bound: string) =>
        validationError(`New SetDesiredCapacity value ${asked} is ${bound} for the AutoScalingGroup.`);
      // ledger: desired-between
      if (asked > maxSize) throw refuse(`above max value ${maxSize}`);
      // ledger: desired-between
      if (asked < minSize) throw refuse(`below min value ${minSize}`);
      const { desiredCapacity: from } = group;
      group.desiredCapacity = asked;
      noteResize(state, group, from, 'a user request explicitly set group desired capacity');
      groupWritten(state, group, 'call');
      return {};
    },
  );
}

/** What activities say of a size that went along with members that left or came. */
export const wentFrom = (from: number, { desiredCapacity: to }: Group) =>
  `, ${to < from ? 'shrinking' : 'increasing'} the capacity from ${from} to ${to}`;

/**
 * For members that leave without a replacement: "decrements the desired capacity value by the number of
 * instances detached", which may be so of weights, too.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DetachInstances.html
 *
 * @returns what the activities that come of it say of the size
 */
export function decrement(state: State, group: Group, members: readonly Member[], cause: Cause): string {
  const { desiredCapacity: from } = group;
  const count = state.readings.decrementBy === 'units' ? weightOf(group, members) : members.length;
  if (group.desiredCapacity - count < group.minSize)
    // ledger: detach-below-minimum, terminate-below-minimum, enter-standby-below-minimum
    throw validationError(
      `Currently, desiredSize equals ${group.desiredCapacity}. Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
    );
  group.desiredCapacity -= count;
  groupWritten(state, group, cause);
  return wentFrom(from, group);
}

/**
 * For members that come in from outside.
 *
 * @returns what the activities that come of it say of the size
 */
export function increment(state: State, group: Group, members: readonly Member[], cause: Cause): string {
  const { desiredCapacity: from } = group;
  const count = weightOf(group, members);
  if (group.desiredCapacity + count > group.maxSize)
    // ledger: exit-standby-above-maximum
    throw validationError(
      `Currently, desiredSize equals ${group.desiredCapacity}. ${count} more instances will violate group's max size constraint, ${group.maxSize}.`,
    );
  group.desiredCapacity += count;
  groupWritten(state, group, cause);
  return wentFrom(from, group);
}
