import {
  CreateLaunchTemplateVersionCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSubnetsCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  ListContainerInstancesCommand,
  ListTasksCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import {
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, it } from 'vitest';
import { setUpWire } from './wire-set-up.ts';

const cluster = 'demo';

describe('an instance', () => {
  it('is described with its place in the network, and found by it', async () => {
    const { ec2, ids } = setUpWire();
    const find = async (Name: string, ...Values: string[]) => {
      const { Reservations = [] } = await ec2.send(
        new DescribeInstancesCommand({ Filters: [{ Name, Values }] }),
      );
      return Reservations.flatMap(({ Instances = [] }) => Instances);
    };
    const [first] = await find('private-dns-name', 'ip-10-0-0-4.eu-central-1.compute.internal');
    expect(first).toMatchObject({ InstanceId: ids[0], PrivateIpAddress: '10.0.0.4' });
    const { Subnets: [subnet] = [] } = await ec2.send(
      new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: [first?.VpcId ?? ''] }] }),
    );
    expect(subnet).toMatchObject({
      SubnetId: first?.SubnetId,
      CidrBlock: '10.0.0.0/24',
      VpcId: first?.VpcId,
    });
    expect(await find('vpc-id', first?.VpcId ?? '')).toHaveLength(2);
    expect(await find('subnet-id', 'subnet-none')).toEqual([]);
  });

  it('is described with its profile and security groups', async () => {
    const { ec2, ids } = setUpWire();
    const { Reservations: [{ Instances: [found] = [] } = {}] = [] } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: ids }),
    );
    expect(found).toMatchObject({
      IamInstanceProfile: { Arn: 'arn:aws:iam::123456789012:instance-profile/ecsInstanceRole' },
      SecurityGroups: [{ GroupId: 'sg-00000000000000001', GroupName: 'ecs-1' }],
    });
  });

  it('is gone once it is terminated, and its address is free again', async () => {
    const { ec2, clock, world, image, ids } = setUpWire();
    const describe = async (id: string) => {
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
      return Reservations[0]?.Instances?.[0];
    };
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [ids[0] ?? ''] }));
    clock.advance(300);
    const { VpcId, SubnetId, PrivateIpAddress, State } = (await describe(ids[0] ?? '')) ?? {};
    expect({ VpcId, SubnetId, PrivateIpAddress, name: State?.Name }).toEqual({ name: 'terminated' });
    expect(world.addInstance({ image }).privateIpAddress).toMatch(/^10\.0\.0\.[45]$/);
  });
});

describe('a container instance', () => {
  it('reports its agent, and the memory its tasks leave', async () => {
    const { world, ecs } = setUpWire();
    world.addService(cluster, { name: 'web', desiredCount: 2, definition: { memory: 1024 } });
    const { containerInstanceArns: containerInstances = [] } = await ecs.send(
      new ListContainerInstancesCommand({ cluster, filter: 'agentVersion >= 1.100' }),
    );
    const { containerInstances: [found] = [] } = await ecs.send(
      new DescribeContainerInstancesCommand({ cluster, containerInstances }),
    );
    const memoryOf = (resources = found?.registeredResources) =>
      resources?.find(({ name }) => name === 'MEMORY')?.integerValue;
    expect(found?.versionInfo?.agentVersion).toBe('1.101.0');
    expect(memoryOf()).toBe(8192);
    expect(memoryOf(found?.remainingResources)).toBe(8192 - 1024);
  });
});

describe('the target group of a service', () => {
  it("exists, with the service's tasks as targets", async () => {
    const { world, clock, ecs, loadBalancing, ids } = setUpWire();
    world.addService(cluster, { name: 'web', desiredCount: 2, isLoadBalanced: true });
    const { services: [service] = [] } = await ecs.send(
      new DescribeServicesCommand({ cluster, services: ['web'] }),
    );
    const TargetGroupArn = service?.loadBalancers?.[0]?.targetGroupArn ?? '';
    const { TargetGroups } = await loadBalancing.send(
      new DescribeTargetGroupsCommand({ TargetGroupArns: [TargetGroupArn] }),
    );
    expect(TargetGroups).toMatchObject([{ TargetGroupArn, TargetGroupName: 'web', TargetType: 'instance' }]);
    const health = async () => {
      const { TargetHealthDescriptions = [] } = await loadBalancing.send(
        new DescribeTargetHealthCommand({ TargetGroupArn }),
      );
      return TargetHealthDescriptions.map(({ Target, TargetHealth }) => [Target?.Id, TargetHealth?.State]);
    };
    expect(await health()).toEqual(ids.map((id) => [id, 'healthy']));
    const { taskArns: [task] = [] } = await ecs.send(new ListTasksCommand({ cluster }));
    await ecs.send(new StopTaskCommand({ cluster, task }));
    clock.advance(5);
    expect((await health()).map(([, state]) => state)).toContain('draining');
    clock.advance(900);
    expect((await health()).map(([, state]) => state)).toEqual(['healthy', 'healthy']);
  });
});

it('a launch template version is stored and described whole', async () => {
  const { ec2, image } = setUpWire();
  const LaunchTemplateData = {
    ImageId: image.id,
    InstanceType: 'm5.large',
    KeyName: 'key',
    EbsOptimized: true,
    InstanceInitiatedShutdownBehavior: 'terminate',
    TagSpecifications: [{ ResourceType: 'volume', Tags: [{ Key: 'team', Value: 'a' }] }],
    NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-1'], Ipv6Addresses: [{ Ipv6Address: '::1' }] }],
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, Iops: 4000, Encrypted: true } }],
    Monitoring: { Enabled: true },
    CpuOptions: { CoreCount: 1, ThreadsPerCore: 2 },
    EnclaveOptions: { Enabled: true },
    HibernationOptions: { Configured: false },
    PrivateDnsNameOptions: { HostnameType: 'resource-name', EnableResourceNameDnsARecord: true },
    MaintenanceOptions: { AutoRecovery: 'disabled' },
    CreditSpecification: { CpuCredits: 'unlimited' },
    Placement: { Tenancy: 'dedicated', PartitionNumber: 2 },
  } as const;
  const named = { LaunchTemplateName: 'g-launch-template' };
  const { LaunchTemplateVersion: made } = await ec2.send(
    new CreateLaunchTemplateVersionCommand({
      ...named,
      LaunchTemplateData: structuredClone(LaunchTemplateData) as object,
    }),
  );
  const { LaunchTemplateVersions: [found] = [] } = await ec2.send(
    new DescribeLaunchTemplateVersionsCommand({ ...named, Versions: [String(made?.VersionNumber)] }),
  );
  expect(found?.LaunchTemplateData).toEqual(LaunchTemplateData);
});
