import { describe, expect, test } from 'vitest';
import type { AddedSizes } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  decided,
  detached,
  fresh,
  NOW,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  told,
} from '../builders.ts';

/** A group behind a target group, in the middle of its roll, with its processes already adjusted. */
function served(
  sketches: readonly Sketch[],
  { addedSizes, ...scene }: Scene & { addedSizes?: Partial<AddedSizes> } = {},
) {
  return observe(sketches, {
    trafficSources: [TARGET_GROUP],
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
    roll: { changes: { suspended: [], addedSizes: { desiredCapacity: 0, maxSize: 0, ...addedSizes } } },
    ...scene,
  });
}

const olds = (...ids: string[]) => ids.map((id) => old(id));
const marked = (...ids: string[]) => ids.map((id) => old(id, { marked: 60 }));
const some = (count: number, of: (id: string) => Sketch, first = 10) =>
  Array.from({ length: count }, (_, index) => of(`i-${first + index}`));
const one = { maxSurge: { kind: 'count', count: 1 } } as const;
const NO_ROOM =
  'blocked: the group has 2 of at most 2 instances, and must be larger for a while, as a detached instance would stop ' +
  'serving at once; raise its maximum size, or set RAISE_MAX_SIZE to true or MAX_SURGE to 0';

describe('a group that receives requests', () => {
  test('gets larger by its batch before any member leaves, and records the intent on its tags first', () => {
    expect(told(served(olds('i-1', 'i-2'), { maxSize: 5 }))).toEqual([
      'tag i-1, i-2 to be replaced',
      'tag group web-ecs: its size goes from 2 of 5 to 4 of 5',
      'set group web-ecs to 4 instances',
      'tag group web-ecs: 2 of its instances are ours',
    ]);
  });

  test.each([
    [50, 4, 4],
    [67, 4, 1],
    [80, 4, 1],
    [80, 10, 2],
    [99, 10, 1],
  ])('that wants %i percent of its targets healthy gets larger from %i by %i', (percent, count, by) => {
    const serving = some(count, old);
    const byInstance = new Map(serving.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
    byInstance.set('i-99', { healthy: false, state: 'draining' });
    const targetHealth = [{ source: TARGET_GROUP, byInstance, leastHealthyPercent: percent }];
    const size = `set group web-ecs to ${count + by} instances`;
    expect(told(served(serving, { maxSize: 40, targetHealth }))).toContain(size);
  });

  test.each([
    [['a', 'a', 'b'], 1],
    [['a', 'a', 'b', 'b'], 3],
    [['a', 'a', 'a', 'b', 'b', 'b', 'b'], 5],
  ])('that wants half of its targets healthy in zones %j gets larger by %i', (zones, by) => {
    const serving = zones.map((zone, index) => old(`i-${10 + index}`, { zone }));
    const byInstance = new Map(serving.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
    const targetHealth = [{ source: TARGET_GROUP, byInstance, leastHealthyPercent: 50 }];
    const size = `set group web-ecs to ${zones.length + by} instances`;
    expect(told(served(serving, { maxSize: 40, targetHealth }))).toContain(size);
  });

  test('has its alarms suspended before it gets larger, so that they do not scale it in', () => {
    const scene = { maxSize: 4, suspendedProcesses: ['AZRebalance', 'InstanceRefresh'] };
    expect(told(served(olds('i-1', 'i-2'), scene))).toEqual([
      'tag i-1, i-2 to be replaced',
      'tag group web-ecs: AlarmNotification suspended by us',
      'suspend AlarmNotification of group web-ecs',
      'tag group web-ecs: AlarmNotification suspended by us; its size goes from 2 of 4 to 4 of 4',
      'set group web-ecs to 4 instances',
      'tag group web-ecs: AlarmNotification suspended by us; 2 of its instances are ours',
    ]);
  });

  test('records what it is to be, and what others may have recorded until then', () => {
    const scene = { maxSize: 4, suspendedProcesses: ['AZRebalance', 'InstanceRefresh'] };
    const from = { desiredCapacity: 2, maxSize: 4 };
    const to = { desiredCapacity: 4, maxSize: 4 };
    const suspended = ['AlarmNotification'];
    const enlarging = (settings: Partial<Settings> = {}) =>
      decided(served(olds('i-1', 'i-2'), scene), settings);
    const before = { suspended, addedSizes: { desiredCapacity: 0, maxSize: 0 } };
    const change = { from, to, marked: 2 };
    expect(enlarging()).toMatchObject({
      actions: [
        { kind: 'mark-instances' },
        { kind: 'record-changes', changes: before },
        { kind: 'suspend-processes' },
        { kind: 'record-changes', before, changes: { suspended, addedSizes: { change } } },
        {},
        {},
      ],
    });
    const departures = (settings: Partial<Settings>) => {
      const decision = enlarging(settings);
      const actions = 'actions' in decision ? decision.actions : [];
      return actions.flatMap((each) =>
        each.kind === 'record-changes' ? [each.changes.addedSizes.departures] : [],
      );
    };
    expect(departures({})).toEqual([undefined, undefined, undefined]);
    // Its group ends them: who has left is counted, as it gets smaller with each.
    const none = { since: NOW, count: 0 };
    expect(departures({ terminateHooks: 'run' })).toEqual([undefined, none, none]);
  });

  test('says by how much it gets larger for a batch that was marked before', () => {
    expect(decided(served(marked('i-1', 'i-2'), { maxSize: 9 }))).toMatchObject({
      reason: { code: 'group-enlarged', by: 2 },
    });
  });

  test('loses as many as came once these serve, and gets smaller by as many', () => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3'), fresh('i-4')];
    expect(told(served(all, { addedSizes: { desiredCapacity: 2 } }))).toEqual([
      'tag group web-ecs: 2 of its instances are ours; its size goes from 4 of 4 to 2 of 4',
      'detach i-1, i-2 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test.each<[string, Partial<Sketch>]>([
    ['i-4 is Pending in the group', { member: 'Pending' }],
    ['i-4 is InService but not registered in the cluster', { ecs: null }],
    ['i-4 is unhealthy in target group web', { serving: false }],
  ])('loses none while %s', (what, rest) => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3'), fresh('i-4', rest)];
    expect(told(served(all, { addedSizes: { desiredCapacity: 2 } }))).toEqual([
      `wait: replacements are not ready: ${what}`,
    ]);
  });

  test('loses none while one is not launched yet, or not in the target group', () => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3')];
    const scene = { addedSizes: { desiredCapacity: 2 }, desiredCapacity: 4 };
    expect(told(served(all, scene))[0]).toMatch(/Auto Scaling has launched 3 of 4 instances/);
    const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map() }];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 }, targetHealth }))[0]).toMatch(
      /i-3 is not registered in target group web/,
    );
  });

  test('reports what its target group says', () => {
    const health = { healthy: false, state: 'unhealthy', description: 'Health checks failed' };
    const targetHealth = [{ source: TARGET_GROUP, byInstance: new Map([['i-2', health]]) }];
    const all = [...marked('i-1'), fresh('i-2')];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 }, targetHealth }))).toEqual([
      'wait: replacements are not ready: i-2 is unhealthy in target group web (Health checks failed)',
    ]);
  });

  test('waits for a classic load balancer too', () => {
    const trafficSources = [{ kind: 'load-balancer', name: 'front' }] as const;
    const all = [...marked('i-1'), fresh('i-2', { serving: false })];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 }, trafficSources }))).toEqual([
      'wait: replacements are not ready: i-2 is unhealthy in load balancer front',
    ]);
  });

  test('loses no more than twenty at once', () => {
    const all = [...some(23, (id) => old(id, { marked: 60 })), ...some(23, fresh, 50)];
    const [intent, detach] = told(served(all, { addedSizes: { desiredCapacity: 23 } }));
    expect(intent).toMatch(/23 of its instances are ours; its size goes from 46 of 46 to 26 of 46$/);
    expect(detach).toBe(
      'detach i-10, i-11, i-12 and 17 more from group web-ecs, which gets smaller by as many',
    );
  });

  test('says how many leave it, of how many', () => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3'), fresh('i-4')];
    expect(decided(served(all, { addedSizes: { desiredCapacity: 2 } }))).toMatchObject({
      reason: { code: 'members-detached', count: 2, of: 4 },
    });
  });

  test('loses none that Auto Scaling would not detach, and the others meanwhile', () => {
    const pending = old('i-1', { marked: 60, member: 'Pending', age: 70 });
    const scene = { addedSizes: { desiredCapacity: 2 }, desiredCapacity: 3, maxSize: 9 };
    expect(told(served([pending, old('i-2', { marked: 60 }), ...some(2, fresh)], scene))).toContain(
      'detach i-2 from group web-ecs, which gets smaller by as many',
    );
    const rest = { ...scene, addedSizes: { desiredCapacity: 1 }, desiredCapacity: 2 };
    expect(told(served([pending, ...some(2, fresh)], rest))[0]).toMatch(/^wait: .*i-1.*Pending/);
  });

  test('takes its next batch once the last one is gone', () => {
    const draining = detached('i-1', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'] });
    expect(told(served([draining, fresh('i-2'), old('i-3')], { maxSize: 4 }), one)[0]).toMatch(/^wait: i-1/);
    expect(told(served([fresh('i-2'), old('i-3')], { maxSize: 4 }), one)[0]).toBe('tag i-3 to be replaced');
  });

  test('takes no other batch beside one that drains, or is leaving it, though there is room', () => {
    const three = { maxSurge: { kind: 'count', count: 3 } } as const;
    const draining = detached('i-1', { ecs: 'DRAINING', turn: 60, tasks: ['service:api'] });
    const leaving = old('i-2', { member: 'Detaching', marked: 60 });
    const rest = [fresh('i-8'), old('i-3')];
    const scene = { desiredCapacity: 2, maxSize: 9 };
    expect(told(served([draining, ...rest], scene), three)[0]).toMatch(/^wait: i-1 drains/);
    expect(told(served([draining, leaving, ...rest], scene), three)[0]).toMatch(/^wait: i-1 drains/);
  });

  test('takes none while what could not be drained takes up its surge, or what nobody knows of may', () => {
    const givenUp = detached('i-1', { turn: 900, givenUp: 60, tasks: ['service:api'] });
    const rest = [fresh('i-8'), old('i-3')];
    const unproven = [{ instanceId: 'i-77', missedSince: ago(400) }];
    const blocked = (sketches: readonly Sketch[], scene: Scene) =>
      told(served(sketches, { maxSize: 9, ...scene }), one)[0];
    expect(blocked([givenUp, ...rest], {})).toMatch(/^blocked: i-1 /);
    expect(blocked([givenUp, ...rest], { unproven })).toMatch(/^blocked: i-1 /);
    expect(blocked(rest, { unproven })).toMatch(/^blocked: .*i-77/);
  });

  test('takes none that Auto Scaling would not detach', () => {
    const coming = old('i-1', { member: 'Pending', age: 70 });
    expect(told(served([coming, fresh('i-2')], { desiredCapacity: 1, maxSize: 9 }))).toEqual([
      "wait: outdated members can't be detached yet: i-1 is Pending",
    ]);
  });

  test('lets what has left it drain while launches lack room, which that may hold', () => {
    const all = [...marked('i-1'), fresh('i-2'), detached('i-3')];
    const scene = {
      addedSizes: { desiredCapacity: 1 },
      desiredCapacity: 3,
      maxSize: 9,
      failedLaunches: [{ at: ago(60), message: 'There is no Spot capacity available.' }],
    };
    expect(told(served(all, scene))).toEqual(['tag i-3 as the next to drain']);
    expect(told(served(all.slice(0, 2), scene))[0]).toMatch(/^wait: replacements are not ready/);
  });

  test('replaces standby members without getting larger, if the settings include them', () => {
    const replace = { standby: 'replace' } as const;
    const members = [old('i-1', { member: 'Standby' }), fresh('i-2')];
    expect(told(served(members, { desiredCapacity: 1 }), replace)).toEqual(['tag i-1 to be replaced']);
    const chosen = [old('i-1', { member: 'Standby', marked: 5 }), fresh('i-2')];
    expect(told(served(chosen, { desiredCapacity: 1 }), replace)).toEqual([
      'detach i-1 from group web-ecs, which launches as many',
    ]);
    // None is launched for it, so there is no room to lack.
    const entering = [old('i-1', { member: 'EnteringStandby', marked: 5 }), fresh('i-2')];
    expect(told(served(entering, { desiredCapacity: 1 }), replace)[0]).toMatch(/^wait: i-1 /);
  });
});

