import {
  AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeWarmPoolCommand,
  type ImpairedZoneHealthCheckBehavior,
  type Instance,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import {
  describeGroups,
  describeRollingGroups,
  describeWarmPool,
  namedTemplates,
} from '../../lambda/aws/autoscaling.ts';
import type { Tags } from '../../lambda/contract.ts';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { sealedTags } from '../sealed.ts';
import { describedGroup, UUID } from './described-group.ts';
import { mocked } from './mocked.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(AutoScalingClient);
const aws = sealedAws();

/** What the functions make of a group that AWS describes so. */
async function seen(parts: Partial<AutoScalingGroup>) {
  api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups: [describedGroup(parts)] });
  const [group] = await describeGroups(aws, ['web']);
  if (group === undefined) throw new Error('no group was seen');
  return group;
}

const instance = (InstanceId: string, parts: Partial<Instance> = {}): Instance => ({
  InstanceId,
  InstanceType: 'm5.large',
  LifecycleState: 'InService',
  HealthStatus: 'Healthy',
  AvailabilityZone: 'a',
  ProtectedFromScaleIn: false,
  ...parts,
});

describe('groups', () => {
  test('may leave unhealthy members in a zone that a zonal shift moves away from', async () => {
    const kept = async (
      ZonalShiftEnabled: boolean,
      ImpairedZoneHealthCheckBehavior: ImpairedZoneHealthCheckBehavior,
    ) => {
      const AvailabilityZoneImpairmentPolicy = { ZonalShiftEnabled, ImpairedZoneHealthCheckBehavior };
      return (await seen({ AvailabilityZoneImpairmentPolicy })).keepsUnhealthy;
    };
    expect(await kept(true, 'IgnoreUnhealthy')).toBe(true);
    expect(await kept(false, 'IgnoreUnhealthy')).toBeUndefined();
    expect(await kept(true, 'ReplaceUnhealthy')).toBeUndefined();
    expect((await seen({})).keepsUnhealthy).toBeUndefined();
  });

  test('are requested a hundred at a time, and every page is read', async () => {
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

  test('without names need no call: AWS would answer with every group', async () => {
    await describeGroups(aws, []);
    expect(api.calls()).toHaveLength(0);
  });

  test('in mid-roll are found by what we have sealed there, whatever else says so', async () => {
    const arn = `${describedGroup().AutoScalingGroupARN}`;
    const rolled = (cluster: string) =>
      sealedTags({ arn }, cluster, { [GROUP_TAGS.startedAt]: 'then', [GROUP_TAGS.cluster]: cluster });
    const groupWith = (AutoScalingGroupName: string, tags: Tags) =>
      describedGroup({
        AutoScalingGroupName,
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      });
    const { [GROUP_TAGS.cluster]: _, ...nameless } = rolled('jobs');
    const AutoScalingGroups = [
      groupWith('web', rolled('web')),
      groupWith('elsewhere', rolled('elsewhere')),
      groupWith('forged', { [GROUP_TAGS.startedAt]: 'then', [GROUP_TAGS.cluster]: 'web' }),
      groupWith('renamed', { ...rolled('web'), [GROUP_TAGS.cluster]: 'jobs' }),
      groupWith('nameless', nameless),
    ];
    api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups });
    const found = await describeRollingGroups({ ...aws, clusters: ['web', 'jobs'] }, ['web', 'jobs']);
    expect(found.map(({ name, tags }) => [name, tags[GROUP_TAGS.cluster]])).toEqual([
      ['web', 'web'],
      ['renamed', 'web'],
      ['nameless', 'jobs'],
    ]);
    expect(api.commandCalls(DescribeAutoScalingGroupsCommand)[0]?.args[0].input).toMatchObject({
      Filters: [{ Name: 'tag:ecs-ami-deploy-cluster', Values: ['web', 'jobs'] }],
    });
  });

  test('have sizes, tags, suspended processes, and nothing that AWS does not name', async () => {
    const suspended = { SuspendedProcesses: [{ ProcessName: 'Launch' }] };
    expect(await seen({ MinSize: 1, Tags: [{ Key: 'team', Value: 'a' }], ...suspended })).toEqual({
      name: 'web',
      uuid: UUID,
      createdAt: new Date(0),
      minSize: 1,
      maxSize: 4,
      desiredCapacity: 2,
      members: [],
      tags: { team: 'a' },
      untrusted: [],
      propagatedTags: [],
      suspendedProcesses: ['Launch'],
      trafficSources: [],
      otherTrafficSources: [],
      availabilityZones: [],
      subnetIds: [],
      hasWarmPool: false,
      capacityType: 'units',
      deleting: false,
    });
  });

  test.each([
    ['subnet-1', ['subnet-1']],
    ['subnet-1,subnet-2', ['subnet-1', 'subnet-2']],
    ['subnet-1, subnet-2,', ['subnet-1', 'subnet-2']],
    ['', []],
  ])('launch in the subnets of %j', async (VPCZoneIdentifier, subnetIds) => {
    expect(await seen({ VPCZoneIdentifier })).toMatchObject({ subnetIds });
  });

  test.each([
    [undefined, true],
    [-1, true],
    [0, undefined],
    [8, undefined],
  ])('say if their warm pool, with %s prepared, follows the maximum', async (most, follows) => {
    const WarmPoolConfiguration = { PoolState: 'Stopped' as const, MaxGroupPreparedCapacity: most };
    expect((await seen({ WarmPoolConfiguration })).poolFollowsMaximum).toBe(follows);
    expect((await seen({ WarmPoolConfiguration: {} })).poolFollowsMaximum).toBeUndefined();
  });

  test('say if they are deleted, or have a warm pool', async () => {
    const WarmPoolConfiguration = { PoolState: 'Stopped' as const };
    expect(await seen({ WarmPoolConfiguration })).toMatchObject({ hasWarmPool: true, deleting: false });
    expect(await seen({ Status: 'Delete in progress' })).toMatchObject({ deleting: true });
  });
});

