import {
  AutoScalingClient,
  CreateLaunchConfigurationCommand,
  CreateOrUpdateTagsCommand,
  DeleteLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLaunchConfigurationsCommand,
  DetachInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  describeBegunGroups,
  describeGroups,
  detachInstances,
  tagGroup,
} from '../../lambda/aws/autoscaling.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { LaunchConfigurationsUnavailable, StaleObservation } from '../../lambda/aws/errors.ts';
import {
  copyLaunchConfiguration,
  deleteLaunchConfiguration,
  describeLaunchConfigurations,
} from '../../lambda/aws/launch-configurations.ts';
import { refusal } from './refusal.ts';

const api = mockClient(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const UUID = '11111111-2222-4333-8444-555555555555';
const GROUP_ARN = `arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:${UUID}:autoScalingGroupName/web`;

describe('groups', () => {
  test('are asked for a hundred at a time, and every page is read', async () => {
    api
      .on(DescribeAutoScalingGroupsCommand)
      .resolvesOnce({ AutoScalingGroups: [], NextToken: 'more' })
      .resolves({ AutoScalingGroups: [] });
    await describeGroups(
      aws,
      Array.from({ length: 101 }, (_, index) => `group-${index}`),
    );
    const sizes = api.commandCalls(DescribeAutoScalingGroupsCommand).map(({ args: [command] }) => {
      const { AutoScalingGroupNames = [], MaxRecords } = command.input;
      return [AutoScalingGroupNames.length, MaxRecords];
    });
    expect(sizes).toEqual([
      [100, 100],
      [100, 100],
      [1, 100],
    ]);
  });

  test('no names are no call: AWS would answer every group', async () => {
    await describeGroups(aws, []);
    expect(api.calls()).toHaveLength(0);
  });

  test('say what they launch from, all templates that they name, and what stands in the way', async () => {
    api.on(DescribeAutoScalingGroupsCommand).resolves({
      AutoScalingGroups: [
        {
          AutoScalingGroupName: 'web',
          AutoScalingGroupARN: GROUP_ARN,
          DesiredCapacity: 2,
          MinSize: 0,
          MaxSize: 4,
          DefaultCooldown: 300,
          AvailabilityZones: [],
          HealthCheckType: 'EC2',
          CreatedTime: new Date(0),
          LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '$Latest' },
          MixedInstancesPolicy: {
            LaunchTemplate: {
              LaunchTemplateSpecification: { LaunchTemplateId: 'lt-2', Version: '3' },
              Overrides: [{ LaunchTemplateSpecification: { LaunchTemplateId: 'lt-3', Version: '4' } }, {}],
            },
          },
          TargetGroupARNs: ['arn:tg'],
          TrafficSources: [{ Identifier: 'arn:tg', Type: 'elbv2' }],
          SuspendedProcesses: [{ ProcessName: 'Launch' }],
          Tags: [{ Key: 'team', Value: 'a' }],
          Instances: [
            {
              InstanceId: 'i-1',
              LifecycleState: 'InService',
              HealthStatus: 'HEALTHY',
              AvailabilityZone: 'a',
              ProtectedFromScaleIn: false,
            },
          ],
        },
      ],
    });
    expect(await describeGroups(aws, ['web'])).toEqual([
      {
        name: 'web',
        uuid: UUID,
        desiredCapacity: 2,
        members: [{ instanceId: 'i-1', lifecycleState: 'InService', healthy: true }],
        tags: { team: 'a' },
        launchConfiguration: undefined,
        launchTemplate: { templateId: 'lt-1', version: '$Latest' },
        mixedInstances: true,
        templateReferences: [
          { templateId: 'lt-1', version: '$Latest' },
          { templateId: 'lt-2', version: '3' },
          { templateId: 'lt-3', version: '4' },
        ],
        suspendedProcesses: ['Launch'],
        trafficSources: ['arn:tg'],
        warmPool: false,
        deleting: false,
      },
    ]);
  });

  test('with a roll under way are found by our tag', async () => {
    api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [] });
    await describeBegunGroups(aws, ['web', 'jobs']);
    expect(api.commandCalls(DescribeAutoScalingGroupsCommand)[0]?.args[0].input).toMatchObject({
      Filters: [{ Name: 'tag:ecs-ami-deploy-cluster', Values: ['web', 'jobs'] }],
    });
  });

  test('get tags that their instances do not inherit', async () => {
    api.on(CreateOrUpdateTagsCommand).resolves({});
    await tagGroup(aws, 'web', { a: 'b' });
    expect(api.commandCalls(CreateOrUpdateTagsCommand)[0]?.args[0].input).toEqual({
      Tags: [
        {
          ResourceId: 'web',
          ResourceType: 'auto-scaling-group',
          Key: 'a',
          Value: 'b',
          PropagateAtLaunch: false,
        },
      ],
    });
  });

  test('launch as many as are detached; a member that has left its state makes the observation stale', async () => {
    api.on(DetachInstancesCommand).resolvesOnce({}).rejects(refusal('ValidationError', 'not in InService'));
    await detachInstances(aws, 'web', ['i-1']);
    expect(api.commandCalls(DetachInstancesCommand)[0]?.args[0].input).toEqual({
      AutoScalingGroupName: 'web',
      InstanceIds: ['i-1'],
      ShouldDecrementDesiredCapacity: false,
    });
    await expect(detachInstances(aws, 'web', ['i-1'])).rejects.toThrow(StaleObservation);
  });

  test('a refusal that looking again cannot mend is passed on', async () => {
    api.on(DetachInstancesCommand).rejects(refusal('AccessDenied', 'not authorized'));
    await expect(detachInstances(aws, 'web', ['i-1'])).rejects.toThrow('not authorized');
  });
});

