import { SetInstanceHealthCommand } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import type { VirtualClock } from '../clock/clock.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { directCalls } from '../world/direct-calls.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { World } from '../world/world.ts';
import { inPlace, OF_ANYBODY } from './anybody.ts';
import { ANYBODYS_CUSTOMS } from './customs.ts';
import type { Expectations } from './expectations.ts';
import { drain, useNewImage } from './roll-by-hand.ts';
import { endByGroup, setUp } from './set-up.ts';

const anybody: Expectations = { customs: () => ANYBODYS_CUSTOMS, ...OF_ANYBODY };

/** Each drains where it is, so many at once, and its group replaces it. */
function replaceInPlace(world: World, clock: VirtualClock, group: Group, atOnce: number) {
  const old = [...group.members.values()].map(({ instance }) => instance);
  const isBack = () =>
    [...group.members.values()].filter(({ instance }) => instance.containerInstance?.agentConnected)
      .length === old.length;
  for (let start = 0; start < old.length; start += atOnce) {
    const some = old.slice(start, start + atOnce);
    for (const instance of some) drain(world, instance);
    clock.runUntil(() => some.every(isEmpty));
    for (const instance of some) endByGroup(world, instance);
    clock.runUntil(() => some.every(({ id }) => !group.members.has(id)) && isBack());
    clock.advance(300);
  }
}

const isEmpty = ({ containerInstance }: Instance) => containerInstance?.tasks.size === 0;

describe('a roller that replaces in place', () => {
  function rolled(expectations: Expectations, atOnce = 1) {
    const scene = setUp({ ...anybody, ...expectations });
    useNewImage(scene.world, scene.group, scene.newImage);
    replaceInPlace(scene.world, scene.clock, scene.group, atOnce);
    scene.invariants.checkFinished();
    return scene;
  }

  it('takes away capacity that its group is to have', () => {
    const { broken } = rolled({});
    expect(new Set(broken().map(([number]) => number))).toEqual(new Set(['4']));
  });

  it.each([1, 2])('breaks nothing where %i may be missing', (atOnce) => {
    const { broken, invariants } = rolled(inPlace(atOnce), atOnce);
    expect(broken()).toEqual([]);
    expect(invariants.metrics().instancesReplaced).toBe(4);
  });

  it('breaks 4 where more are missing than may be', () => {
    expect(rolled(inPlace(1), 2).broken()).toContain('4. 2 instances of demo-ecs are moving, more than 1');
  });
});

describe('the instances replaced', () => {
  it('are those too that a group ends for a caller', () => {
    const { world, clock, first, second, invariants } = setUp(anybody);
    const call = directCalls(world);
    call(SetInstanceHealthCommand, { InstanceId: first.id, HealthStatus: 'Unhealthy' });
    world.faults.killInstance(second.id);
    clock.advance(600);
    expect(invariants.metrics().instancesReplaced).toBe(1);
  });
});