describe('room', () => {
  test('is what the maximum size leaves, and limits the batch', () => {
    expect(told(served(olds('i-1', 'i-2', 'i-3'), { maxSize: 5 }))).toEqual([
      'tag i-1, i-2 to be replaced',
      'tag group web-ecs: its size goes from 3 of 5 to 5 of 5',
      'set group web-ecs to 5 instances',
      'tag group web-ecs: 2 of its instances are ours',
    ]);
  });

  test('that is missing blocks the roll before anything changes', () => {
    const full = observe(olds('i-1', 'i-2'), { trafficSources: [TARGET_GROUP], roll: null });
    expect(told(full)).toEqual([NO_ROOM]);
  });

  test('that is missing is told of with what makes its group need it', () => {
    const reason = (scene: Scene) =>
      decided(observe(olds('i-1', 'i-2'), { roll: null, ...scene }), { terminateHooks: 'run' });
    const sizes = { code: 'no-room', desiredCapacity: 2, maxSize: 2 };
    expect(reason({})).toMatchObject({ kind: 'blocked', reason: { ...sizes, isSentRequests: false } });
    const served = { ...sizes, isSentRequests: true };
    const scene = { trafficSources: [TARGET_GROUP] };
    expect(reason(scene)).toEqual(expect.objectContaining({ reason: served }));
    expect(reason({ ...scene, poolFollowsMaximum: true })).toMatchObject({
      reason: { ...served, poolFollowsMaximum: true },
    });
  });

  test('that others have taken in the middle blocks the rest', () => {
    expect(told(served(olds('i-1', 'i-2'), { maxSize: 2 }))).toEqual([NO_ROOM]);
    expect(told(served(marked('i-1', 'i-2'), { maxSize: 2 }))).toEqual([NO_ROOM]);
  });

  test('that never existed lets members that drained in place serve again', () => {
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'ReplaceUnhealthy'];
    const draining = marked('i-1').map((each) => ({ ...each, turn: 20, ecs: 'DRAINING' }));
    expect(told(served([...draining, ...olds('i-2')], { maxSize: 2, suspendedProcesses }))).toEqual([
      'set i-1 back ACTIVE',
      'remove the tags from i-1',
    ]);
  });

  test('for fewer than are chosen replaces those first', () => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3')];
    const scene = { addedSizes: { desiredCapacity: 1 }, maxSize: 3 };
    expect(told(served(all, scene))).toEqual([
      'tag group web-ecs: 1 of its instances are ours; its size goes from 3 of 3 to 2 of 3',
      'detach i-1 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('for fewer than are chosen lets the others stay for now where their group ends them', () => {
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'];
    const scene = { addedSizes: { desiredCapacity: 1 }, desiredCapacity: 4, maxSize: 4, settled: 300 };
    const ofGroup = (...olds: readonly Sketch[]) =>
      told(served([...olds, fresh('i-3'), fresh('i-4')], { ...scene, suspendedProcesses }), {
        terminateHooks: 'run',
      });
    const inTurn = { marked: 60, turn: 50 };
    expect(ofGroup(old('i-1', inTurn), old('i-2', inTurn))).toEqual(['remove the tags from i-2']);
    expect(ofGroup(old('i-1', inTurn), old('i-2'))).toEqual(['drain i-1']);
    expect(ofGroup(old('i-1', { ...inTurn, weight: 2 }))).toEqual(['remove the tags from i-1']);
    // What drains already goes on.
    const draining = { ...inTurn, ecs: 'DRAINING', tasks: ['service:api'] };
    expect(ofGroup(old('i-1', inTurn), old('i-2', draining))).toEqual(['remove the tags from i-1']);
  });

  test('is made if that is allowed, and only as much as is missing', () => {
    expect(told(served(olds('i-1', 'i-2', 'i-3'), { maxSize: 4 }), { raiseMaxSize: true })).toEqual([
      'tag i-1, i-2, i-3 to be replaced',
      'tag group web-ecs: its size goes from 3 of 4 to 6 of 6',
      'set group web-ecs to 6 of at most 6 instances',
      'tag group web-ecs: 3 of its instances are ours; 2 of its maximum size is ours',
    ]);
  });

  test('that was made is given back at the end, and only then', () => {
    const addedSizes = { maxSize: 2 };
    expect(told(served([fresh('i-1'), old('i-2')], { addedSizes, maxSize: 4 }), one)[0]).toBe(
      'tag i-2 to be replaced',
    );
    expect(told(served([fresh('i-1'), fresh('i-2')], { addedSizes, maxSize: 4 }))).toEqual([
      'tag group web-ecs: 2 of its maximum size is ours; its size goes from 2 of 4 to 2 of 2',
      'set group web-ecs to 2 of at most 2 instances',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('is given back as far as the group no longer needs it', () => {
    const addedSizes = { maxSize: 2 };
    const three = some(3, fresh);
    expect(told(served(three, { addedSizes, maxSize: 4 }))).toEqual([
      'tag group web-ecs: 1 of its maximum size is ours; its size goes from 3 of 4 to 3 of 3',
      'set group web-ecs to 3 of at most 3 instances',
      'tag group web-ecs: no change of ours is left',
    ]);
    expect(told(served(some(4, fresh), { addedSizes, maxSize: 4 }))).toEqual([
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('is given back with a record of what the group has without it, and a reason', () => {
    const decision = decided(served(some(3, fresh), { addedSizes: { maxSize: 2 }, maxSize: 5 }));
    const over = { desiredCapacity: 3, maxSize: 3 };
    expect(decision).toMatchObject({
      reason: { code: 'max-size-given-back', maxSize: 3 },
      actions: [{ changes: { addedSizes: { desiredCapacity: 0, maxSize: 2, over } } }, {}, {}],
    });
  });
});

describe('what others change meanwhile stays:', () => {
  test('scaled out, the group keeps what they added', () => {
    const all = [...marked('i-1'), ...some(4, fresh)];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 } }))[0]).toMatch(/from 5 of 5 to 4 of 5$/);
  });

  test('scaled in, it keeps what they left', () => {
    const all = [...marked('i-1'), fresh('i-2')];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 } }))[0]).toMatch(/from 2 of 2 to 1 of 2$/);
  });

  test('scaled in so far that none can be taken, what was ours is theirs, and is added again', () => {
    const scene = { addedSizes: { desiredCapacity: 1 }, minSize: 2, maxSize: 4 };
    const all = [...marked('i-1'), fresh('i-2')];
    expect(told(served(all, scene))).toEqual(['tag group web-ecs: no change of ours is left']);
    expect(decided(served(all, scene))).toMatchObject({
      reason: { code: 'capacity-kept', desiredCapacity: 2 },
    });
    expect(told(served(all, { ...scene, addedSizes: {} }))).toEqual([
      'tag group web-ecs: its size goes from 2 of 4 to 3 of 4',
      'set group web-ecs to 3 instances',
      'tag group web-ecs: 1 of its instances are ours',
    ]);
  });

  test('with less to spare than is ours, only as many are detached', () => {
    const all = [...marked('i-1', 'i-2'), fresh('i-3'), fresh('i-4')];
    expect(told(served(all, { addedSizes: { desiredCapacity: 2 }, minSize: 3 }))[1]).toBe(
      'detach i-1 from group web-ecs, which gets smaller by as many',
    );
  });
});

