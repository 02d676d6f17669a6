import { DescribeAutoScalingGroupsCommand, DescribeWarmPoolCommand } from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const describe = (AutoScalingGroupName: string) => (at: Account) =>
  at.autoScaling.send(new DescribeWarmPoolCommand({ AutoScalingGroupName }));

export const WARM_POOL_STEPS: readonly Step[] = [
  step('describe a warm pool', describe(NAMES.poolGroup)),
  step('describe the warm pool of a group that has none', describe(NAMES.templateGroup)),
  step('describe the warm pool of an unknown group', describe('unknown')),
  step('describe the group with a warm pool', ({ autoScaling }) =>
    autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NAMES.poolGroup] })),
  ),
];