describe('a copy of a launch configuration', () => {
  const image = { imageId: 'ami-2', name: 'new', createdAt: new Date(0), rootDeviceName: '/dev/xvda' };
  const copy = { group: 'web', source: 'old', name: 'new', image };
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

  test('carries every field over, drops what is empty and what belongs to the old image', async () => {
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

  test.each(['AlreadyExists', 'AlreadyExistsFault'])(
    'that is there already is the one (%s)',
    async (code) => {
      api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
      api.on(CreateLaunchConfigurationCommand).rejects(refusal(code));
      await expect(copyLaunchConfiguration(aws, copy)).resolves.toBeUndefined();
    },
  );

  test('of a source that is gone makes the observation stale', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [] });
    await expect(copyLaunchConfiguration(aws, copy)).rejects.toThrow(StaleObservation);
  });

  test('in an account that can make none says what to use instead', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
    const message =
      'The Launch Configuration creation operation is not available in your account. Use launch templates';
    api.on(CreateLaunchConfigurationCommand).rejects(refusal('UnsupportedOperation', message));
    await expect(copyLaunchConfiguration(aws, copy)).rejects.toThrow(LaunchConfigurationsUnavailable);
  });

  test('is told by the UUID in its ARN', async () => {
    api.on(DescribeLaunchConfigurationsCommand).resolves({ LaunchConfigurations: [source] });
    const found = { name: 'old', uuid: UUID, imageId: 'ami-1', createdAt: new Date(0) };
    expect(await describeLaunchConfigurations(aws, ['old'])).toEqual([found]);
  });

  test.each([
    ['ResourceInUse', 'is attached to a group'],
    ['ResourceInUseFault', 'is attached to a group'],
    ['ValidationError', 'Launch configuration name not found - new'],
  ])('that a group uses, or that is gone, is no fault to delete (%s)', async (code, message) => {
    api.on(DeleteLaunchConfigurationCommand).rejects(refusal(code, message));
    await expect(deleteLaunchConfiguration(aws, 'new')).resolves.toBeUndefined();
  });

  test('that may not be deleted is a fault', async () => {
    api.on(DeleteLaunchConfigurationCommand).rejects(refusal('AccessDenied', 'not authorized'));
    await expect(deleteLaunchConfiguration(aws, 'new')).rejects.toThrow('not authorized');
  });
});
