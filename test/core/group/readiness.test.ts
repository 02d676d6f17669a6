import { describe, expect, test } from 'vitest';
import { readiness } from '../../../lambda/core/group/readiness.ts';
import type { TargetHealth } from '../../../lambda/core/model/group.ts';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  assessed,
  detached,
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
} from '../builders.ts';

const lacks = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  readiness(assessed(observe(sketches, scene), settings));
const kinds = (...given: Parameters<typeof lacks>) => lacks(...given).map(({ what }) => what.kind);
const unhealthy = { healthy: false };

describe('which members must be ready', () => {
  test('those that stay, but not in Standby', () => {
    expect(kinds([fresh('i-9', unhealthy)])).toEqual(['member-unhealthy']);
    expect(kinds([fresh('i-9', { member: 'Standby' })], { desiredCapacity: 0 })).toEqual([]);
  });

  test('outdated ones only if they were launched since the roll began, or since the first was marked', () => {
    const roll = { startedAt: ago(500) };
    expect(kinds([old('i-1', { ...unhealthy, age: 501 })], { roll })).toEqual([]);
    expect(kinds([old('i-1', { ...unhealthy, age: 500 })], { roll })).toEqual(['member-unhealthy']);
    const marked = [detached('i-2', { marked: 700 }), detached('i-3', { marked: 600 })];
    const late = (age: number) => [...marked, old('i-1', { ...unhealthy, age })];
    expect(kinds(late(700), { roll })).toEqual(['member-unhealthy']);
    expect(kinds(late(701), { roll })).toEqual([]);
  });

  test('outdated ones without a roll not at all', () => {
    expect(kinds([old('i-1', { ...unhealthy, age: 1 })], { roll: null })).toEqual([]);
  });

  test('not those that are marked themselves', () => {
    expect(kinds([old('i-1', { ...unhealthy, age: 10, marked: 5 })])).toEqual([]);
  });

  test('not those that a rollback removes, though the group counts them', () => {
    const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
    const scene = { roll: { course }, launch: launching(PLACE, OLD, OLD) };
    expect(kinds([old('i-1'), fresh('i-9', { ...unhealthy, age: 10 })], scene)).toEqual([]);
  });

  test('not surplus ones, which drain as members', () => {
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const roll = { changes: { suspended: [], addedSizes } };
    const throughGroup = { terminateHooks: 'run' } as const;
    const members = [fresh('i-8'), fresh('i-9', { ...unhealthy, marked: 60 })];
    expect(kinds(members, { roll }, throughGroup)).toEqual([]);
    expect(kinds(members, {}, throughGroup)).toEqual(['member-unhealthy']);
  });

  test('those that EC2 does not answer for, by the word of their group', () => {
    const waitedFor = (lifecycleState: string, desiredCapacity: number) => {
      const scene = { desiredCapacity, unknown: { zones: ['a'], instanceIds: ['i-8'] } };
      const observation = observe([fresh('i-8', { member: lifecycleState }), fresh('i-9')], scene);
      const group = groupOf(observation);
      const instances = group.instances.filter(({ instanceId }) => instanceId !== 'i-8');
      return readiness(assessed({ ...observation, groups: [{ ...group, instances }] }));
    };
    expect(waitedFor('InService', 2)).toEqual([]);
    expect(waitedFor('Standby', 1)).toEqual([]);
    expect(waitedFor('Pending', 2)).toEqual([
      {
        what: { kind: 'member-not-in-service', instanceId: 'i-8', lifecycleState: 'Pending' },
        failing: false,
      },
    ]);
  });
});

