import {
  AutoScalingClient,
  CreateLaunchConfigurationCommand,
  DeleteLaunchConfigurationCommand,
  DescribeLaunchConfigurationsCommand,
  type LaunchConfiguration,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import {
  copyLaunchConfiguration,
  deleteLaunchConfiguration,
} from '../../lambda/aws/launch-configuration-changes.ts';
import { LaunchConfigurationsUnavailable, LaunchSpecRefused } from '../../lambda/aws/refused.ts';
import { UUID } from './described-group.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });

describe('a copy of a launch configuration', () => {
  const image = {
    imageId: 'ami-2',
    name: 'new',
    createdAt: new Date(0),
    rootDeviceName: '/dev/xvda',
    devices: [],
    ownerId: '591542846629',
    architecture: 'x86_64',
    state: 'available',
  };
  const volumes = [{ deviceName: '/dev/xvdb', snapshotId: 'snap-data' }];
  const copy = { group: 'web', source: 'old', name: 'new', image, volumes };
  const source = {
    LaunchConfigurationName: 'old',
    LaunchConfigurationARN: `arn:aws:autoscaling:eu-west-1:1:launchConfiguration:${UUID}:launchConfigurationName/old`,
    ImageId: 'ami-1',
    KeyName: '',
    KernelId: 'aki-1',
    RamdiskId: '',
    UserData: '',
    SecurityGroups: ['sg-1'],
    ClassicLinkVPCId: 'vpc-1',
    ClassicLinkVPCSecurityGroups: ['sg-2'],
    InstanceType: 'm5.large',
    BlockDeviceMappings: [
      {
        DeviceName: '/dev/xvda',
        Ebs: { SnapshotId: 'snap-root', VolumeSize: 50, VolumeType: 'gp3', Encrypted: true },
      },
      { DeviceName: '/dev/xvdb', Ebs: { SnapshotId: 'snap-data', VolumeSize: 10 } },
      { DeviceName: '/dev/sdc', VirtualName: 'ephemeral0' },
      { DeviceName: '/dev/sdd', NoDevice: true },
    ],
    InstanceMonitoring: { Enabled: false },
    SpotPrice: '0.05',
    IamInstanceProfile: 'profile',
    EbsOptimized: true,
    AssociatePublicIpAddress: false,
    PlacementTenancy: 'dedicated',
    MetadataOptions: { HttpTokens: 'required' as const },
    CreatedTime: new Date(0),
  };

  test('carries every field over, except empty ones and those of the old image', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
    api.on(CreateLaunchConfigurationCommand).resolves({});
    await copyLaunchConfiguration(aws, copy);
    expect(api.commandCalls(CreateLaunchConfigurationCommand)[0]?.args[0].input).toEqual({
      LaunchConfigurationName: 'new',
      ImageId: 'ami-2',
      SecurityGroups: ['sg-1'],
      ClassicLinkVPCId: 'vpc-1',
      ClassicLinkVPCSecurityGroups: ['sg-2'],
      InstanceType: 'm5.large',
      BlockDeviceMappings: [
        { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, VolumeType: 'gp3', Encrypted: true } },
        { DeviceName: '/dev/xvdb', Ebs: { SnapshotId: 'snap-data', VolumeSize: 10 } },
        { DeviceName: '/dev/sdc', VirtualName: 'ephemeral0' },
        { DeviceName: '/dev/sdd', NoDevice: true },
      ],
      InstanceMonitoring: { Enabled: false },
      SpotPrice: '0.05',
      IamInstanceProfile: 'profile',
      EbsOptimized: true,
      AssociatePublicIpAddress: false,
      PlacementTenancy: 'dedicated',
      MetadataOptions: { HttpTokens: 'required' },
    });
  });

  describe('whose name is taken', () => {
    const isCopy = {
      ...source,
      LaunchConfigurationName: 'new',
      ImageId: 'ami-2',
      KernelId: '',
      BlockDeviceMappings: source.BlockDeviceMappings.map(({ Ebs, ...mapping }) => ({
        ...mapping,
        ...(Ebs && {
          Ebs: { ...Ebs, SnapshotId: mapping.DeviceName === '/dev/xvdb' ? 'snap-data' : undefined },
        }),
      })),
    };

    /** @returns how often it was created, and what was deleted */
    async function copied(found: object | undefined, { taken = 1 } = {}) {
      const refused = await refusal('autoscaling', 'AlreadyExists');
      api
        .on(DescribeLaunchConfigurationsCommand, { LaunchConfigurationNames: ['old'] })
        .resolves({ LaunchConfigurations: [source] })
        .on(DescribeLaunchConfigurationsCommand, { LaunchConfigurationNames: ['new'] })
        .resolves({ LaunchConfigurations: found ? [found as LaunchConfiguration] : [] });
      api.on(DeleteLaunchConfigurationCommand).resolves({});
      let times = 0;
      api.on(CreateLaunchConfigurationCommand).callsFake(() => {
        if (times++ < taken) throw refused;
        return {};
      });
      await copyLaunchConfiguration(aws, copy);
      return {
        created: api.commandCalls(CreateLaunchConfigurationCommand).length,
        deleted: api.commandCalls(DeleteLaunchConfigurationCommand).map(({ args }) => args[0].input),
      };
    }

    test('by the very copy is used, whatever the order of its lists', async () => {
      expect(await copied(isCopy)).toEqual({ created: 1, deleted: [] });
      const reordered = { ...isCopy, BlockDeviceMappings: isCopy.BlockDeviceMappings.toReversed() };
      expect(await copied(reordered)).toEqual({ created: 2, deleted: [] });
    });

    test.each([
      { UserData: 'ZXZpbA==' },
      { IamInstanceProfile: 'admin' },
      { SecurityGroups: [] },
      { MetadataOptions: undefined },
      { BlockDeviceMappings: [] },
      { ImageId: 'ami-3' },
    ])('by another with %o is made anew', async (other) => {
      expect(await copied({ ...isCopy, ...other })).toEqual({
        created: 2,
        deleted: [{ LaunchConfigurationName: 'new' }],
      });
    });

    test('by another that a group uses is refused', async () => {
      const copying = copied({ ...isCopy, UserData: 'ZXZpbA==' }, { taken: 2 });
      await expect(copying).rejects.toThrow(LaunchSpecRefused);
    });

    test('by what is not shown yet makes the observation stale', async () => {
      await expect(copied(undefined)).rejects.toThrow(StaleObservation);
    });
  });

  test.each(['ValidationError', 'LimitExceeded'])(
    'that AWS refuses with %s is reported that way',
    async (code) => {
      api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
      api.on(CreateLaunchConfigurationCommand).rejects(await refusal('autoscaling', code));
      await expect(copyLaunchConfiguration(aws, copy)).rejects.toThrow(LaunchSpecRefused);
    },
  );

  test('of a missing source makes the observation stale', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [] });
    await expect(copyLaunchConfiguration(aws, copy)).rejects.toThrow(StaleObservation);
  });

  test('in an account that can make none says what to use instead', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
    const message =
      'The Launch Configuration creation operation is not available in your account. Use launch templates';
    api
      .on(CreateLaunchConfigurationCommand)
      .rejects(await refusal('autoscaling', 'UnsupportedOperation', message));
    await expect(copyLaunchConfiguration(aws, copy)).rejects.toThrow(LaunchConfigurationsUnavailable);
  });

  test.each([
    ['ResourceInUse', 'is attached to a group'],
    ['ValidationError', 'Launch configuration name not found - new'],
  ])('that a group uses, or that is gone, is no fault to delete (%s)', async (code, message) => {
    api.on(DeleteLaunchConfigurationCommand).rejects(await refusal('autoscaling', code, message));
    await expect(deleteLaunchConfiguration(aws, 'new')).resolves.toBeUndefined();
  });

  test('that may not be deleted is a fault', async () => {
    api
      .on(DeleteLaunchConfigurationCommand)
      .rejects(await refusal('autoscaling', 'AccessDenied', 'not authorized'));
    await expect(deleteLaunchConfiguration(aws, 'new')).rejects.toThrow('not authorized');
  });
});
