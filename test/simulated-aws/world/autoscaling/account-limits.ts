import { DescribeAccountLimitsCommand } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';

const MAX_GROUPS = 500;

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html */
export const DEFAULT_LAUNCH_CONFIGURATION_QUOTA = 200;

export function describeAccountLimits(state: State): Operation {
  return on(DescribeAccountLimitsCommand, {}, () => ({
    MaxNumberOfAutoScalingGroups: MAX_GROUPS,
    MaxNumberOfLaunchConfigurations: state.launchConfigurationQuota,
    NumberOfAutoScalingGroups: state.groups.size,
    NumberOfLaunchConfigurations: state.launchConfigurations.size,
  }));
}
