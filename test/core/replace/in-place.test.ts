import { describe, expect, test } from 'vitest';
import type { LifecycleHook } from '../../../lambda/core/model/lifecycle-hook.ts';
import {
  ago,
  detached,
  fresh,
  managedDraining,
  observe,
  old,
  type Scene,
  type Sketch,
  service,
  TARGET_GROUP,
  terminateHook,
  told,
  unready,
} from '../builders.ts';

const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
const twoAtOnce = { ...inPlace, drainConcurrency: 2 };
const steady = { settled: 60 };
const tell = (sketches: readonly Sketch[], scene: Scene = {}) => told(observe(sketches, scene), inPlace);

describe('without a surge', () => {
  test('one member is chosen and stays a member, and no replacement comes before it is gone', () => {
    expect(tell([old('i-1'), old('i-2')])).toEqual(['tag i-1 to be replaced']);
  });

  test('the one with the fewest tasks goes first', () => {
    expect(tell([old('i-1', { running: 3 }), old('i-2', { running: 1 })])).toEqual([
      'tag i-2 to be replaced',
    ]);
  });

  test('as many are chosen as may drain at once', () => {
    expect(told(observe([old('i-1'), old('i-2'), old('i-3')]), twoAtOnce)).toEqual([
      'tag i-1, i-2 to be replaced',
    ]);
  });

  test('not all of a zone are chosen together', () => {
    const zones = [...'aabb'].map((zone, index) => old(`i-${index + 1}`, { zone }));
    expect(told(observe(zones), twoAtOnce)).toEqual(['tag i-1, i-3 to be replaced']);
  });

  test('those that serve nobody do not stand in for others of their zone', () => {
    const ill = fresh('i-9', { zone: 'a', excluded: true, agentConnected: false });
    const zones = [...'aabb'].map((zone, index) => old(`i-${index + 1}`, { zone }));
    expect(told(observe([...zones, ill]), twoAtOnce)).toEqual(['tag i-1, i-3 to be replaced']);
  });

  test('it takes its turn, drains, and is ended through the group, which launches another', () => {
    const at = (rest: Partial<Sketch>) => tell([old('i-1', { marked: 60, ...rest }), old('i-2')], steady);
    expect(at({})).toEqual(['tag i-1 as the next to drain']);
    expect(at({ turn: 10 })).toEqual(['drain i-1']);
    expect(at({ turn: 10, ecs: 'DRAINING', tasks: ['service:api'] })).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
    expect(at({ turn: 10, ecs: 'DRAINING' })).toEqual([
      'terminate i-1 through group web-ecs, which launches as many',
    ]);
  });

  test('it does not drain while services are unsteady, nor end before they have been steady for long enough', () => {
    const next = old('i-1', { marked: 60, turn: 10 });
    const services = [service('api', { runningCount: 1 })];
    expect(tell([next, old('i-2')], { services })).toEqual([
      'wait: i-1 is the next to drain: service api runs 1 of 2 tasks',
    ]);
    expect(tell([{ ...next, ecs: 'DRAINING' }, old('i-2')], { settled: 29 })[0]).toMatch(/^wait: /);
  });

  test('it is ended if a killed run had deregistered it', () => {
    expect(tell([old('i-1', { marked: 60, turn: 10, ecs: null }), old('i-2')])).toEqual([
      'terminate i-1 through group web-ecs, which launches as many',
    ]);
  });

  test('no second is chosen while it ends', () => {
    const draining = old('i-1', { marked: 60, turn: 10, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(told(observe([draining, old('i-2'), old('i-3')], steady), twoAtOnce)).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
  });

  test('nor while one drains that was detached before, and another leaves the group', () => {
    const draining = detached('i-1', { marked: 60, turn: 10, ecs: 'DRAINING', tasks: ['service:api'] });
    const leaving = old('i-2', { member: 'Detaching', marked: 60 });
    expect(tell([draining, leaving, old('i-3')], { ...steady, desiredCapacity: 1 })).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
  });

  test.each(['Terminating', 'Terminating:Wait', 'Terminating:Proceed'])(
    'while it is %s its group lacks one, and the next waits for that',
    (member) => {
      const ending = old('i-1', { member, marked: 60, turn: 10, ecs: null });
      expect(tell([ending, old('i-2')])).toEqual([
        'wait: replacements are not ready: Auto Scaling has launched 1 of 2 instances',
      ]);
    },
  );

  test('the roll is not over while hooks hold the last one', () => {
    const ending = old('i-1', { member: 'Terminating:Wait', marked: 60, turn: 10, ecs: null });
    const rest = [fresh('i-2'), old('i-3')];
    expect(tell([ending, ...rest], { desiredCapacity: 2 })).toEqual([
      'wait: i-1 is still being ended by the group, held by a terminate hook',
    ]);
    expect(tell([ending, fresh('i-2')], { desiredCapacity: 1 })).toEqual([
      'wait: i-1 is still being ended by the group, held by a terminate hook',
    ]);
    expect(tell([{ ...ending, alive: false }, fresh('i-2')], { desiredCapacity: 1 })).toEqual([
      'remove the tags from group web-ecs',
    ]);
  });

  test('a hook that does not release it is named in time, with what to do', () => {
    const ending = old('i-1', { member: 'Terminating:Wait', marked: 60, turn: 10 });
    const holding = (seconds: number, hook: LifecycleHook) =>
      tell([ending, fresh('i-2')], {
        desiredCapacity: 1,
        endingSince: new Map([['i-1', ago(seconds)]]),
        lifecycleHooks: { kind: 'read', hooks: [hook] },
      })[0];
    expect(holding(899, managedDraining)).toBe(
      `wait: i-1 is still being ended by the group: held by hook ${managedDraining.name}`,
    );
    expect(holding(901, managedDraining)).toMatch(
      /^blocked: after 900 s, i-1 is Terminating:Wait, ending since .*; hook ecs-\S+ does not let go: .* complete-lifecycle-action/,
    );
    // The owner's may take the time that its owner gives it.
    expect(holding(901, terminateHook('logs'))).toMatch(/^wait/);
    expect(holding(1201, terminateHook('logs'))).toMatch(/^blocked: after 1200 s/);
  });

  test('a hook that does not release the last hides no replacement that fails: its tasks wait for one', () => {
    const ending = old('i-1', { member: 'Terminating:Wait', marked: 2500, turn: 2400 });
    const scene: Scene = {
      roll: { startedAt: ago(3000) },
      desiredCapacity: 1,
      endingSince: new Map([['i-1', ago(2000)]]),
      lifecycleHooks: { kind: 'read', hooks: [managedDraining] },
      watch: unready(ago(700), 'i-2'),
    };
    expect(tell([ending, fresh('i-2', { ecs: null, age: 950 })], scene)).toContain(
      'tag group web-ecs: rollback, because after 900 s, replacements are not ready: i-2 is InService but not registered in the cluster',
    );
  });

  test('one that is retained after its hook was abandoned is reported, and nothing more begins', () => {
    const retained = old('i-1', { member: 'Terminating:Retained', marked: 60, turn: 10 });
    const scene = { desiredCapacity: 2 };
    expect(tell([retained, fresh('i-2'), old('i-3')], scene)[0]).toMatch(
      /^blocked: i-1 is drained and Terminating:Retained, .* terminate-instance-in-auto-scaling-group/,
    );
  });

  test('the next waits until the replacement is ready and serves', () => {
    const scene = { trafficSources: [TARGET_GROUP] };
    expect(tell([fresh('i-9', { member: 'Pending' }), old('i-2')])[0]).toMatch(/^wait: .* i-9 is Pending/);
    expect(tell([fresh('i-9', { serving: false }), old('i-2')], scene)[0]).toMatch(
      /^wait: .* i-9 is unhealthy in target group web/,
    );
    expect(tell([fresh('i-9'), old('i-2')], scene)).toEqual(['tag i-2 to be replaced']);
  });

  test('a member that its group is ending for another reason is not chosen', () => {
    const ending = old('i-1', { member: 'Terminating:Wait' });
    expect(tell([ending, old('i-2')], { desiredCapacity: 1 })).toEqual(['tag i-2 to be replaced']);
  });

  test('of two chosen, one ends once empty, and the other then waits for the replacement as usual', () => {
    const first = old('i-1', { marked: 60, turn: 20, ecs: 'DRAINING' });
    const second = old('i-2', { marked: 60, turn: 20 });
    expect(told(observe([first, second], steady), twoAtOnce)).toEqual([
      'terminate i-1 through group web-ecs, which launches as many',
      'drain i-2',
    ]);
    const gone = { ...first, member: 'Terminating', ecs: null };
    expect(told(observe([gone, second], steady), twoAtOnce)[0]).toMatch(
      /^wait: .* launched 1 of 2 instances/,
    );
  });

  test('members that no longer run are left to their group', () => {
    const dead = old('i-1', { alive: false, ecs: null });
    expect(tell([dead, old('i-2', { running: 4 })])).toEqual(['tag i-2 to be replaced']);
    expect(tell([dead, fresh('i-2')])).toEqual([
      'wait: i-1 no longer runs, and the group has launched no replacement yet',
    ]);
  });

  test('its drain is given up after the limit, as usual', () => {
    const stuck = old('i-1', { marked: 1900, turn: 1801, ecs: 'DRAINING', tasks: ['family:batch'] });
    expect(tell([stuck, fresh('i-2')])).toEqual(['tag i-1 as not drained in time', 'set i-1 back ACTIVE']);
  });

  test('a replacement that is not ready in time makes the roll go back', () => {
    const late = fresh('i-9', { member: 'Pending', age: 950 });
    const watch = unready(ago(601));
    const roll = { startedAt: ago(2000) };
    expect(tell([late, old('i-2')], { watch, roll })[0]).toMatch(
      /: rollback, because after 900 s, .* i-9 is Pending/,
    );
  });

  test('the group gets no larger and needs no room, even if it receives requests', () => {
    const full = { trafficSources: [TARGET_GROUP], maxSize: 2, minSize: 2 };
    expect(tell([old('i-1'), old('i-2')], full)).toEqual(['tag i-1 to be replaced']);
  });

  test('what was detached before the setting changed still ends', () => {
    const left = detached('i-1', { marked: 60, turn: 10, ecs: 'DRAINING' });
    expect(tell([left, fresh('i-2'), old('i-3', { marked: 60 })], steady)).toEqual([
      'deregister i-1',
      'terminate i-1',
      'tag i-3 as the next to drain',
    ]);
  });
});