describe('members', () => {
  test.each(['Healthy', 'HEALTHY', 'healthy'])('are healthy when AWS writes %s', async (HealthStatus) => {
    const { members } = await seen({ Instances: [instance('i-1', { HealthStatus })] });
    expect(members).toMatchObject([{ instanceId: 'i-1', instanceType: 'm5.large', healthy: true }]);
  });

  test('say what they were launched from, as long as it exists', async () => {
    const { members } = await seen({
      Instances: [
        instance('i-1', { LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '3' } }),
        instance('i-2', { LaunchConfigurationName: 'old' }),
        instance('i-3', { LifecycleState: 'Terminating:Wait', HealthStatus: 'Unhealthy' }),
        instance('i-4', { LaunchConfigurationName: '' }),
      ],
    });
    expect(members.map(({ launchedFrom }) => launchedFrom)).toEqual([
      { kind: 'launch-template', templateId: 'lt-1', version: 3 },
      { kind: 'launch-configuration', name: 'old' },
      undefined,
      undefined,
    ]);
    expect(members[2]).toMatchObject({ lifecycleState: 'Terminating:Wait', healthy: false });
  });
});

describe('what a group launches from', () => {
  const template = (LaunchTemplateId: string, Version?: string) => ({
    LaunchTemplateId,
    LaunchTemplateName: `${LaunchTemplateId}-name`,
    ...(Version !== undefined && { Version }),
  });
  const named = (templateId: string, version: string) => ({ templateId, version });

  test('is a launch configuration, or a template, at its default version if none is named', async () => {
    expect(await seen({ LaunchConfigurationName: 'old' })).toMatchObject({ launchConfiguration: 'old' });
    const group = await seen({ LaunchTemplate: template('lt-1') });
    expect(group).toMatchObject({ launchTemplate: named('lt-1', '$Default') });
    expect(group).toMatchObject({ launchConfiguration: undefined, mixedInstances: undefined });
  });

  test('may be a mixed instances policy: its template, and what its overrides add', async () => {
    const { mixedInstances } = await seen({
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: template('lt-1', '$Latest'),
          Overrides: [
            { InstanceType: 'm5.large' },
            { InstanceType: 'm7g.large', LaunchTemplateSpecification: template('lt-2', '4') },
            { InstanceRequirements: { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } }, ImageId: 'ami-1' },
            { InstanceType: '', ImageId: '' },
          ],
        },
      },
    });
    expect(mixedInstances).toEqual({
      base: named('lt-1', '$Latest'),
      overrides: [
        { instanceType: 'm5.large' },
        { instanceType: 'm7g.large', template: named('lt-2', '4') },
        { imageId: 'ami-1', byRequirements: true },
        {},
      ],
    });
  });

  test('may be partly On-Demand, unless segments say how its capacity is distributed', async () => {
    const distributed = async (InstancesDistribution: object) =>
      (await seen({ MixedInstancesPolicy: { InstancesDistribution } })).onDemand;
    const figures = { OnDemandBaseCapacity: 2, OnDemandPercentageAboveBaseCapacity: 50 };
    expect(await distributed(figures)).toEqual({ base: 2, percentAbove: 50 });
    expect(await distributed({ OnDemandPercentageAboveBaseCapacity: 0 })).toEqual({
      base: 0,
      percentAbove: 0,
    });
    expect(await distributed({ OnDemandBaseCapacity: 2 })).toBeUndefined();
    const DistributionSegments = [{ TargetCapacityTypes: ['on-demand'] }];
    expect(await distributed({ ...figures, DistributionSegments })).toBeUndefined();
  });

  test('names each template and version only once', async () => {
    const overrides = [template('lt-1', '1'), template('lt-1', '2'), template('lt-2')];
    const group = await seen({
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: template('lt-1', '1'),
          Overrides: [
            {},
            ...overrides.map((LaunchTemplateSpecification) => ({ LaunchTemplateSpecification })),
          ],
        },
      },
    });
    const expected = [named('lt-1', '1'), named('lt-1', '2'), named('lt-2', '$Default')];
    expect(namedTemplates(group)).toEqual(expected);
    expect(namedTemplates(await seen({ LaunchTemplate: template('lt-1', '1') }))).toEqual([expected[0]]);
    expect(namedTemplates(await seen({ LaunchConfigurationName: 'old' }))).toEqual([]);
  });
});

