import {
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
  DescribeLaunchConfigurationsCommand,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { availableImage } from '../ec2/images.ts';
import { findInstanceProfile } from '../iam/instance-profiles.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { validationError } from './groups.ts';
import { addLaunchConfiguration, removeLaunchConfiguration } from './launch-configurations.ts';
import type { LaunchConfiguration } from './model.ts';

const MAX_NAMES = 50;
const MOST_CHARACTERS = 255;

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
      // ledger: describe-launch-configurations-names
      assertAtMost(MAX_NAMES, names ?? [], 'ValidationError', 'Launch configuration names');
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
        // ledger: delete-launch-configuration-unknown
        throw validationError(`Launch configuration name not found - Launch configuration ${name} not found`);
      const user = [...state.groups.values()].find(
        ({ launchSpec: spec }) => spec.kind === 'launch-configuration' && spec.name === name,
      );
      if (user)
        // ledger: delete-launch-configuration-attached
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
      // ledger: create-launch-configuration-empty
      throw validationError(
        `1 validation error detected: Value '' at '${name[0]?.toLowerCase()}${name.slice(1)}' failed to satisfy constraint: Member must have length greater than or equal to 1`,
      );
}

function assertCreatable(state: State, input: CreateLaunchConfigurationType) {
  const { LaunchConfigurationName: name = '', ImageId: imageId = '', IamInstanceProfile: profile } = input;
  // ledger: create-launch-configuration-name-length
  if (name.length > MOST_CHARACTERS)
    throw validationError(`The name has ${name.length} characters, at most ${MOST_CHARACTERS}.`);
  if (!state.allowsLaunchConfigurations)
    // ledger: create-launch-configuration-new-account
    throw new AwsError(
      'UnsupportedOperation',
      'The Launch Configuration creation operation is not available in your account. Use launch templates to create configuration templates for your Auto Scaling groups.',
    );
  if (state.launchConfigurations.has(name))
    // ledger: create-launch-configuration-taken
    throw new AwsError(
      'AlreadyExists',
      `Launch Configuration by this name already exists - A launch configuration already exists with the name ${name}`,
    );
  if (state.launchConfigurations.size >= state.launchConfigurationQuota)
    // ledger: create-launch-configuration-limit
    throw new AwsError(
      'LimitExceeded',
      `Launch configuration limit exceeded - at most ${state.launchConfigurationQuota}`,
    );
  // ledger: create-launch-configuration-image
  if (!availableImage(state, imageId)) throw validationError(`AMI cannot be described: ${imageId}`);
  if (profile !== undefined && !findInstanceProfile(state, profile))
    // ledger: create-launch-configuration-profile
    throw validationError(`Invalid IamInstanceProfile: ${profile}`);
  const unmade = input.BlockDeviceMappings?.find(({ Ebs: ebs }) => ebs && !ebs.SnapshotId && !ebs.VolumeSize);
  // ledger: create-launch-configuration-volume-source
  if (unmade)
    throw validationError(`${unmade.DeviceName}: you must specify either a VolumeSize or a SnapshotId.`);
  // ledger: create-launch-configuration-type
  if (!input.InstanceType) throw validationError('Valid requests must contain the InstanceType.');
}
