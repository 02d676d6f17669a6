import { describe, expect, test } from 'vitest';
import {
  illSince,
  isSuspected,
  stayingUnhealthy,
  unhealthyServices,
} from '../../../lambda/core/group/health.ts';
import { unsteadyServices } from '../../../lambda/core/group/ill-services.ts';
import { NOT_WATCHED } from '../../../lambda/core/group/steadiness.ts';
import type { UnhealthyTask } from '../../../lambda/core/model/cluster.ts';
import {
  ago,
  arnOf,
  assessed,
  fresh,
  groupOf,
  inZone,
  observe,
  old,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
} from '../builders.ts';

const { readyTimeoutSeconds: READY, drainTimeoutSeconds: DRAIN } = SETTINGS;

const sick = (rest: Partial<UnhealthyTask> = {}, instanceId = 'i-9'): UnhealthyTask => ({
  arn: 'arn:task/web/9',
  service: 'api',
  containerInstanceArn: arnOf(instanceId),
  startedAt: ago(READY + 1),
  starting: false,
  ofNoImage: false,
  says: 'it is unhealthy',
  ...rest,
});

describe('services that run all their tasks', () => {
  const lacking = (scene: Scene) => {
    const observation = observe([fresh('i-9')], scene);
    return unhealthyServices(groupOf(observation), observation, scene.services ?? [service('api')]);
  };
  const servedBefore = (runningCount: number) => ({ roll: { unsteady: [{ name: 'api', runningCount }] } });

  test('are not settled while fewer serve than are desired', () => {
    const what = { kind: 'service-unhealthy', service: 'api', count: 1, says: 'it is unhealthy' };
    expect(lacking({ unhealthy: [sick()] })).toEqual([{ what, service: 'api', deploys: false }]);
    expect(lacking({ unhealthy: [sick()], services: [service('api', { runningCount: 3 })] })).toEqual([]);
    expect(lacking({ unhealthy: [sick({ service: 'web' })] })).toEqual([]);
    expect(lacking({})).toEqual([]);
  });

  test('are settled as long as no fewer serve than did before', () => {
    expect(lacking({ unhealthy: [sick()], ...servedBefore(1) })).toEqual([]);
    expect(lacking({ unhealthy: [sick(), sick()], ...servedBefore(1) })).toHaveLength(1);
    expect(
      lacking({ unhealthy: [sick()], roll: { unsteady: [{ name: 'web', runningCount: 0 }] } }),
    ).toHaveLength(1);
    expect(lacking({ unhealthy: [sick()], roll: null })).toHaveLength(1);
    // It may have been made smaller since.
    const services = [service('api', { desiredCount: 1 })];
    expect(lacking({ unhealthy: [sick()], services, ...servedBefore(2) })).toEqual([]);
  });

  test("of a daemon's each counts, as there are as many as instances", () => {
    const services = [service('api', { daemon: true, desiredCount: 0, runningCount: 9 })];
    expect(lacking({ unhealthy: [sick()], services })).toHaveLength(1);
    expect(lacking({ unhealthy: [sick()], services, ...servedBefore(0) })).toEqual([]);
  });

  test('are ill before the roll if some run without serving, unless they have just started', () => {
    const ill = (scene: Scene) => unsteadyServices(observe([], { roll: null, ...scene }));
    expect(ill({ unhealthy: [sick()] })).toEqual([{ name: 'api', runningCount: 1 }]);
    expect(ill({ unhealthy: [sick({ starting: true })] })).toEqual([]);
    const services = [service('api', { deploying: true })];
    expect(ill({ unhealthy: [sick()], services })).toEqual([]);
  });
});

