import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DeleteAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateSnapshotCommand,
  CreateVolumeCommand,
  DeleteLaunchTemplateCommand,
  DeleteSnapshotCommand,
  DeleteVolumeCommand,
  DescribeLaunchTemplatesCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import {
  CreateCapacityProviderCommand,
  CreateClusterCommand,
  CreateServiceCommand,
  DeleteCapacityProviderCommand,
  DeleteClusterCommand,
  DeleteServiceCommand,
  DescribeClustersCommand,
  DescribeServicesCommand,
  ECSClient,
  PutClusterCapacityProvidersCommand,
  RegisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { beforeEach, describe, expect, test } from 'vitest';
import { simulateAccount } from '../account/account.ts';
import { virtualClock } from '../clock/clock.ts';
import { createWorld } from './world.ts';

function setUp() {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const { clientOptions: options } = simulateAccount({ clock, operations: world.operations });
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  world.addInstanceProfile('instances');
  const clients = {
    ec2: new EC2Client(options),
    ecs: new ECSClient(options),
    autoScaling: new AutoScalingClient(options),
  };
  return { clock, world, image, ...clients };
}

let at: ReturnType<typeof setUp>;
beforeEach(() => {
  at = setUp();
});

const tags = [{ Key: 'owner', Value: 'me' }];

async function makeSnapshot(): Promise<string> {
  const volume = await at.ec2.send(new CreateVolumeCommand({ AvailabilityZone: 'eu-central-1a', Size: 1 }));
  const TagSpecifications = [{ ResourceType: 'snapshot' as const, Tags: tags }];
  const made = await at.ec2.send(new CreateSnapshotCommand({ VolumeId: volume.VolumeId, TagSpecifications }));
  return made.SnapshotId ?? '';
}

async function makeTemplate(snapshotId: string) {
  const UserData = Buffer.from('#!/bin/bash\necho ECS_CLUSTER=c >> /etc/ecs/ecs.config').toString('base64');
  const made = await at.ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 't',
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: tags }],
      LaunchTemplateData: {
        ImageId: at.image.id,
        InstanceType: 't3.small',
        IamInstanceProfile: { Name: 'instances' },
        UserData,
        BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { SnapshotId: snapshotId, VolumeSize: 1 } }],
      },
    }),
  );
  return made.LaunchTemplate?.LaunchTemplateId;
}

async function makeGroup() {
  const LaunchTemplateId = await makeTemplate(await makeSnapshot());
  await at.autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'g',
      LaunchTemplate: { LaunchTemplateId, Version: '1' },
      MinSize: 0,
      MaxSize: 4,
      VPCZoneIdentifier: 'subnet-0000000000000000a,subnet-0000000000000000b',
      Tags: [{ Key: 'owner', Value: 'me', PropagateAtLaunch: true }],
    }),
  );
}

async function makeService() {
  const { AutoScalingGroups: [group] = [] } = await at.autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: ['g'] }),
  );
  await at.ecs.send(
    new CreateCapacityProviderCommand({
      name: 'p',
      autoScalingGroupProvider: {
        autoScalingGroupArn: group?.AutoScalingGroupARN,
        managedScaling: { status: 'ENABLED' },
      },
    }),
  );
  const strategy = { capacityProviders: ['p'], defaultCapacityProviderStrategy: [] };
  await at.ecs.send(new PutClusterCapacityProvidersCommand({ cluster: 'c', ...strategy }));
  await at.autoScaling.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: 'g', DesiredCapacity: 2 }));
  at.clock.advance(300);
  const containerDefinitions = [{ name: 'main', image: 'busybox', cpu: 128, memory: 64 }];
  await at.ecs.send(new RegisterTaskDefinitionCommand({ family: 's', containerDefinitions }));
  await at.ecs.send(
    new CreateServiceCommand({
      cluster: 'c',
      serviceName: 's',
      taskDefinition: 's:1',
      desiredCount: 2,
      capacityProviderStrategy: [{ capacityProvider: 'p', weight: 1 }],
    }),
  );
  at.clock.advance(300);
}

