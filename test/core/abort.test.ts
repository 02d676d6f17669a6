import { describe, expect, test } from 'vitest';
import type { PreviousLaunchSpec } from '../../lambda/core/model/launch.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import {
  ago,
  decideAll,
  decided,
  detached,
  fresh,
  launching,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  TARGET,
  TARGET_GROUP,
  told,
  unready,
} from './builders.ts';

const course = { kind: 'abort', since: ago(100), because: { code: 'asked' } } as const;
const OURS = ['AZRebalance', 'InstanceRefresh'];
const rejection = {
  imageIds: [TARGET.imageId],
  because: { code: 'aborted', because: { code: 'asked' } } as const,
};
const aborted: Scene = { roll: { course }, rejection, settled: 60 };
const hooks = { terminateHooks: 'run' } as const;
const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
const tell = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  told(observe(sketches, { ...aborted, ...scene }), settings);

describe('an aborted roll', () => {
  test('begins no other batch, and ends with the rest as it is', () => {
    expect(tell([old('i-1'), fresh('i-2')])).toEqual(['remove the tags from group web-ecs']);
  });

  test('records at its end that its image must not be tried again', () => {
    expect(tell([old('i-1')], { rejection: undefined })).toEqual([
      'tag group web-ecs: not onto ami-7a2 again',
      'remove the tags from group web-ecs',
    ]);
  });

  test('terminates what is detached already, as usual', () => {
    const rest = [old('i-2'), fresh('i-9')];
    expect(tell([detached('i-1'), ...rest])).toEqual(['tag i-1 as the next to drain']);
    expect(tell([detached('i-1', { turn: 20 }), ...rest])).toEqual(['drain i-1']);
    expect(tell([detached('i-1', { turn: 20, ecs: 'DRAINING' }), ...rest])).toEqual([
      'deregister i-1',
      'terminate i-1',
    ]);
  });

  test('removes its tags from instances it chose but has not started on', () => {
    expect(tell([old('i-1', { marked: 20 }), fresh('i-9')])).toEqual(['remove the tags from i-1']);
    const warm = [old('i-8', { member: 'Warmed:Stopped', ecs: null, marked: 20 })];
    expect(tell([fresh('i-9')], { warm })).toEqual(['remove the tags from i-8']);
  });

  test('lets another leave than the last of a zone that a load balancer serves apart', () => {
    const sketches = [
      old('i-1', { zone: 'a', marked: 60 }),
      old('i-2', { zone: 'b' }),
      fresh('i-9', { zone: 'b' }),
    ];
    const byInstance = new Map(sketches.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const scene = {
      roll: { course, changes: { suspended: suspendedProcesses, addedSizes } },
      suspendedProcesses,
      trafficSources: [TARGET_GROUP],
      maxSize: 9,
    };
    const leaving = (zonal: boolean) =>
      tell(sketches, { ...scene, targetHealth: [{ source: TARGET_GROUP, zonal, byInstance }] }, hooks);
    expect(leaving(true)).toEqual(['remove the tags from i-1', 'tag i-2 to be replaced']);
    expect(leaving(false)).toEqual(['tag i-1 as the next to drain']);
    // All others run the new image: of these one leaves, in the end.
    const [first, ...others] = sketches;
    const without = [first ?? old('i-1'), ...others.map(({ id }) => fresh(id, { zone: 'b' }))];
    const staying = [old('i-1', { zone: 'a' }), ...without.slice(1)];
    const told = (each: readonly Sketch[]) =>
      tell(each, { ...scene, targetHealth: [{ source: TARGET_GROUP, zonal: true, byInstance }] }, hooks);
    expect(told(without)).toEqual(['remove the tags from i-1']);
    expect(told(staying)[0]).toMatch(/^tag i-[29] to be replaced$/);
    // Whoever leaves empties a zone.
    const apart = [first ?? old('i-1'), fresh('i-2', { zone: 'b' }), fresh('i-9', { zone: 'c' })];
    expect(told(apart)).toEqual(['tag i-1 as the next to drain']);
  });

  test('lets members stay that the group, which ends them itself, was not enlarged for', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification', 'ReplaceUnhealthy'];
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const scene = {
      roll: { course, changes: { suspended: suspendedProcesses, addedSizes } },
      suspendedProcesses,
      desiredCapacity: 4,
      settled: 300,
    };
    const leaving = (...olds: readonly Sketch[]) => tell([...olds, fresh('i-3'), fresh('i-4')], scene, hooks);
    const inTurn = { marked: 60, turn: 50 };
    expect(leaving(old('i-1', inTurn), old('i-2', inTurn))).toEqual(['remove the tags from i-2']);
    expect(leaving(old('i-1', inTurn), old('i-2'))).toEqual(['drain i-1']);
    // One in Standby needs nobody in its place.
    const none = { course, changes: { suspended: [], addedSizes: { desiredCapacity: 0, maxSize: 0 } } };
    const aside = old('i-2', { ...inTurn, member: 'Standby' });
    const both = [old('i-1', inTurn), aside, fresh('i-3')];
    const alone = { ...scene, roll: none, desiredCapacity: 2 };
    expect(tell(both, alone, { ...hooks, standby: 'replace' })).toEqual(['remove the tags from i-1']);
  });

  test('lets what was chosen drain in place: its group launches another', () => {
    const chosen = [old('i-1', { marked: 60, turn: 50 }), old('i-2')];
    expect(tell(chosen, {}, inPlace)).toEqual(['drain i-1']);
    expect(tell(chosen, {}, { ...inPlace, ...hooks })).toEqual(['drain i-1']);
  });

  test('marks anew what drains for what the group is larger by, if somebody removed the marks', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification', 'ReplaceUnhealthy'];
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const scene = {
      roll: { course, changes: { suspended: [], addedSizes } },
      suspendedProcesses,
      maxSize: 9,
    };
    const draining = (id: string, rest: Partial<Sketch> = {}) =>
      old(id, { ecs: 'DRAINING', tasks: ['service:api'], ...rest });
    const again = (sketches: readonly Sketch[], rest: Scene = {}) =>
      tell([...sketches, fresh('i-8'), fresh('i-9')], { ...scene, ...rest }, hooks);
    expect(again([draining('i-1'), old('i-2')])).toEqual(['tag i-1 to be replaced']);
    expect(again([old('i-1'), draining('i-2'), draining('i-3')])).toEqual(['tag i-2 to be replaced']);
    const pending = draining('i-1', { member: 'Pending' });
    expect(again([pending, draining('i-2')], { desiredCapacity: 3 })).toEqual(['tag i-2 to be replaced']);
    const marked = { marked: 60, turn: 50 };
    expect(again([draining('i-1', marked), draining('i-2')])[0]).toMatch(/^wait: i-1 drains/);
    const ending = old('i-1', { ...marked, member: 'Terminating:Wait' });
    expect(again([ending, draining('i-2')], { desiredCapacity: 3 }).join()).not.toContain('tag i-2');
    const decision = decided(observe([draining('i-1'), fresh('i-9')], { ...aborted, ...scene }), hooks);
    expect(decision).toMatchObject({ reason: { code: 'marked-again', count: 1, of: 2 } });
  });

  test('gives back by how much the group was enlarged', () => {
    const addedSizes = { desiredCapacity: 1, maxSize: 0, over: { desiredCapacity: 1, maxSize: 9 } };
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const roll = { course, changes: { suspended: suspendedProcesses, addedSizes } };
    const scene = { roll, suspendedProcesses, trafficSources: [TARGET_GROUP], maxSize: 9 };
    expect(tell([old('i-1'), fresh('i-9')], scene)).toEqual([
      'tag i-9 to be replaced',
      expect.stringContaining('its size goes from 2 of 9 to 1 of 9'),
      'detach i-9 from group web-ecs, which gets smaller by as many',
      expect.anything(),
    ]);
    // As after a rollback, in which what the roll had launched is outdated, that was aborted in turn.
    expect(tell([old('i-1'), old('i-9', { age: 300 })], scene)[0]).toBe('tag i-9 to be replaced');
  });

  test('resumes what it suspended, though outdated members and warm-pool instances stay', () => {
    const warm = [old('i-8', { member: 'Warmed:Stopped', ecs: null })];
    const roll = { course, changes: { suspended: OURS, addedSizes: { desiredCapacity: 0, maxSize: 0 } } };
    expect(tell([old('i-1')], { roll })[0]).toMatch(/^resume AZRebalance and InstanceRefresh/);
    expect(tell([old('i-1')], { roll, warm })[0]).toMatch(/^resume AZRebalance and InstanceRefresh/);
  });

  test('keeps what would get in the way suspended while a member drains in place', () => {
    const roll = { course, changes: { suspended: OURS, addedSizes: { desiredCapacity: 0, maxSize: 0 } } };
    const draining = old('i-1', { marked: 60, turn: 20, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(tell([draining, old('i-2')], { roll }, inPlace)[0]).toMatch(/^wait: i-1 drains/);
  });

  test('ends even if continuing would change what others launch', () => {
    const launch = launching({
      kind: 'launch-template',
      templateId: 'lt-1',
      reference: '$Latest',
      version: 3,
    });
    const other = { templateId: 'lt-1', group: 'other', reference: '$Latest', version: 3 } as const;
    expect(tell([old('i-1')], { launch, templateUsers: [other] })).toEqual([
      'remove the tags from group web-ecs',
    ]);
  });

  test('begins again only if somebody forces it, or for a newer image', () => {
    const { sources } = launching({ kind: 'launch-configuration', name: 'web-lc', uuid: '2' });
    const stays = sources.map((each) => ({
      ...each,
      target: { ...TARGET, imageId: each.imageId },
      rejected: TARGET.imageId,
      onlyForNew: true,
    }));
    const [reason] = tell([old('i-1')], {
      roll: null,
      launch: { sources: stays, mixed: false },
    });
    expect(reason).toMatch(/^skipped: ami-7a2 is not tried again \(aborted: somebody asked for it\)/);
  });
});

test("an aborted roll does not begin again for members launched from the group's earlier launch spec", () => {
  const place = { kind: 'launch-configuration', name: 'web-lc-new', uuid: '2' } as const;
  const { sources } = launching(place, TARGET);
  const stays = sources.map((each) => ({ ...each, rejected: TARGET.imageId, onlyForNew: true }));
  const before = old('i-1', { launchedFrom: { kind: 'launch-configuration', name: 'web-lc' } });
  const scene = { roll: null, launch: { sources: stays, mixed: false } };
  expect(told(observe([before], scene), { drift: ['image', 'launch-spec'] })[0]).toMatch(/^skipped/);
});

describe('an aborted roll that is blocked', () => {
  const blocked = (previous: readonly PreviousLaunchSpec[]) => {
    const scene = { ...aborted, roll: { course, previous, startedAt: ago(9000) } };
    const old = detached('i-1', { marked: 2000 });
    return decided(
      observe([old, fresh('i-9', { ecs: null, age: 1900 })], { ...scene, watch: unready(ago(1900)) }),
    );
  };

  test('would be helped by a rollback, if there is anything to go back to', () => {
    expect(blocked([{ kind: 'launch-configuration', name: 'web-lc-old' }])).toMatchObject({
      kind: 'blocked',
      rollbackHelps: true,
    });
    expect(blocked([])).toMatchObject({ kind: 'blocked' });
    expect(blocked([])).not.toHaveProperty('rollbackHelps');
    const goesOn = decided(observe([detached('i-1'), fresh('i-9')], aborted));
    expect(goesOn).not.toHaveProperty('rollbackHelps');
  });
});

test('instances that an aborted roll leaves alone are told in order', () => {
  const marked = [old('i-2', { marked: 20, age: 90_000 }), old('i-1', { marked: 20 })];
  expect(tell([...marked, fresh('i-9')])).toEqual(['remove the tags from i-1, i-2']);
});

describe('an aborted roll warns', () => {
  const warned = (sketches: readonly Sketch[], scene: Scene = aborted) => {
    const [first] = decideAll(observe(sketches, scene), SETTINGS, ROLL);
    return first?.warnings.filter(({ code }) => code === 'draining-unmarked');
  };
  const draining = old('i-1', { ecs: 'DRAINING' });

  test('of members that drain though nobody has marked them', () => {
    expect(warned([draining, old('i-2'), fresh('i-3', { ecs: 'DRAINING' })])).toEqual([
      { code: 'draining-unmarked', instanceIds: ['i-1'] },
    ]);
  });

  test('not of those that its owner has put in Standby, nor of its own', () => {
    expect(warned([{ ...draining, member: 'Standby' }])).toEqual([]);
    expect(warned([{ ...draining, marked: 20 }])).toEqual([]);
  });

  test('of nothing while it goes forward, or before it begins', () => {
    expect(warned([draining], { settled: 60 })).toEqual([]);
    expect(warned([draining], { roll: null })).toEqual([]);
  });
});
