import { SetInstanceHealthCommand } from '@aws-sdk/client-auto-scaling';
import {
  DeleteServiceCommand,
  DeregisterContainerInstanceCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { directCalls } from '../world/direct-calls.ts';
import { OF_ANYBODY } from './anybody.ts';
import { describeBreaches } from './breaches.ts';
import { detach, drain, tagAll, terminate } from './roll-by-hand.ts';
import { isOfEndings, lower, setUp, takeOut } from './set-up.ts';

describe('services and tasks', () => {
  it('1 reports a service that is taken below its minimum', () => {
    const { world, first, group, broken } = setUp();
    tagAll(world, group, [first]);
    terminate(world, first);
    expect(broken()).toContain('1. Service web has 2 healthy tasks, fewer than 3');
  });

  it('1 sets aside what a fault took, until it is back', () => {
    const { clock, world, invariants, broken, first, second, group } = setUp();
    world.faults.killInstance(first.id);
    clock.advance(600);
    expect(broken()).toEqual([]);
    expect(invariants.metrics().services[0]?.minHealthyPercentSeen).toBeCloseTo(66.67, 1);
    tagAll(world, group, [second]);
    terminate(world, second);
    expect(broken().some((line) => line.startsWith('1.'))).toBe(true);
  });

  it('counts what lasts once, from when it begins until it ends, as it was at its worst', () => {
    const { clock, world, group, first, second, invariants } = setUp();
    tagAll(world, group, [first, second]);
    const below = () =>
      invariants.violations.filter(({ invariant, what }) => invariant === 1 && what.includes('web'));
    terminate(world, first);
    clock.advance(5);
    terminate(world, second);
    clock.advance(10);
    const what = 'Service web has 1 healthy tasks, fewer than 3';
    expect(below()).toMatchObject([{ until: undefined, seconds: 15, what }]);
    clock.advance(600);
    expect(below()).toMatchObject([{ until: '2026-11-20T00:00:21.000Z', seconds: 21, what }]);
    expect(describeBreaches(below())).toBe('1 of invariant 1, for 21 s');
  });

  it('1 lets a service be scaled out and in', () => {
    const { clock, world, broken } = setUp();
    world.owner.setDesiredCount('demo', 'web', 6);
    clock.advance(120);
    world.owner.setDesiredCount('demo', 'web', 2);
    clock.advance(120);
    expect(broken()).toEqual([]);
  });

  it('2 reports a termination under tasks, and of orphans', () => {
    const { world, first, second, group, broken } = setUp();
    tagAll(world, group, [first, second]);
    terminate(world, first);
    expect(broken().join('\n')).toMatch(/^2\. i-0*1 was terminated under service:web \(RUNNING\)/m);
    directCalls(world)(DeregisterContainerInstanceCommand, {
      cluster: 'demo',
      containerInstance: second.containerInstance?.arn,
      force: true,
    });
    expect(broken().some((line) => line.includes('which orphans'))).toBe(true);
  });

  it('1, 2 and 3 tell of what a group ends because a call made it smaller', () => {
    const { clock, world, group, broken } = setUp();
    lower(world, group, 2);
    clock.advance(600);
    const told = broken().join('\n');
    expect(told).toMatch(/^2\. i-0*1 was terminated under service:/m);
    expect(told).toMatch(/^3\. i-0*1 was scaled in untagged/m);
    expect(told).toMatch(/^1\. Service web has \d healthy tasks, fewer than 3/m);
    expect(told).toMatch(/^2\. i-0*2 was terminated under service:/m);
  });

  it('3 lets a rebalancing end one, though a call has left the group larger than it wants by less than one', () => {
    const overrides = [{ instanceType: 'm5.large', weight: 2 }];
    const options = { launchSpec: 'mixed-instances', group: { overrides, zones: ['a'] } } as const;
    const { clock, world, group, broken } = setUp({}, options);
    lower(world, group, group.desiredCapacity - 1);
    clock.advance(60);
    world.owner.setZones(group.name, 'a', 'b');
    clock.advance(600);
    const zones = [...group.members.values()].map(({ instance }) => instance.availabilityZone.at(-1));
    expect(zones).toContain('b');
    expect(broken().join('\n')).not.toMatch(/^3\. /m);
  });

  it('1, 2 and 3 tell of what a group ends because a call told it that it is Unhealthy', () => {
    const { clock, world, first, second, broken } = setUp();
    const call = directCalls(world);
    call(SetInstanceHealthCommand, { InstanceId: first.id, HealthStatus: 'Unhealthy' });
    call(SetInstanceHealthCommand, { InstanceId: second.id, HealthStatus: 'Unhealthy' });
    call(SetInstanceHealthCommand, { InstanceId: second.id, HealthStatus: 'Healthy' });
    clock.advance(600);
    const told = broken().join('\n');
    expect(told).toMatch(/^1\. Service \w+ has \d healthy tasks, fewer than/m);
    expect(told).toMatch(/^2\. i-0*1 was terminated under service:/m);
    expect(told).toMatch(/^3\. i-0*1 was scaled in untagged/m);
    expect(told).toMatch(/^4\. demo-ecs has 3 registered, ACTIVE and connected, less than 4/m);
    expect(told).not.toMatch(second.id);
  });

  it('2 ignores what owners, policies and scheduled actions scale in, even after a call', () => {
    const { clock, world, group, broken } = setUp();
    world.owner.scale(group.name, -1);
    clock.advance(600);
    // The owner takes back what a call did, before the group has seen it.
    lower(world, group, 2);
    world.owner.setSizes(group.name, { desiredCapacity: 3 });
    clock.advance(600);
    world.owner.scheduledAction(group.name, { desiredCapacity: 2 });
    clock.advance(600);
    world.owner.setSizes(group.name, { desiredCapacity: 1 });
    clock.advance(600);
    expect(group.members.size).toBe(1);
    expect(broken().filter(isOfEndings)).toEqual([]);
  });

  it('2 lets a call make a group smaller by what was never launched, is unhealthy or leaves by calls', () => {
    const { clock, world, group, first, second, broken } = setUp({
      surplus: 2,
      drainConcurrency: 2,
      endsMembers: true,
    });
    world.owner.suspend(group.name, 'Launch');
    world.owner.setSizes(group.name, { maxSize: 6, desiredCapacity: 5 });
    clock.advance(60);
    lower(world, group, 4);
    tagAll(world, group, [first, second]);
    for (const each of [first, second]) {
      drain(world, each);
      clock.advance(300);
    }
    takeOut(world, group, first.id, second.id);
    clock.advance(600);
    expect(group.members.size).toBe(2);
    const [third = ''] = group.members.keys();
    world.faults.setUnhealthy(third);
    lower(world, group, 1);
    clock.advance(600);
    expect(group.members.size).toBe(1);
    expect(group.members.has(third)).toBe(false);
    expect(broken().filter(isOfEndings)).toEqual([]);
  });

  it('2 protects a standalone task, unless a setting says otherwise', () => {
    for (const allowsCutStandaloneTasks of [false, true]) {
      const { world, clock, first, group, broken } = setUp({ allowsCutStandaloneTasks });
      world.addStandaloneTask('demo', { family: 'report', instanceId: first.id });
      tagAll(world, group, [first]);
      detach(world, group, [first.id]);
      clock.advance(300);
      drain(world, first);
      clock.advance(300);
      terminate(world, first);
      expect(broken()).toHaveLength(allowsCutStandaloneTasks ? 0 : 1);
    }
  });

  it('7 reports once a service that calls have run other tasks than its owner wants, or delete', () => {
    const { clock, world, invariants } = setUp(OF_ANYBODY);
    const call = directCalls(world);
    const want = (desiredCount: number) => {
      call(UpdateServiceCommand, { cluster: 'demo', service: 'web', desiredCount });
      clock.advance(60);
    };
    world.owner.setDesiredCount('demo', 'web', 2);
    want(2);
    expect(invariants.violations).toEqual([]);
    want(1);
    want(0);
    want(2);
    call(DeleteServiceCommand, { cluster: 'demo', service: 'log-router', force: true });
    world.owner.deleteService('web');
    expect(invariants.violations).toMatchObject([
      { invariant: 7, seconds: 120, what: 'Service web was set to run 0 tasks, not 2' },
      { invariant: 7, until: undefined, what: 'Service log-router was deleted' },
    ]);
  });

  it('counts each placement of a replica task beyond its first, whatever caused it', () => {
    const { clock, world, group, invariants } = setUp();
    clock.advance(300);
    expect(invariants.metrics().taskMoves).toEqual({ mean: 0, total: 0 });
    for (const { instance } of [...group.members.values()]) terminate(world, instance);
    clock.advance(900);
    expect(invariants.metrics().taskMoves.mean).toBe(1);
  });
});
