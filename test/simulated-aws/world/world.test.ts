import { describe, expect, it } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { rollByHand } from '../invariants/roll-by-hand.ts';
import { standardScenario } from './scenario.ts';
import { createWorld } from './world.ts';

const START = Date.parse('2026-11-20T00:00:00Z');

function setUp({ instances = 4, services = 3, seed = 1, jitterFraction = 0 } = {}) {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed, delays: { jitterFraction } });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, instances, services, launchSpec });
  const invariants = watchInvariants(world, { maxSurge: instances });
  return { clock, world, scenario, invariants };
}

it('draws a delay from between its two limits', () => {
  const clock = virtualClock(START);
  const { state } = createWorld({ clock, seed: 1, delays: { ranges: { bootSeconds: [20, 40] } } });
  const seconds: number[] = [];
  for (let count = 0; count < 100; count++)
    state.after('bootSeconds', () => seconds.push((clock.now() - START) / 1000));
  clock.advance(60);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(20);
  expect(Math.min(...seconds)).toBeLessThan(22);
  expect(Math.max(...seconds)).toBeGreaterThan(38);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(40);
});

describe('the standard scenario', () => {
  it('is steady: left alone, nothing ever happens in it', () => {
    const { clock, world, scenario } = setUp();
    const before = world.snapshot();
    const happened: string[] = [];
    clock.advance(60); // What the builders have set off is over by then.
    world.subscribe((event) => happened.push(event.kind));
    clock.advance(86_400);
    expect(happened).toEqual([]);
    expect({ ...world.snapshot(), atMs: before.atMs }).toEqual(before);
    expect(scenario.services.map((service) => service.healthyCount)).toEqual([3, 3, 3]);
  });

  it('reads well in a snapshot', () => {
    const { world } = setUp();
    expect(world.snapshot().instances[1]).toEqual({
      id: 'i-00000000000000002',
      imageId: 'ami-00000000000000001',
      imageName: 'al2023-ami-ecs-hvm-2023.0.20261011-kernel-6.1-x86_64',
      state: 'running',
      group: 'demo-ecs',
      lifecycleState: 'InService',
      containerInstanceStatus: 'ACTIVE',
      agentConnected: true,
      tasks: ['log-router', 'web', 'worker', 'api', 'api', 'api'],
      tags: { 'aws:autoscaling:groupName': 'demo-ecs' },
    });
  });

  it('can be rolled with no invariant broken', () => {
    const { clock, scenario, world, invariants } = setUp();
    rollByHand(world, clock, scenario);
    invariants.assertFinished();
    expect(invariants.checked).toBeGreaterThan(100);
    const { instancesReplaced, taskMoves, services } = invariants.metrics();
    expect(instancesReplaced).toBe(4);
    expect(taskMoves.mean).toBeGreaterThanOrEqual(1);
    expect(services.map(({ name, minHealthyPercentSeen: seen }) => [name, seen])).toEqual([
      ['web', 100],
      ['worker', expect.closeTo(66.67, 1)],
      ['api', 100],
    ]);
  });

  it('goes the same way every time with the same seed, and another way with another', () => {
    const endOf = (seed: number) => {
      const { clock, scenario, world } = setUp({ seed, jitterFraction: 0.3 });
      rollByHand(world, clock, scenario);
      return clock.now() - START;
    };
    expect(endOf(7)).toBe(endOf(7));
    expect(endOf(7)).not.toBe(endOf(8));
  });
});