describe('members of a batch that die', () => {
  test('leave more added capacity than the rest need, and only the rest are detached', () => {
    const all = [...marked('i-2'), ...some(3, fresh)];
    expect(told(served(all, { addedSizes: { desiredCapacity: 2 } }))).toEqual([
      'tag group web-ecs: 2 of its instances are ours; its size goes from 4 of 4 to 3 of 4',
      'detach i-2 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: 1 of its instances are ours',
    ]);
  });

  test('leave what the next batch need not be launched', () => {
    const all = [old('i-2'), ...some(3, fresh)];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 } }))).toEqual(['tag i-2 to be replaced']);
  });

  test('leave a surplus at the end, which leaves as old ones do: the newest first, tagged and detached', () => {
    const all = [fresh('i-1', { age: 300 }), fresh('i-2', { age: 100 }), fresh('i-3', { age: 200 })];
    expect(told(served(all, { addedSizes: { desiredCapacity: 1 } }))).toEqual([
      'tag i-2 to be replaced',
      'tag group web-ecs: 1 of its instances are ours; its size goes from 3 of 3 to 2 of 3',
      'detach i-2 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('a surplus that a killed run had tagged is the one that leaves', () => {
    const all = [fresh('i-1', { marked: 5 }), fresh('i-2')];
    const steps = told(served(all, { addedSizes: { desiredCapacity: 1 } }));
    expect(steps).toContain('detach i-1 from group web-ecs, which gets smaller by as many');
    expect(steps).not.toContain('tag i-1 to be replaced');
    expect(steps.filter((step) => step.includes('i-2'))).toEqual([]);
  });

  test('a surplus stays if the group may get no smaller', () => {
    expect(
      told(served([fresh('i-1'), fresh('i-2')], { addedSizes: { desiredCapacity: 1 }, minSize: 2 })),
    ).toEqual(['tag group web-ecs: no change of ours is left']);
  });

  test('a surplus waits for excluded members to be let in again, if there are no others', () => {
    const [one, two] = [fresh('i-1', { excluded: true }), fresh('i-2', { excluded: true })];
    const addedSizes = { desiredCapacity: 1 };
    expect(told(served([one, two], { addedSizes }))).toEqual([
      "blocked: i-1, i-2 are left out by tag, so the group can't shrink to the size it had; remove that tag; " +
        'meanwhile: 1 of its instances are ours',
    ]);
    expect(told(served([one, fresh('i-2')], { addedSizes }))[0]).toBe('tag i-2 to be replaced');
  });

  test('a surplus waits for none that is left out and weighs too much to leave, nor for one in Standby', () => {
    const heavy = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { weight: 3, age: 2000, ...rest });
    const scene = { addedSizes: { desiredCapacity: 1 }, maxSize: 9 };
    const lowered = 'set group web-ecs to 5 instances';
    const both = [heavy('i-1', { excluded: true }), heavy('i-2')];
    expect(told(served(both, { ...scene, desiredCapacity: 6 }))).toContain(lowered);
    const kept = 'tag group web-ecs: no change of ours is left';
    const aside = [heavy('i-1'), heavy('i-2'), fresh('i-3', { member: 'Standby', age: 2000 })];
    expect(told(served(aside, { ...scene, desiredCapacity: 6 }))).toEqual([kept]);
    // What is ending anyway doesn't end for that.
    const ending = [heavy('i-1'), heavy('i-2'), fresh('i-3', { member: 'Terminating' })];
    expect(told(served(ending, { ...scene, desiredCapacity: 6 }))).toContain(lowered);
  });

  test('a surplus is never taken from standby members', () => {
    const all = [fresh('i-1'), fresh('i-2', { age: 200 }), fresh('i-3', { member: 'Standby', age: 10 })];
    const scene = { addedSizes: { desiredCapacity: 1 }, desiredCapacity: 2 };
    expect(told(served(all, scene), { standby: 'replace' })[0]).toBe('tag i-2 to be replaced');
  });
});

