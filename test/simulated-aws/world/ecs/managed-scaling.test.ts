import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import type { GroupOptions } from '../group-builder.ts';
import type { ServiceOptions } from '../service-builder.ts';
import { createWorld } from '../world.ts';
import type { CapacityProviderOptions } from './capacity-providers.ts';

const MINUTE = 60;

interface Options {
  readonly provider?: Partial<CapacityProviderOptions>;
  readonly group?: Partial<GroupOptions>;
  readonly service?: Partial<ServiceOptions>;
}

/**
 * Eight instances that a capacity provider scales, two of which run a task that fills them, and all of them a
 * daemon.
 */
function setUp({ provider, group, service }: Options = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const made = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 8, maxSize: 20, ...group });
  world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g', ...provider });
  world.addService('demo', { name: 'log-router', strategy: 'DAEMON', cpu: 10 });
  world.addService('demo', { name: 'web', desiredCount: 2, cpu: 2000, capacityProvider: 'cp', ...service });
  const ids = () => [...made.members.keys()];
  return { clock, world, group: made, ids };
}

describe('managed scaling', () => {
  it('shrinks a group by half a minute at most, after 15 minutes with members that run only daemons', () => {
    const { clock, group } = setUp();
    clock.advance(14.5 * MINUTE);
    expect(group.desiredCapacity).toBe(8);
    clock.advance(MINUTE);
    expect(group.desiredCapacity).toBe(4);
    clock.advance(10 * MINUTE);
    expect(group.desiredCapacity).toBe(2);
  });

  it.each([
    ['above the minimum size alone', { group: { minSize: 7 } }, 7],
    ['not where it is disabled', { provider: { managedScaling: 'DISABLED' } }, 8],
    ['to a target capacity below 100', { provider: { targetCapacity: 50 } }, 4],
  ] as const)('does so %s', (_, options, size) => {
    const { clock, group } = setUp(options);
    clock.advance(60 * MINUTE);
    expect(group.desiredCapacity).toBe(size);
  });

  it('does nothing while AlarmNotification is suspended', () => {
    const { clock, world, group } = setUp();
    world.owner.suspend('g', 'AlarmNotification');
    clock.advance(60 * MINUTE);
    expect(group.desiredCapacity).toBe(8);
  });

  it('enlarges it for tasks with its own strategy that find no place, in the largest steps allowed', () => {
    const { clock, world, group } = setUp({ provider: { maximumScalingStepSize: 3 } });
    world.owner.setDesiredCount('demo', 'web', 12);
    clock.advance(1.5 * MINUTE);
    expect(group.desiredCapacity).toBe(11);
    clock.advance(5 * MINUTE);
    expect(group.desiredCapacity).toBe(12);
  });

  it('does not enlarge it for tasks with a launch type', () => {
    const { clock, world, group } = setUp({ service: { capacityProvider: undefined } });
    world.owner.setDesiredCount('demo', 'web', 12);
    clock.advance(5 * MINUTE);
    expect(group.desiredCapacity).toBe(8);
  });

  it('terminates none that runs tasks under managed termination protection, whatever the group would choose', () => {
    const protects = { provider: { managedTerminationProtection: 'ENABLED' } } as const;
    const { clock, group, world } = setUp({ ...protects, group: { protectsNewInstances: true } });
    const web = world.state.clusters.get('demo')?.services.get('web');
    const hosts = () => [...(web?.tasks ?? [])].map((task) => task.containerInstance.instance.id);
    const before = hosts();
    clock.advance(60 * MINUTE);
    expect([group.members.size, hosts()]).toEqual([2, before]);
  });

  it('is broken by a detached instance until that is deregistered, by one reading', () => {
    const { clock, world, group, ids } = setUp({
      provider: { managedTerminationProtection: 'ENABLED' },
      group: { protectsNewInstances: true },
    });
    world.state.readings.detachedBlocksScaleIn = true;
    const [first = ''] = ids().slice(-1);
    world.owner.detachInstance(first, { decrements: true });
    clock.advance(60 * MINUTE);
    expect(group.desiredCapacity).toBe(7);
    world.faults.killInstance(first);
    clock.advance(60 * MINUTE);
    expect(group.desiredCapacity).toBe(2);
  });

  it.each([
    ['not', false, 1],
    ['', true, 3],
  ])('does %s count full detached instances, which AWS leaves open', (_, countsDetached, size) => {
    const { clock, world, group, ids } = setUp({
      provider: { countsDetached },
      service: { desiredCount: 8 },
    });
    for (const id of ids()) world.owner.detachInstance(id);
    clock.advance(60 * MINUTE);
    expect(group.desiredCapacity).toBe(size);
  });

  it.each([
    ['not', 'stay', 8, false],
    ['and they are replaced', 'replaced', 8, true],
    ['and the group is smaller by them', 'given-up', 7, true],
  ] as const)('ends members that do not register: %s', (_, unregisteredMembers, size, ends) => {
    const provider = { managedDraining: 'DISABLED' } as const;
    const { clock, world, group, ids } = setUp({ provider, service: { desiredCount: 8 } });
    world.state.readings.unregisteredMembers = unregisteredMembers;
    world.owner.suspend('g', 'AlarmNotification');
    const [image] = world.state.images.values();
    world.faults.spoilImage(image?.id ?? '');
    const [first = ''] = ids();
    world.faults.killInstance(first);
    clock.advance(20 * MINUTE);
    const gone = [...world.state.instances.values()].filter(({ state }) => state === 'terminated');
    expect([group.desiredCapacity, gone.some(({ id }) => id !== first)]).toEqual([size, ends]);
  });
});