describe('a group lacks members', () => {
  const two = { desiredCapacity: 2 };

  test('unless outdated, excluded and unseen ones make up its desired capacity', () => {
    expect(kinds([fresh('i-9')], two)).toEqual(['members-lacking']);
    expect(kinds([fresh('i-9'), old('i-1')], two)).toEqual([]);
    expect(kinds([fresh('i-9'), old('i-1', { excluded: true })], two)).toEqual([]);
    expect(kinds([fresh('i-9'), old('i-1', { member: 'Pending' })], two)).toEqual(['members-lacking']);
    expect(kinds([fresh('i-9'), old('i-1', { member: 'Standby', excluded: true })], two)).toEqual([
      'members-lacking',
    ]);
    expect(kinds([fresh('i-9', { weight: 2 })], two)).toEqual([]);
  });

  test('that EC2 doesn’t show, by name', () => {
    const observation = observe([fresh('i-8'), fresh('i-9')]);
    const group = groupOf(observation);
    const seen = { ...group, instances: group.instances.filter(({ instanceId }) => instanceId !== 'i-8') };
    expect(readiness(assessed({ ...observation, groups: [seen] }))).toEqual([
      { what: { kind: 'member-unseen', instanceId: 'i-8' }, failing: false },
    ]);
  });

  test('by fault of what it launches if it has to replace some, or a launch failed', () => {
    const failing = (sketches: readonly Sketch[], message?: string) => {
      const failedLaunches = message === undefined ? [] : [{ at: ago(60), message }];
      return lacks(sketches, { ...two, failedLaunches }).map((each) => each.failing);
    };
    const noRoom = 'We currently do not have sufficient m5.large capacity';
    expect(failing([fresh('i-9')])).toEqual([false]);
    expect(failing([fresh('i-9'), detached('i-1')])).toEqual([true]);
    expect(failing([old('i-9', { marked: 60 })])).toEqual([true]);
    expect(failing([old('i-9')])).toEqual([false]);
    expect(failing([fresh('i-9')], 'Invalid device name')).toEqual([true]);
    expect(failing([fresh('i-9'), detached('i-1')], noRoom)).toEqual([false]);
  });

  test('and reports how many, and why a launch failed', () => {
    const failedLaunches = [{ at: ago(60), message: 'Invalid device name' }];
    expect(lacks([fresh('i-9')], { ...two, failedLaunches })).toMatchObject([
      { what: { launched: 1, desired: 2, failure: { message: 'Invalid device name', ofNoImage: false } } },
    ]);
    expect(lacks([fresh('i-9')], two)[0]?.what).not.toHaveProperty('failure');
  });

  test('and reports the launch that failed by an image rather than one that did not, and a way back', () => {
    const noRoom = { at: ago(60), message: 'We currently do not have sufficient m5.large capacity' };
    const ofImage = { at: ago(90), message: 'Invalid device name' };
    const failure = (failedLaunches: Scene['failedLaunches'], roll: Scene['roll'] = {}) => {
      const [lack] = lacks([fresh('i-9')], { ...two, failedLaunches, roll });
      return lack?.what.kind === 'members-lacking' && lack.what.failure;
    };
    expect(failure([noRoom, ofImage])).toEqual({ message: ofImage.message, ofNoImage: false });
    expect(failure([noRoom])).toEqual({ message: noRoom.message, ofNoImage: true });
    expect(failure([noRoom], null)).toEqual({ message: noRoom.message, ofNoImage: true });
    const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
    for (const failed of [[noRoom], [noRoom, ofImage]])
      expect(failure(failed, { course })).toEqual({
        message: noRoom.message,
        ofNoImage: true,
        goingBack: true,
      });
  });

  test('by fault of what it launches while one is being detached', () => {
    const detaching = old('i-1', { member: 'Detaching', marked: 5 });
    expect(lacks([fresh('i-9'), detaching], two).map((each) => each.failing)).toEqual([true]);
  });
});