describe('traffic sources', () => {
  const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';
  const LATTICE = 'arn:aws:vpc-lattice:eu-west-1:123456789012:targetgroup/tg-0123456789abcdef0';
  const targetGroup = { kind: 'target-group', arn: ARN };
  const loadBalancer = { kind: 'load-balancer', name: 'classic' };

  test('that AWS lists twice are seen once', async () => {
    const group = await seen({
      TargetGroupARNs: [ARN],
      LoadBalancerNames: ['classic'],
      TrafficSources: [
        { Identifier: ARN, Type: 'elbv2' },
        { Identifier: 'classic', Type: 'elb' },
      ],
    });
    expect(group).toMatchObject({ trafficSources: [targetGroup, loadBalancer], otherTrafficSources: [] });
  });

  test('are seen in whichever list AWS has them', async () => {
    const inTheirOwn = await seen({ TargetGroupARNs: [ARN], LoadBalancerNames: ['classic'] });
    const among = await seen({
      TrafficSources: [
        { Identifier: 'classic', Type: 'elb' },
        { Identifier: ARN, Type: 'elbv2' },
      ],
    });
    for (const group of [inTheirOwn, among])
      expect(group).toMatchObject({ trafficSources: [targetGroup, loadBalancer], otherTrafficSources: [] });
  });

  test('of other kinds are reported by kind and id', async () => {
    const group = await seen({
      TargetGroupARNs: [ARN],
      TrafficSources: [{ Identifier: ARN }, { Identifier: LATTICE, Type: 'vpc-lattice' }],
    });
    expect(group).toMatchObject({
      trafficSources: [targetGroup],
      otherTrafficSources: [`vpc-lattice ${LATTICE}`],
    });
  });
});

describe('a warm pool', () => {
  test('is read page by page, in the largest pages AWS allows', async () => {
    api
      .on(DescribeWarmPoolCommand)
      .resolvesOnce({ Instances: [instance('i-1', { LifecycleState: 'Warmed:Stopped' })], NextToken: 'more' })
      .resolves({ Instances: [instance('i-2', { LifecycleState: 'Warmed:Pending:Wait' })] });
    const warm = await describeWarmPool(aws, 'web');
    expect(warm.map(({ instanceId, lifecycleState }) => [instanceId, lifecycleState])).toEqual([
      ['i-1', 'Warmed:Stopped'],
      ['i-2', 'Warmed:Pending:Wait'],
    ]);
    const inputs = api.commandCalls(DescribeWarmPoolCommand).map(({ args: [{ input }] }) => input);
    const input = { AutoScalingGroupName: 'web', MaxRecords: 50 };
    expect(inputs).toMatchObject([input, { ...input, NextToken: 'more' }]);
  });

  test('may be empty', async () => {
    api.on(DescribeWarmPoolCommand).resolves({});
    expect(await describeWarmPool(aws, 'web')).toEqual([]);
  });
});
