import {
  CreateLaunchConfigurationCommand,
  DeleteLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLaunchConfigurationsCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const COPY = 'copy';

const create = (at: Account) =>
  at.autoScaling.send(
    new CreateLaunchConfigurationCommand({
      LaunchConfigurationName: COPY,
      ImageId: at.newerImage,
      InstanceType: 'm5.large',
    }),
  );
const describe =
  (...names: readonly string[]) =>
  (at: Account) =>
    at.autoScaling.send(new DescribeLaunchConfigurationsCommand({ LaunchConfigurationNames: [...names] }));
const remove = (name: string) => (at: Account) =>
  at.autoScaling.send(new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: name }));
const use = (name: string) => (at: Account) =>
  at.autoScaling.send(
    new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: NAMES.group, LaunchConfigurationName: name }),
  );

export const LAUNCH_CONFIGURATION_STEPS: readonly Step[] = [
  step('describe a launch configuration', describe(NAMES.launchConfiguration)),
  step('describe an unknown launch configuration', describe('unknown')),
  step('create a launch configuration', create),
  step('create it once more', create),
  step('describe what was created with next to nothing', describe(COPY)),
  step('let a group use it', use(COPY)),
  step('let a group use an unknown one', use('unknown')),
  step('describe the group that uses it', ({ autoScaling }) =>
    autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NAMES.group] })),
  ),
  step('delete a launch configuration in use', remove(COPY)),
  step('delete one that is not', remove(NAMES.launchConfiguration)),
  step('delete it once more', remove(NAMES.launchConfiguration)),
];
