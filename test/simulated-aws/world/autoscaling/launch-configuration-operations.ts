import {
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
  DescribeLaunchConfigurationsCommand,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { availableImage } from '../ec2/images.ts';
import { findInstanceProfile } from '../iam/instance-profiles.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { validationError } from './groups.ts';
import { addLaunchConfiguration, removeLaunchConfiguration } from './launch-configurations.ts';
import type { LaunchConfiguration } from './model.ts';

export function launchConfigurationOperations(state: State): Operation[] {
  const page = createPager<LaunchConfiguration>('DescribeLaunchConfigurations', {
    default: 50,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });

  return [
    on(DescribeLaunchConfigurationsCommand, 'all', (input) => {
      const names = input.LaunchConfigurationNames;
      const found = names?.length
        ? names.flatMap((name) => state.launchConfigurations.get(name) ?? [])
        : [...state.launchConfigurations.values()];
      const { items, token } = page(found, {
        limit: input.MaxRecords,
        token: input.NextToken,
      });
      return {
        LaunchConfigurations: items.map(({ description }) => description),
        NextToken: token,
      };
    }),

    on(CreateLaunchConfigurationCommand, SIMULATED, (input) => {
      assertNoEmptyString(input);
      assertCreatable(state, input);
      addLaunchConfiguration(
        state,
        {
          ...input,
          LaunchConfigurationName: input.LaunchConfigurationName ?? '',
          ImageId: input.ImageId ?? '',
          InstanceType: input.InstanceType ?? '',
        },
        'call',
      );
      return {};
    }),

    on(DeleteLaunchConfigurationCommand, 'all', (input) => {
      const name = input.LaunchConfigurationName ?? '';
      const found = state.launchConfigurations.get(name);
      if (!found)
        throw validationError(`Launch configuration name not found - Launch configuration ${name} not found`);
      const user = [...state.groups.values()].find(
        ({ launchSpec: spec }) => spec.kind === 'launch-configuration' && spec.name === name,
      );
      if (user)
        throw new AwsError(
          'ResourceInUse',
          `Cannot delete launch configuration ${name} because it is attached to AutoScalingGroup ${user.name}`,
        );
      removeLaunchConfiguration(state, found);
      return {};
    }),
  ];
}

/** Not after an instance, nor for EC2-Classic, which is no more. */
const SIMULATED = {
  LaunchConfigurationName: 'all',
  ImageId: 'all',
  KeyName: 'all',
  SecurityGroups: 'all',
  UserData: 'all',
  InstanceType: 'all',
  KernelId: 'all',
  RamdiskId: 'all',
  BlockDeviceMappings: 'all',
  InstanceMonitoring: 'all',
  SpotPrice: 'all',
  IamInstanceProfile: 'all',
  EbsOptimized: 'all',
  AssociatePublicIpAddress: 'all',
  PlacementTenancy: 'all',
  MetadataOptions: 'all',
} as const;

/** Each of these has a length of at least 1, or is left out. */
function assertNoEmptyString(input: CreateLaunchConfigurationType) {
  for (const [name, value] of Object.entries(input))
    if (value === '')
      throw validationError(
        `1 validation error detected: Value '' at '${name[0]?.toLowerCase()}${name.slice(1)}' failed to satisfy constraint: Member must have length greater than or equal to 1`,
      );
}

function assertCreatable(state: State, input: CreateLaunchConfigurationType) {
  const { LaunchConfigurationName: name = '', ImageId: imageId = '', IamInstanceProfile: profile } = input;
  if (!state.allowsLaunchConfigurations)
    throw new AwsError(
      'UnsupportedOperation',
      'The Launch Configuration creation operation is not available in your account. Use launch templates to create configuration templates for your Auto Scaling groups.',
    );
  if (state.launchConfigurations.has(name))
    throw new AwsError(
      'AlreadyExists',
      `Launch Configuration by this name already exists - A launch configuration already exists with the name ${name}`,
    );
  if (state.launchConfigurations.size >= state.launchConfigurationQuota)
    throw new AwsError(
      'LimitExceeded',
      `Launch configuration limit exceeded - at most ${state.launchConfigurationQuota}`,
    );
  if (!availableImage(state, imageId)) throw validationError(`AMI cannot be described: ${imageId}`);
  if (profile !== undefined && !findInstanceProfile(state, profile))
    throw validationError(`Invalid IamInstanceProfile: ${profile}`);
  if (!input.InstanceType) throw validationError('Valid requests must contain the InstanceType.');
}