describe('a member that is not ready', () => {
  const failing = (rest: Partial<Sketch>, scene: Scene = {}) =>
    lacks([fresh('i-9', rest)], scene).map((each) => each.failing);

  test('is the fault of what the group launches if the roll launched it', () => {
    const roll = { startedAt: ago(500) };
    expect(failing({ ...unhealthy, age: 500 }, { roll })).toEqual([true]);
    expect(failing({ ...unhealthy, age: 501 }, { roll })).toEqual([false]);
    expect(failing(unhealthy, { roll: null })).toEqual([false]);
    expect(failing({ ecs: 'DRAINING' }, { roll })).toEqual([false]);
  });

  test('names the traffic sources that don’t serve from it, with what they say', () => {
    const said = (scene: Scene) => lacks([fresh('i-9', { serving: false })], scene).map(({ what }) => what);
    expect(said({ trafficSources: [TARGET_GROUP] })).toEqual([
      {
        kind: 'member-unserved',
        instanceId: 'i-9',
        source: { kind: 'target-group', name: 'web' },
        state: 'unhealthy',
      },
    ]);
    expect(said({ trafficSources: [{ kind: 'load-balancer', name: 'classic' }] })).toMatchObject([
      { source: { kind: 'load-balancer', name: 'classic' } },
    ]);
    expect(said({ trafficSources: [{ kind: 'target-group', arn: 'tg-1' }] })).toMatchObject([
      { source: { kind: 'target-group', name: 'tg-1' } },
    ]);
    expect(kinds([fresh('i-9')], { trafficSources: [TARGET_GROUP] })).toEqual([]);
    const health = { healthy: false, state: 'unhealthy', description: 'Request timed out' };
    const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map([['i-9', health]]) }];
    expect(said({ targetHealth })).toMatchObject([{ description: 'Request timed out' }]);
    const unregistered = [{ source: TARGET_GROUP, byInstance: new Map() }];
    expect(said({ targetHealth: unregistered })).toStrictEqual([
      { kind: 'member-unserved', instanceId: 'i-9', source: { kind: 'target-group', name: 'web' } },
    ]);
  });

  test('is no fault of what the group launches where nobody is served, or nobody knows', () => {
    const told = (why: Partial<TargetHealth> = {}) => {
      const health = { healthy: false, state: 'Unknown', ...why } as const;
      const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map([['i-9', health]]) }];
      return failing({}, { trafficSources: [TARGET_GROUP], targetHealth, roll: { startedAt: ago(500) } });
    };
    expect(told({ unknown: true })).toEqual([false]);
    expect(told({ barred: true })).toEqual([false]);
    expect(told({ shifted: true })).toEqual([false]);
    expect(told()).toEqual([true]);
    const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map() }];
    const unregistered = { trafficSources: [TARGET_GROUP], targetHealth, roll: { startedAt: ago(500) } };
    expect(failing({}, unregistered)).toEqual([false]);
  });

  test('is waited for no longer than a replacement if a rollback found it ill and it is old', () => {
    const back = (since: number, sketch: Sketch, health: Partial<TargetHealth> = {}) => {
      const byInstance = new Map([['i-1', { healthy: false, state: 'unhealthy', ...health }]]);
      const course = { kind: 'rollback', since: ago(since), because: { code: 'asked' } } as const;
      const targetHealth = [{ source: TARGET_GROUP, byInstance }];
      const scene = {
        roll: { startedAt: ago(2000), course },
        launch: launching(PLACE, OLD, OLD),
        targetHealth,
      };
      return kinds([sketch], scene, { readyTimeoutSeconds: 900 });
    };
    expect(back(901, old('i-1'))).toEqual([]);
    expect(back(900, old('i-1'))).toEqual(['member-unserved']);
    expect(back(901, old('i-1', { age: 2000 }))).toEqual(['member-unserved']);
    expect(back(901, old('i-1', unhealthy))).toEqual(['member-unhealthy']);
    expect(back(901, old('i-1'), { state: 'initial', starting: true })).toEqual(['member-unserved']);
    expect(back(901, old('i-2'))).toEqual(['member-unserved']);
  });

  test('says who drained it, or what holds it before it is in service', () => {
    expect(lacks([fresh('i-9', { ecs: 'DRAINING' })]).map(({ what }) => what)).toEqual([
      { kind: 'member-drained-by-others', instanceId: 'i-9' },
    ]);
    const hook = {
      name: 'bootstrap',
      transition: 'launching',
      heartbeatSeconds: 600,
      abandons: false,
      globalTimeoutSeconds: 7200,
    } as const;
    const held = { kind: 'member-not-in-service', instanceId: 'i-9', lifecycleState: 'Pending:Wait' };
    const waiting = [fresh('i-9', { member: 'Pending:Wait' })];
    const said = (hooks: readonly LifecycleHook[]) =>
      lacks(waiting, { lifecycleHooks: { kind: 'read', hooks } })
        .map(({ what }) => what)
        .at(-1);
    expect(said([])).toEqual(held);
    expect(said([hook])).toEqual({
      ...held,
      heldBy: { hooks: ['bootstrap'], heartbeatSeconds: 600, abandoning: [] },
    });
  });

  test('says why it is not ACTIVE', () => {
    const registering = fresh('i-9', { ecs: 'REGISTRATION_FAILED' });
    const observation = observe([registering]);
    const statusReason = 'the trunk interface could not be created';
    const [first] = observation.containerInstances;
    if (first === undefined) throw new Error('nothing is registered');
    const told = (containerInstances: typeof observation.containerInstances) =>
      readiness(assessed({ ...observation, containerInstances })).map(({ what }) => what);
    const status = 'REGISTRATION_FAILED';
    const fault = { kind: 'member-not-active', instanceId: 'i-9', status };
    expect(told([{ ...first, statusReason }])).toEqual([{ ...fault, statusReason }]);
    expect(told([first])).toEqual([fault]);
  });

  test.each([
    ['the trunk interface could not be created', true],
    ["Unexpected EC2 error while attempting to Create Network Interface in subnet 'subnet-1': …", false],
  ])('blames the image unless ECS says what no image causes: %s', (statusReason, failing) => {
    const observation = observe([fresh('i-9', { ecs: 'REGISTRATION_FAILED' })], {
      roll: { startedAt: ago(900) },
    });
    const containerInstances = observation.containerInstances.map((each) => ({ ...each, statusReason }));
    expect(readiness(assessed({ ...observation, containerInstances }))).toMatchObject([{ failing }]);
  });
});