describe('the image is to blame', () => {
  const ARN = sick().arn;
  const ill = (seconds: number) => new Map([[ARN, ago(seconds)]]);
  const watch = { draining: [], unsettledSince: ago(121), illSince: ill(600) };
  const blamed = (unhealthy: readonly UnhealthyTask[], scene: Scene = {}) => {
    const sketches = [old('i-1'), fresh('i-9', { age: 400 })];
    const roll = { startedAt: ago(READY * 3), ...scene.roll };
    return stayingUnhealthy(assessed(observe(sketches, { watch, ...scene, unhealthy, roll })));
  };

  test('if a task has run on a replacement without serving for as long as one may take', () => {
    expect(blamed([sick()])).toEqual({
      code: 'tasks-stay-unhealthy',
      service: 'api',
      instanceId: 'i-9',
      says: 'it is unhealthy',
      forSeconds: 600,
    });
    expect(blamed([sick({ startedAt: ago(READY) })])).toBeUndefined();
    expect(blamed([{ ...sick(), startedAt: undefined }] as never)).toBeUndefined();
  });

  test('only once the grace period of its service is over, or the drain would be given up', () => {
    const services = (graceSeconds: number) => ({ services: [service('api', { graceSeconds })] });
    expect(blamed([sick()], services(READY + 60))).toBeUndefined();
    expect(blamed([sick({ startedAt: ago(READY + 61) })], services(READY + 60))).toBeDefined();
    const last = DRAIN - 300;
    expect(blamed([sick({ startedAt: ago(last) })], services(9999))).toBeUndefined();
    expect(blamed([sick({ startedAt: ago(last + 1) })], services(9999))).toBeDefined();
  });

  test('of a roll alone', () => {
    const none = { watch, unhealthy: [sick()], roll: null };
    expect(stayingUnhealthy(assessed(observe([fresh('i-9')], none)))).toBeUndefined();
  });

  test('not by a moment', () => {
    expect(blamed([sick()], { watch: { ...watch, unsettledSince: ago(120) } })).toBeUndefined();
    expect(blamed([sick()], { watch: { draining: [], illSince: ill(600) } })).toBeUndefined();
  });

  test('not by a moment in which a task that has served for hours fails its checks', () => {
    const aged = [sick({ startedAt: ago(7200) })];
    const drains = { ...NOT_WATCHED, unsettledSince: ago(200) };
    const first = { ...drains, illSince: illSince(observe([], { unhealthy: aged }), drains) };
    expect(blamed(aged, { watch: first })).toBeUndefined();
    expect(blamed(aged, { watch: drains })).toBeUndefined();
    expect(blamed(aged, { watch: { ...drains, illSince: ill(599) } })).toBeUndefined();
    expect(blamed(aged, { watch: { ...drains, illSince: ill(600) } })).toBeDefined();
    // Another one was ill before.
    expect(blamed([{ ...sick(), arn: 'arn:task/web/8' }], { watch })).toBeUndefined();
  });

  test('once it was ill at each reading for so long, whatever is not read meanwhile', () => {
    const since = (before: number | undefined, scene: Scene) =>
      illSince(observe([], scene), {
        ...NOT_WATCHED,
        ...(before !== undefined && { illSince: ill(before) }),
      })?.get(ARN);
    expect(since(undefined, { unhealthy: [sick()] })).toEqual(ago(0));
    expect(since(60, { unhealthy: [sick()] })).toEqual(ago(60));
    expect(since(60, {})).toEqual(ago(60));
    expect(since(60, { unhealthy: [] })).toBeUndefined();
    expect(since(60, { unhealthy: [sick({ ofNoImage: true })] })).toBeUndefined();
  });

  test('no sooner than that, and until then nobody else gives up', () => {
    const suspected = (seconds: number, task: Partial<UnhealthyTask> = {}) => {
      const scene = { watch: { ...watch, illSince: ill(seconds) }, roll: { startedAt: ago(READY * 3) } };
      return isSuspected(
        assessed(observe([old('i-1'), fresh('i-9')], { ...scene, unhealthy: [sick(task)] })),
      );
    };
    expect(suspected(599)).toBe(true);
    expect(suspected(600)).toBe(false);
    expect(suspected(599, { ofNoImage: true })).toBe(false);
    expect(suspected(599, { startedAt: ago(READY) })).toBe(false);
  });

  test('in a zone where nothing old is left, too: the service may have no task elsewhere', () => {
    const roll = { startedAt: ago(READY * 3) };
    const found = (...others: readonly Sketch[]) => {
      const ill = fresh('i-9', inZone('a'));
      return stayingUnhealthy(assessed(observe([ill, ...others], { watch, unhealthy: [sick()], roll })));
    };
    const beside = fresh('i-8', { ...inZone('b'), running: 1 });
    expect(found(beside)).toBeDefined();
    expect(found(beside, old('i-1', inZone('a')))).toBeDefined();
    expect(found()).toBeDefined();
  });

  test('not where the service is ill itself, or being deployed, or its load balancer lets nobody through', () => {
    expect(blamed([sick()], { roll: { unsteady: [{ name: 'api', runningCount: 1 }] } })).toBeUndefined();
    expect(blamed([sick()], { roll: { unsteady: [{ name: 'web', runningCount: 1 }] } })).toBeDefined();
    expect(blamed([sick(), sick({}, 'i-gone')])).toBeUndefined();
    expect(blamed([sick(), sick({}, 'i-1')])).toBeUndefined();
    expect(blamed([sick({ ofNoImage: true })])).toBeUndefined();
    const deployment = {
      id: 'd',
      begunAt: ago(60),
      bakeSeconds: 0,
      runningCount: 1,
      failedTasks: 0,
      succeeded: false,
    };
    expect(blamed([sick()], { services: [service('api', { deployment })] })).toBeUndefined();
  });
});
