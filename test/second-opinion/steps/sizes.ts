import {
  DescribeAutoScalingGroupsCommand,
  SetDesiredCapacityCommand,
  UpdateAutoScalingGroupCommand,
  type UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const { templateGroup: group } = NAMES;

const setDesired =
  (DesiredCapacity: number, AutoScalingGroupName: string = group) =>
  ({ autoScaling }: Account) =>
    autoScaling.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity }));
const update =
  (sizes: Partial<UpdateAutoScalingGroupType>) =>
  ({ autoScaling }: Account) =>
    autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: group, ...sizes }));

/** Which of its members a smaller group ends is a matter of its policies. */
async function sizes({ autoScaling }: Account) {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [group] }),
  );
  const { MinSize, MaxSize, DesiredCapacity, Instances = [] } = AutoScalingGroups[0] ?? {};
  return {
    MinSize,
    MaxSize,
    DesiredCapacity,
    states: Instances.map(({ LifecycleState, HealthStatus }) => `${LifecycleState} ${HealthStatus}`),
  };
}

export const SIZE_STEPS: readonly Step[] = [
  step('tell the sizes of a group', sizes),
  step('set a larger desired capacity', setDesired(3)),
  step('tell the sizes of the larger group', sizes),
  step('set a smaller desired capacity', setDesired(1)),
  step('tell the sizes of the smaller group', sizes),
  step('raise the maximum, and the desired capacity with it', update({ MaxSize: 8, DesiredCapacity: 6 })),
  step('tell the sizes of the raised group', sizes),
  step('lower the maximum below the desired capacity', update({ MaxSize: 4 })),
  step('tell the sizes of the lowered group', sizes),
  step('raise the minimum above the desired capacity', update({ MaxSize: 6, MinSize: 5 })),
  step('tell the sizes of what has a minimum', sizes),
  step('set the desired capacity of an unknown group', setDesired(1, 'unknown')),
  step('set a desired capacity above the maximum', setDesired(7)),
  step('set a desired capacity below the minimum', setDesired(4)),
  step('update to a desired capacity below the minimum', update({ DesiredCapacity: 2 })),
  step('raise the minimum above the maximum', update({ MinSize: 9 })),
  step('restore the sizes', update({ MinSize: 0, MaxSize: 5, DesiredCapacity: 1 })),
  step('tell the restored sizes', sizes),
];