describe('snapshots and volumes', () => {
  test('become ready in time, with their tags, and can be deleted', async () => {
    const id = await makeSnapshot();
    const byTag = new DescribeSnapshotsCommand({ Filters: [{ Name: 'tag:owner', Values: ['me'] }] });
    expect((await at.ec2.send(byTag)).Snapshots).toMatchObject([{ SnapshotId: id, State: 'pending' }]);
    at.clock.advance(60);
    expect((await at.ec2.send(byTag)).Snapshots).toMatchObject([{ State: 'completed', VolumeSize: 1 }]);
    await at.ec2.send(new DeleteSnapshotCommand({ SnapshotId: id }));
    expect((await at.ec2.send(byTag)).Snapshots ?? []).toEqual([]);
    const { Volumes: [volume] = [] } = await at.ec2.send(new DescribeVolumesCommand({}));
    await at.ec2.send(new DeleteVolumeCommand({ VolumeId: volume?.VolumeId }));
    const gone = at.ec2.send(new DeleteVolumeCommand({ VolumeId: volume?.VolumeId }));
    await expect(gone).rejects.toMatchObject({ name: 'InvalidVolume.NotFound' });
  });
});

describe('a launch template', () => {
  test('has its own name, and is gone once deleted', async () => {
    const id = await makeTemplate(await makeSnapshot());
    await expect(makeTemplate('snap-1')).rejects.toMatchObject({
      name: 'InvalidLaunchTemplateName.AlreadyExistsException',
    });
    const byTag = new DescribeLaunchTemplatesCommand({ Filters: [{ Name: 'tag:owner', Values: ['me'] }] });
    expect((await at.ec2.send(byTag)).LaunchTemplates).toMatchObject([{ LaunchTemplateId: id, Tags: tags }]);
    await at.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: id }));
    expect((await at.ec2.send(byTag)).LaunchTemplates ?? []).toEqual([]);
  });
});

describe('a cluster, group and service made by calls', () => {
  test('launch, register and run, with a volume of the snapshot on each instance', async () => {
    await at.ecs.send(new CreateClusterCommand({ clusterName: 'c', tags: [{ key: 'owner', value: 'me' }] }));
    await makeGroup();
    await makeService();
    const { services } = await at.ecs.send(new DescribeServicesCommand({ cluster: 'c', services: ['s'] }));
    expect(services).toMatchObject([{ runningCount: 2, deployments: [{ rolloutState: 'COMPLETED' }] }]);
    const onSdf = { Filters: [{ Name: 'attachment.device', Values: ['/dev/sdf'] }] };
    const { Volumes = [] } = await at.ec2.send(new DescribeVolumesCommand(onSdf));
    expect(Volumes.map(({ SnapshotId }) => SnapshotId)).toEqual(Array(2).fill('snap-00000000000000002'));
    const { clusters } = await at.ecs.send(
      new DescribeClustersCommand({ clusters: ['c'], include: ['TAGS'] }),
    );
    expect(clusters).toMatchObject([{ tags: [{ key: 'owner', value: 'me' }], capacityProviders: ['p'] }]);
  });

  test('are deleted one after the other, and only once nothing needs them', async () => {
    await at.ecs.send(new CreateClusterCommand({ clusterName: 'c' }));
    await makeGroup();
    await makeService();
    const deletion = new DeleteClusterCommand({ cluster: 'c' });
    await expect(at.ecs.send(deletion)).rejects.toMatchObject({ name: 'ClusterContainsServicesException' });
    await at.ecs.send(new DeleteServiceCommand({ cluster: 'c', service: 's', force: true }));
    at.clock.advance(120);
    await expect(at.ecs.send(deletion)).rejects.toMatchObject({
      name: 'ClusterContainsContainerInstancesException',
    });
    const without = { cluster: 'c', capacityProviders: [], defaultCapacityProviderStrategy: [] };
    await at.ecs.send(new PutClusterCapacityProvidersCommand(without));
    await at.ecs.send(new DeleteCapacityProviderCommand({ capacityProvider: 'p' }));
    const group = { AutoScalingGroupName: 'g' };
    await expect(at.autoScaling.send(new DeleteAutoScalingGroupCommand(group))).rejects.toMatchObject({
      name: 'ResourceInUseFault',
    });
    await at.autoScaling.send(new DeleteAutoScalingGroupCommand({ ...group, ForceDelete: true }));
    at.clock.advance(120);
    await at.ecs.send(deletion);
    const { clusters } = await at.ecs.send(new DescribeClustersCommand({ clusters: ['c'] }));
    expect(clusters).toMatchObject([{ status: 'INACTIVE' }]);
  });

  test.each(['ecs-mine', 'aws', 'Fargate1'])('no capacity provider is called %s', async (name) => {
    await expect(at.ecs.send(new CreateCapacityProviderCommand({ name }))).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });
});