describe('members that no longer run before the group notices', () => {
  const dead = (id: string, rest: Partial<Sketch> = {}) => old(id, { alive: false, ecs: null, ...rest });

  test('leave with the batch, and the group gets no larger by them, as it replaces them', () => {
    expect(told(served([old('i-1'), dead('i-2'), old('i-3')], { maxSize: 9 }))).toEqual([
      'tag i-2, i-1, i-3 to be replaced',
      'detach i-2 from group web-ecs, which launches as many',
      'tag group web-ecs: its size goes from 3 of 9 to 5 of 9',
      'set group web-ecs to 5 instances',
      'tag group web-ecs: 2 of its instances are ours',
    ]);
  });

  test.each<[string, Scene, Partial<Settings>]>([
    ['of the surge', { maxSize: 9 }, one],
    ['that the group has', { maxSize: 3 }, {}],
  ])('take up none of the room %s', (_, scene, settings) => {
    const all = [old('i-1'), dead('i-2')];
    const steps = told(served(all, scene), settings);
    expect(steps[0]).toBe('tag i-2, i-1 to be replaced');
    expect(steps).toContain('set group web-ecs to 3 instances');
    expect(told(served(all), settings)).toEqual([
      'tag i-2 to be replaced',
      'detach i-2 from group web-ecs, which launches as many',
    ]);
  });

  test('are left to the group where its hooks must run, and waited for once nothing else is left', () => {
    const all = [dead('i-2'), fresh('i-3')];
    const hooks = { terminateHooks: 'run' } as const;
    expect(told(served([old('i-1'), ...all], { maxSize: 9 }), hooks)[0]).toBe('tag i-1 to be replaced');
    expect(told(served(all, { maxSize: 9 }), hooks)).toEqual([
      'wait: i-2 no longer runs, and the group has launched no replacement yet',
    ]);
  });
});

