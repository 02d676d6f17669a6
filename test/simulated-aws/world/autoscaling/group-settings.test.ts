import {
  DescribeAutoScalingGroupsCommand,
  UpdateAutoScalingGroupCommand,
  type UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { setUpWire } from '../wire-set-up.ts';

function setUp(...options: Parameters<typeof setUpWire>) {
  const wire = setUpWire(...options);
  const { autoScaling, world } = wire;
  const describeGroup = async (IncludeInstances?: boolean) => {
    const { AutoScalingGroups: [found] = [] } = await autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: ['g'], IncludeInstances }),
    );
    return found;
  };
  const update = (settings: Omit<UpdateAutoScalingGroupType, 'AutoScalingGroupName'>) =>
    autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: 'g', ...settings }));
  const fail = (id: string) => world.loadBalancing.setHealthy(id, false);
  return { ...wire, describeGroup, update, fail };
}

describe('an update of a group', () => {
  it('stores its settings, and leaves alone what it does not name', async () => {
    const { describeGroup, update } = setUp();
    const settings = {
      DefaultCooldown: 60,
      DefaultInstanceWarmup: 120,
      HealthCheckType: 'ELB',
      HealthCheckGracePeriod: 90,
      NewInstancesProtectedFromScaleIn: true,
      InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } },
    } as const;
    const before = await describeGroup();
    await update(settings);
    expect(await describeGroup()).toEqual({ ...before, ...settings });
    await update({ DefaultInstanceWarmup: -1 });
    const { DefaultInstanceWarmup: _, ...rest } = settings;
    expect(await describeGroup()).toEqual({ ...before, ...rest });
  });

  it('protects the members that are launched from then on', async () => {
    const { clock, group, update } = setUp({ group: { maxSize: 3 } });
    await update({ NewInstancesProtectedFromScaleIn: true, DesiredCapacity: 3 });
    clock.advance(600);
    const isProtected = [...group.members.values()].map(
      ({ isProtectedFromScaleIn }) => isProtectedFromScaleIn,
    );
    expect(isProtected).toEqual([false, false, true]);
  });

  it("makes load balancers judge its members, once each one's grace period is over", async () => {
    const { clock, world, group, ids, update, fail } = setUp();
    const { arn } = world.addTargetGroup({ name: 'web' });
    world.loadBalancing.attach('g', arn);
    const [id = ''] = ids;
    await update({ HealthCheckType: 'ELB', HealthCheckGracePeriod: 300 });
    clock.advance(200);
    fail(id);
    clock.advance(90);
    expect(group.members.get(id)).toMatchObject({ lifecycleState: 'InService', healthStatus: 'Healthy' });
    clock.advance(600);
    expect(group.members.has(id)).toBe(false);
  });

  it('gives no grace to an instance that does not run', async () => {
    const { clock, world, group, ids, update } = setUp();
    await update({ HealthCheckGracePeriod: 7200 });
    world.faults.killInstance(ids[0] ?? '');
    clock.advance(600);
    expect([...group.members.keys()]).not.toContain(ids[0]);
    expect(group.members.size).toBe(2);
  });

  it('may set what is already set', async () => {
    const { describeGroup, update } = setUp();
    const before = await describeGroup();
    await update({
      TerminationPolicies: ['Default'],
      CapacityRebalance: false,
      MaxInstanceLifetime: 0,
      InstanceMaintenancePolicy: { MinHealthyPercentage: -1, MaxHealthyPercentage: -1 },
      DeletionProtection: 'none',
    });
    expect(await describeGroup()).toEqual(before);
  });
});

it('what a group and its members have not set is left out, or written as empty elements', async () => {
  const { world, describeGroup } = setUp();
  const of = async () => {
    const {
      Status,
      WarmPoolConfiguration,
      MixedInstancesPolicy,
      Instances = [],
    } = (await describeGroup()) ?? {};
    const [{ WeightedCapacity, LaunchTemplate } = {}] = Instances;
    const version = LaunchTemplate?.Version;
    return { Status, WarmPoolConfiguration, MixedInstancesPolicy, WeightedCapacity, version };
  };
  expect(await of()).toEqual({ version: '1' });
  world.state.readings.writesUnset = 'empty-elements';
  const empty = { Status: '', WarmPoolConfiguration: {}, MixedInstancesPolicy: {}, WeightedCapacity: '' };
  expect(await of()).toEqual({ ...empty, version: '1' });
});

it('a group is described without its instances if the caller wants none', async () => {
  const { describeGroup } = setUp();
  expect((await describeGroup())?.Instances).toHaveLength(2);
  expect((await describeGroup(true))?.Instances).toHaveLength(2);
  expect((await describeGroup(false))?.Instances).toEqual([]);
});
