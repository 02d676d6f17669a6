import { describe, expect, test } from 'vitest';
import { recoverHealth } from '../../../lambda/core/drain/health-recovery.ts';
import type { TargetHealth, TrafficSource } from '../../../lambda/core/model/group.ts';
import type { Course } from '../../../lambda/core/model/roll.ts';
import {
  ago,
  fresh,
  groupOf,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
const SUSPENDED = ['AZRebalance', 'InstanceRefresh', 'ReplaceUnhealthy'];
const changes = { suspended: ['ReplaceUnhealthy'], addedSizes: { desiredCapacity: 0, maxSize: 0 } };
const back = (seconds: number): Course => ({
  kind: 'rollback',
  since: ago(seconds),
  because: { code: 'recorded', text: 'tasks crash' } as const,
});

/**
 * An old member that was draining when the roll turned back, and that the group has found Unhealthy since.
 */
const keptServing = (rest: Partial<Sketch> = {}) =>
  old('i-1', { marked: 400, turn: 300, healthy: false, serving: false, ...rest });
const goingBack = (seconds: number, rest: Scene = {}): Scene => ({
  trafficSources: [TARGET_GROUP],
  suspendedProcesses: SUSPENDED,
  launch: launching(PLACE, OLD, OLD),
  roll: { course: back(seconds), changes },
  ...rest,
});

describe('a member that was found Unhealthy while it drained, and stays after all', () => {
  test('is set back ACTIVE, and keeps the tags that show who drained it', () => {
    expect(told(observe([keptServing({ ecs: 'DRAINING' }), fresh('i-2')], goingBack(60)), inPlace)).toEqual([
      'set i-1 back ACTIVE',
    ]);
  });

  test('gets time to pass its checks again, as its group would end it under its tasks', () => {
    const [first] = told(observe([keptServing(), old('i-2')], goingBack(60)), inPlace);
    expect(first).toBe('wait: i-1 has yet to pass health checks again');
  });

  test('is set Healthy once it passes them, as Auto Scaling does not do that by itself', () => {
    const found = observe([keptServing({ serving: true }), old('i-2')], goingBack(60));
    expect(told(found, inPlace)).toEqual(['set i-1 of group web-ecs Healthy']);
  });

  test('is set Healthy also if its drain was given up in a roll that continues', () => {
    const addedSizes = keptServing({ givenUp: 60, serving: true, tasks: ['service:api'] });
    const scene = { ...goingBack(60), launch: launching(PLACE, OLD), roll: { changes } };
    expect(told(observe([addedSizes, fresh('i-2')], scene), inPlace)).toEqual([
      'set i-1 of group web-ecs Healthy',
    ]);
  });

  test('loses its tags once it is Healthy, and only then are others replaced again', () => {
    const well = keptServing({ healthy: true, serving: true });
    expect(told(observe([well, old('i-2')], goingBack(60)), inPlace)).toEqual(['remove the tags from i-1']);
  });

  test('is left for its group to replace if it does not pass them in time', () => {
    const late = (rest: Partial<Sketch> = {}) =>
      told(observe([keptServing(rest), old('i-2')], goingBack(601)), inPlace);
    expect(late()).toEqual(['remove the tags from i-1']);
    // Its load balancer finds it healthy, but something else keeps finding it unhealthy.
    expect(late({ serving: true })).toEqual(['remove the tags from i-1']);
  });
});

describe('recovering members', () => {
  const recovered = (sketches: readonly Sketch[], rest: Scene = {}) => {
    const observation = observe(sketches, goingBack(60, rest));
    return recoverHealth(groupOf(observation), observation);
  };
  const serving = keptServing({ serving: true });
  const other: TrafficSource = { kind: 'load-balancer', name: 'classic' };

  test('are set Healthy together, in the same order, whatever order AWS answers in', () => {
    for (const sketches of [
      [serving, { ...serving, id: 'i-2' }],
      [{ ...serving, id: 'i-2' }, serving],
    ])
      expect(recovered(sketches)).toMatchObject({
        reason: { code: 'health-restored', instanceIds: ['i-1', 'i-2'] },
        actions: [{ instanceIds: ['i-1', 'i-2'] }],
      });
  });

  test('must pass the checks of every traffic source, and be known to each', () => {
    const observation = observe([serving], goingBack(60, { trafficSources: [TARGET_GROUP, other] }));
    const group = groupOf(observation);
    const [first] = group.details?.targetHealth ?? [];
    const checkedBy = (...byInstance: readonly ReadonlyMap<string, TargetHealth>[]) => {
      const targetHealth = byInstance.map((each) => ({ source: other, byInstance: each }));
      return recoverHealth({ ...group, details: { ...group.details, targetHealth } }, observation);
    };
    const healthy = first?.byInstance ?? new Map();
    const unhealthy = new Map([['i-1', { healthy: false, state: 'unhealthy' }]]);
    expect(checkedBy(healthy, healthy)?.kind).toBe('act');
    expect(checkedBy(healthy, unhealthy)).toBeUndefined();
    expect(checkedBy(healthy, new Map())).toBeUndefined();
  });

  test('are waited for until they take tasks', () => {
    expect(recovered([{ ...serving, agentConnected: false }])).toBeUndefined();
  });

  test('are set Healthy after some minutes where nobody shows their checks', () => {
    const undone = (seconds: number) => recovered([serving], { ...goingBack(seconds), trafficSources: [] });
    expect(undone(299)).toBeUndefined();
    expect(undone(301)).toMatchObject({ actions: [{ kind: 'set-healthy', instanceIds: ['i-1'] }] });
  });

  test('are in service, during a rollback or after a drain was given up', () => {
    const aborted = { course: { ...back(60), kind: 'abort' } as Course, changes };
    expect(recovered([{ ...serving, member: 'Standby' }])).toBeUndefined();
    expect(recovered([serving], { roll: aborted })).toBeUndefined();
    expect(recovered([serving], { roll: null })).toBeUndefined();
  });
});

describe('is left Unhealthy if we have nothing to do with it', () => {
  test.each<[string, Sketch]>([
    ['what never drained', old('i-1', { healthy: false, serving: true })],
    ['what was but chosen', old('i-1', { marked: 400, healthy: false, serving: true })],
  ])('%s', (_, sketch) => {
    const actions = told(observe([sketch, old('i-2')], goingBack(60)), inPlace);
    expect(actions.join()).not.toContain('Healthy');
  });
});