describe('members that weigh more than one', () => {
  const heavy = (id: string, rest: Partial<Sketch> = {}) => old(id, { weight: 2, ...rest });

  test('make the group larger by what they make up', () => {
    const scene = { desiredCapacity: 5, maxSize: 20 };
    expect(told(served([heavy('i-1'), heavy('i-2'), old('i-3')], scene))[1]).toMatch(
      /from 5 of 20 to 10 of 20$/,
    );
  });

  test('are chosen as far as there is room for what they make up', () => {
    const scene = { desiredCapacity: 4, maxSize: 7 };
    expect(told(served([heavy('i-1'), heavy('i-2')], scene)).slice(0, 2)).toEqual([
      'tag i-1 to be replaced',
      'tag group web-ecs: its size goes from 4 of 7 to 6 of 7',
    ]);
    expect(told(served([heavy('i-1'), heavy('i-2')], { desiredCapacity: 4, maxSize: 5 }))[0]).toMatch(
      /^blocked/,
    );
  });

  test('let the group get smaller by what they made up', () => {
    const all = [heavy('i-1', { marked: 60 }), fresh('i-3'), fresh('i-4'), fresh('i-5')];
    const scene = { addedSizes: { desiredCapacity: 2 }, desiredCapacity: 5, maxSize: 5 };
    expect(told(served(all, scene))[0]).toMatch(/from 5 of 5 to 3 of 5$/);
  });

  test('too much to spare for the minimum size, what of ours is theirs is added again', () => {
    const all = [heavy('i-1', { marked: 60 }), fresh('i-3'), fresh('i-4')];
    const scene = { desiredCapacity: 4, minSize: 3, maxSize: 9 };
    const ours = (desiredCapacity: number) => ({ ...scene, addedSizes: { desiredCapacity } });
    const noted = decided(served(all, ours(2)));
    const over = { desiredCapacity: 3, maxSize: 9 };
    expect(noted).toMatchObject({
      reason: { code: 'capacity-kept', desiredCapacity: 3 },
      actions: [{ changes: { addedSizes: { desiredCapacity: 1, maxSize: 0, over } } }],
    });
    expect(told(served(all, ours(1)))[0]).toMatch(/its size goes from 4 of 9 to 5 of 9$/);
  });

  test('and a member in Standby comes back with its capacity: it is awaited for a while', () => {
    const aside = (age: number) => fresh('i-5', { age, member: 'Standby' });
    const all = [heavy('i-1', { marked: 60 }), fresh('i-3'), fresh('i-4')];
    const scene = { addedSizes: { desiredCapacity: 2 }, desiredCapacity: 4, minSize: 4, maxSize: 9 };
    const others = all.map((each) => ({ ...each, age: 2000 }));
    expect(told(served([...others, aside(800)], scene))).toEqual([
      'wait: i-5 must be back from Standby first, as the group is at its minimum size',
    ]);
    expect(told(served([...others, aside(1000)], scene))).toEqual([
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('keep the room that the roll is to have where even one is too much for it', () => {
    const all = [heavy('i-1', { marked: 60 }), fresh('i-3')];
    const scene = { addedSizes: { desiredCapacity: 1 }, desiredCapacity: 3, maxSize: 3 };
    expect(told(served(all, scene))[0]).toMatch(/^blocked: the group has 3 of at most 3 instances/);
  });

  test('are not a surplus if too little is left of ours, but a lighter one is', () => {
    const newest = fresh('i-2', { weight: 2, age: 10 });
    const scene = { addedSizes: { desiredCapacity: 1 }, maxSize: 9 };
    expect(told(served([newest, fresh('i-3')], { ...scene, desiredCapacity: 3 }))[0]).toBe(
      'tag i-3 to be replaced',
    );
  });

  test('are no longer counted that stay, though marked, as one leaves that is marked only then', () => {
    const all = [fresh('i-2', { weight: 2, marked: 60 }), fresh('i-3'), fresh('i-4')];
    const scene = { addedSizes: { desiredCapacity: 1 }, desiredCapacity: 4, maxSize: 9 };
    const decision = decided(served(all, scene), { terminateHooks: 'skip' });
    expect(decision).toMatchObject({
      actions: [{ kind: 'mark-instances' }, { changes: { addedSizes: { change: { marked: 3 } } } }, {}, {}],
    });
  });

  test('that weigh too much to leave stay where the group is still asked for less, as it ends none for that', () => {
    const scene = { addedSizes: { desiredCapacity: 1 }, maxSize: 9 };
    const newest = fresh('i-2', { weight: 2, age: 10 });
    expect(told(served([newest], { ...scene, desiredCapacity: 2 }))).toEqual([
      'tag group web-ecs: 1 of its instances are ours; its size goes from 2 of 9 to 1 of 9',
      'set group web-ecs to 1 instances',
      'tag group web-ecs: no change of ours is left',
    ]);
    expect(decided(served([newest], { ...scene, desiredCapacity: 2 }))).toMatchObject({
      reason: {
        code: 'size-changes',
        from: { desiredCapacity: 2, maxSize: 9 },
        to: { desiredCapacity: 1, maxSize: 9 },
      },
    });
    const both = [newest, fresh('i-3', { weight: 3, age: 10 })];
    expect(told(served(both, { ...scene, desiredCapacity: 4 }))).toEqual([
      'tag group web-ecs: no change of ours is left',
    ]);
  });
});

describe('a strategy that is changed in the middle', () => {
  const members = [...marked('i-1'), old('i-2')];
  const larger = [...members, fresh('i-3')];

  test('from detaching: what is tagged is scaled out for, what is detached is drained', () => {
    expect(told(served(members, { maxSize: 4 }), one)).toEqual([
      'tag group web-ecs: its size goes from 2 of 4 to 3 of 4',
      'set group web-ecs to 3 instances',
      'tag group web-ecs: 1 of its instances are ours',
    ]);
    expect(told(served([detached('i-1'), fresh('i-3')], { settled: 60 }))).toEqual([
      'tag i-1 as the next to drain',
    ]);
  });

  test('to detaching: what is tagged is replaced by the group, and what it has too many of leaves at the end', () => {
    const unserved = { trafficSources: [], addedSizes: { desiredCapacity: 1 } };
    expect(told(served(larger, unserved))).toEqual(['detach i-1 from group web-ecs, which launches as many']);
    expect(told(served([fresh('i-1'), fresh('i-2')], unserved))[0]).toMatch(/^tag i-[12] to be replaced$/);
  });

  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;

  test('to in place: what is tagged drains as a member, and the surplus leaves at the end', () => {
    expect(told(served(larger, { addedSizes: { desiredCapacity: 1 } }), inPlace)).toEqual([
      'tag i-1 as the next to drain',
    ]);
    const done = [fresh('i-1'), fresh('i-2'), fresh('i-3', { age: 10 })];
    expect(told(served(done, { addedSizes: { desiredCapacity: 1 } }), inPlace)).toEqual([
      'tag i-3 to be replaced',
      'tag group web-ecs: 1 of its instances are ours; its size goes from 3 of 3 to 2 of 3',
      'detach i-3 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('from in place: what drains already is scaled out for and detached as it is', () => {
    const draining = old('i-1', { marked: 60, turn: 30, ecs: 'DRAINING', tasks: ['service:api'] });
    // As it has been since it drains.
    const suspendedProcesses = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'];
    const scene = { suspendedProcesses, maxSize: 3 };
    expect(told(served([draining, old('i-2')], scene))[0]).toMatch(/from 2 of 3 to 3 of 3$/);
    const all = [draining, old('i-2'), fresh('i-3')];
    expect(told(served(all, { ...scene, addedSizes: { desiredCapacity: 1 } }))[1]).toBe(
      'detach i-1 from group web-ecs, which gets smaller by as many',
    );
  });
});
