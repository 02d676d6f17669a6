import { describe, expect, test } from 'vitest';
import { watch } from '../../../lambda/core/group/steadiness.ts';
import {
  ago,
  arnOf,
  assessed,
  decided,
  detached,
  fresh,
  NOW,
  observe,
  type Sketch,
  service,
} from '../builders.ts';

const draining = (id: string, rest: Partial<Sketch> = {}) =>
  detached(id, { ecs: 'DRAINING', turn: 60, ...rest });

describe('an instance whose turn has come', () => {
  const scene = [
    draining('i-1', { tasks: ['family:job'] }),
    detached('i-2', { turn: 30 }),
    detached('i-3', { turn: 20 }),
    fresh('i-9'),
  ];

  test('waits even with settled services while drainConcurrency instances drain, as that setting may have changed', () => {
    expect(decided(observe(scene, { settled: 60 }), { drainConcurrency: 1 }).kind).toBe('wait');
  });

  test('drains as soon as one more may drain', () => {
    expect(decided(observe(scene, { settled: 60 }), { drainConcurrency: 2 })).toMatchObject({
      actions: [{ kind: 'drain', containerInstances: [{ instanceId: 'i-2' }] }],
    });
  });
});

describe('a draining instance that somebody attached again is detached once more, and counts as draining', () => {
  const scene = (member: string) => [
    draining('i-1', { member }),
    detached('i-2', { turn: 30 }),
    detached('i-3'),
    fresh('i-9'),
  ];
  const told = (member: string, drainConcurrency: number) =>
    decided(observe(scene(member), { settled: 60, desiredCapacity: 1 }), { drainConcurrency });

  test('while it is being detached', () => {
    expect(told('Detaching', 1).kind).toBe('wait');
    expect(told('Detaching', 2)).toMatchObject({
      actions: [{ kind: 'drain', containerInstances: [{ instanceId: 'i-2' }] }],
    });
  });

  test('and no other gets a turn', () => {
    const all = [draining('i-1', { member: 'Detaching' }), detached('i-3'), fresh('i-9')];
    const decision = (drainConcurrency: number) =>
      decided(observe(all, { settled: 60, desiredCapacity: 1 }), { drainConcurrency });
    expect(decision(1).kind).toBe('wait');
    expect(decision(2)).toMatchObject({ actions: [{ kind: 'mark-instances', instanceIds: ['i-3'] }] });
  });
});

test('an instance whose agent is gone is not ended while it has a daemon task, as ECS would keep it for ever', () => {
  const services = [service('api'), service('logs', { daemon: true })];
  const left = { tasks: ['service:logs'], agentConnected: false };
  expect(decided(observe([draining('i-1', left), fresh('i-9')], { services, settled: 60 })).kind).toBe(
    'wait',
  );
});

test('services must be steady anew once another begins to drain, as its tasks may have moved unseen', () => {
  const before = { draining: [arnOf('i-1')], settledSince: ago(300) };
  const settledSince = (...sketches: readonly Sketch[]) => {
    const observation = observe([...sketches, fresh('i-9')]);
    return watch(assessed(observation), before).settledSince;
  };
  expect(settledSince(draining('i-1'))).toEqual(ago(300));
  expect(settledSince(draining('i-1'), draining('i-2'))).toEqual(NOW);
});
