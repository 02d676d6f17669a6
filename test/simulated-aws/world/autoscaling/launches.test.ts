import { SetDesiredCapacityCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateVersionCommand,
  ModifyLaunchTemplateCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { DescribeContainerInstancesCommand } from '@aws-sdk/client-ecs';
import { describe, expect, it, test } from 'vitest';
import type { Family } from '../ec2/families.ts';
import { DEFAULT_SECURITY_GROUP_ID } from '../ec2/security-groups.ts';
import type { GroupOptions } from '../group-builder.ts';
import { buildUserData } from '../user-data-builder.ts';
import { setUp as setUpGroup } from './set-up.ts';

/** What becomes of an instance by what it is launched from. */

const ENOUGH_SECONDS = 900;

function setUp(options: Partial<GroupOptions> = {}) {
  const scene = setUpGroup({ launchSpec: 'launch-template', instances: 1, maxSize: 4, ...options });
  const { call, clock, group, ids } = scene;
  const grow = () => {
    call(SetDesiredCapacityCommand, { AutoScalingGroupName: 'g', DesiredCapacity: ids.length + 1 });
    clock.advance(ENOUGH_SECONDS);
    return [...group.members.values()].map(({ instance }) => instance).find(({ id }) => !ids.includes(id));
  };
  return {
    ...scene,
    grow,
    /** A member that is launched from a version of these data alone. */
    launch(data: RequestLaunchTemplateData, SourceVersion?: string) {
      const template = { LaunchTemplateName: 'g-launch-template' };
      call(CreateLaunchTemplateVersionCommand, { ...template, SourceVersion, LaunchTemplateData: data });
      call(ModifyLaunchTemplateCommand, { ...template, DefaultVersion: '2' });
      return grow();
    },
  };
}

type Instance = ReturnType<ReturnType<typeof setUp>['launch']>;
const clusterOf = (instance: Instance) => instance?.containerInstance?.cluster.name;

const BARE = { ImageId: 'ami-00000000000000001', InstanceType: 'm5.large' } as const;
const PROFILE = { IamInstanceProfile: { Name: 'ecsInstanceRole' } };
const image = { family: undefined };
const UserData = buildUserData({ image, cluster: 'demo' });
const WHOLE = { ...BARE, ...PROFILE, UserData };

describe('a version with only an image and a type', () => {
  it("launches an instance without its owner's volumes or a profile, which never registers", () => {
    const { launch, world } = setUp();
    const instance = launch(BARE);
    expect(instance).toMatchObject({ state: 'running', blockDeviceMappings: [], instanceProfile: undefined });
    expect(instance?.containerInstance).toBeUndefined();
    expect([...world.state.clusters.keys()]).toEqual(['demo']);
  });

  it("gives it the template's tags, which the group's override", () => {
    const launchTags = { team: 'platform', tier: 'web' };
    const { launch } = setUp({ launchTags, tags: { team: 'group' } });
    const tags = launch({ ImageId: BARE.ImageId }, '1')?.tags;
    expect([tags?.get('team'), tags?.get('tier')]).toEqual(['group', 'web']);
  });

  it('but inherits everything if it names its source', () => {
    const instance = setUp().launch({ ImageId: BARE.ImageId }, '1');
    expect(instance?.blockDeviceMappings).toHaveLength(3);
    expect(clusterOf(instance)).toBe('demo');
  });
});

describe('the cluster', () => {
  it.each<Family>(['amazon-linux-2023', 'bottlerocket/aws-ecs-2', 'windows/2022-English-Core'])(
    'is the one that user data name, as images of %s read them',
    (family) => {
      const { world, launch } = setUp();
      const { id } = world.release(family);
      const userData = buildUserData({ image: { family }, cluster: 'demo' });
      expect(clusterOf(launch({ ...WHOLE, ImageId: id, UserData: userData }))).toBe('demo');
    },
  );

  it('is `default`, made by the agent, if they name none', () => {
    const { launch, world, call } = setUp();
    const instance = launch({ ...BARE, ...PROFILE });
    expect(clusterOf(instance)).toBe('default');
    expect(world.state.clusters.get('default')?.containerInstances.size).toBe(1);
    const containerInstances = [instance?.containerInstance?.arn ?? ''];
    const input = { cluster: 'demo', containerInstances };
    expect(call(DescribeContainerInstancesCommand, input).containerInstances).toEqual([]);
  });

  it('is none if the named one is missing', () => {
    const other = buildUserData({ image, cluster: 'other' });
    expect(clusterOf(setUp().launch({ ...WHOLE, UserData: other }))).toBeUndefined();
  });

  it('differs by override if these have their own templates', () => {
    const { world, image, group, grow } = setUp({
      launchSpec: 'mixed-instances',
      instances: 0,
      overrides: [{ instanceType: 'm5.large' }],
    });
    world.addCluster('second');
    const data = { ...WHOLE, UserData: buildUserData({ image, cluster: 'second' }) };
    const template = world.addLaunchTemplate('second', data);
    if (group.launchSpec.kind !== 'mixed-instances') throw new Error('no policy');
    const [first] = group.launchSpec.overrides;
    if (!first) throw new Error('no override');
    const overrides = [{ ...first, ownTemplate: { template, version: undefined } }];
    group.launchSpec = { ...group.launchSpec, overrides };
    expect(clusterOf(grow())).toBe('second');
  });
});

describe('an agent gets through', () => {
  it('only with a role that may register', () => {
    const { world, launch } = setUp();
    world.addInstanceProfile('web', { lackedActions: ['ecs:RegisterContainerInstance'] });
    expect(clusterOf(launch({ ...WHOLE, IamInstanceProfile: { Name: 'web' } }))).toBeUndefined();
  });

  test.each([
    [false, undefined],
    [true, 'default'],
  ])('to `default`, without the right to make it, only if it exists (%s)', (isThere, expected) => {
    const { world, launch } = setUp();
    if (isThere) world.addCluster('default');
    world.addInstanceProfile('web', { lackedActions: ['ecs:CreateCluster'] });
    expect(clusterOf(launch({ ...BARE, IamInstanceProfile: { Name: 'web' } }))).toBe(expected);
  });

  it('through the default security group if none is named, not even on network interfaces', () => {
    for (const data of [{}, { NetworkInterfaces: [{ DeviceIndex: 0 }] }]) {
      const instance = setUp().launch({ ...WHOLE, ...data });
      expect(instance?.securityGroups).toEqual([DEFAULT_SECURITY_GROUP_ID]);
      expect(clusterOf(instance)).toBe('demo');
    }
  });

  it.each([
    { SecurityGroupIds: ['sg-closed'] },
    { NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-closed'] }] },
  ])('not through one that lets nothing out: %o', (data) => {
    const { world, launch } = setUp();
    world.addSecurityGroup('sg-closed', { allowsOutbound: false });
    expect(clusterOf(launch({ ...WHOLE, ...data }))).toBeUndefined();
  });
});

it('nothing is launched into a missing security group', () => {
  const { launch, latestActivity } = setUp();
  expect(launch({ ...WHOLE, SecurityGroupIds: ['sg-gone'] })).toBeUndefined();
  expect(latestActivity()?.StatusMessage).toBe(
    "The security group 'sg-gone' does not exist. Launching EC2 instance failed.",
  );
});

it.each([
  ['m5.large', 2048, 8192],
  ['c5.large', 2048, 4096],
  ['m5.xlarge', 4096, 16_384],
] as const)('an agent on %s registers %i CPU units and %i MiB', (InstanceType, cpu, memory) => {
  expect(setUp().launch({ ...WHOLE, InstanceType })?.containerInstance).toMatchObject({ cpu, memory });
});
