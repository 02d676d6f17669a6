import { SetDesiredCapacityCommand, type UpdateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';
import type { Group } from './model.ts';

/** The sizes after an update. One that names no desired capacity moves it into its new bounds. */
export function requestedSizes(
  group: Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>,
  input: Pick<UpdateAutoScalingGroupType, 'MinSize' | 'MaxSize' | 'DesiredCapacity'>,
) {
  const minSize = input.MinSize ?? group.minSize;
  const maxSize = input.MaxSize ?? group.maxSize;
  if (maxSize < minSize)
    throw validationError(`Max bound, ${maxSize}, must be greater than or equal to min bound, ${minSize}`);
  const desiredCapacity = input.DesiredCapacity ?? clamp(group.desiredCapacity, minSize, maxSize);
  if (desiredCapacity < minSize || desiredCapacity > maxSize)
    throw validationError(
      `Desired capacity:${desiredCapacity} must be between the specified min size:${minSize} and max size:${maxSize}`,
    );
  return { minSize, maxSize, desiredCapacity };
}

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
      if (asked > maxSize) throw refuse(`above max value ${maxSize}`);
      if (asked < minSize) throw refuse(`below min value ${minSize}`);
      group.desiredCapacity = asked;
      groupWritten(state, group, 'call');
      return {};
    },
  );
}

/** For members that leave without a replacement. */
export function decrement(state: State, group: Group, count: number, cause: Cause) {
  if (group.desiredCapacity - count < group.minSize)
    throw validationError(
      `Currently, desiredSize equals ${group.desiredCapacity}. Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
    );
  group.desiredCapacity -= count;
  groupWritten(state, group, cause);
}

/** For members that come in from outside. */
export function increment(state: State, group: Group, count: number, cause: Cause) {
  if (group.desiredCapacity + count > group.maxSize)
    throw validationError(
      `Currently, desiredSize equals ${group.desiredCapacity}. ${count} more instances will violate group's max size constraint, ${group.maxSize}.`,
    );
  group.desiredCapacity += count;
  groupWritten(state, group, cause);
}
