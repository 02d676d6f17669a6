import { describe, expect, test } from 'vitest';
import type { AddedSizes, Roll, SizeChange } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  ago,
  decideAll,
  decided,
  detached,
  fresh,
  launching,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  TARGET,
  TARGET_GROUP,
  told,
  unready,
} from '../builders.ts';

const course = {
  kind: 'rollback',
  since: ago(100),
  because: { code: 'recorded', text: 'it failed' },
} as const;
const rejection = {
  imageIds: [TARGET.imageId],
  because: { code: 'rolled-back', because: { code: 'recorded', text: 'it failed' } } as const,
};
const OURS = ['AZRebalance', 'InstanceRefresh'];
/** A change of sizes that is written, and may be made. */
const LARGER_BY_ONE: SizeChange = {
  from: { desiredCapacity: 1, maxSize: 9 },
  to: { desiredCapacity: 2, maxSize: 9 },
  marked: 0,
};
const NOTHING: AddedSizes = { desiredCapacity: 0, maxSize: 0 };
const ENDS = 'remove the tags from group web-ecs';

/** What is ours of the sizes. */
const back = (addedSizes: AddedSizes = NOTHING): Partial<Roll> => ({
  course,
  changes: { suspended: [], addedSizes },
});
const returning = (addedSizes: AddedSizes = NOTHING): Scene => ({
  roll: back(addedSizes),
  // Alarms are their owner's matter here, and shown by themselves below.
  suspendedProcesses: [...OURS, 'AlarmNotification'],
});
const larger = (desiredCapacity: number, over: number, maxSize = 9): AddedSizes => ({
  desiredCapacity,
  maxSize: 0,
  over: { desiredCapacity: over, maxSize },
});

/** The group launches what it did before. */
const GIVEN_BACK = launching(PLACE, OLD, OLD);

const tell = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  told(
    observe(sketches, { roll: back(), rejection, settled: 60, minSize: 0, launch: GIVEN_BACK, ...scene }),
    settings,
  );

/** A member that the roll has launched and the rollback removes. */
const failed = (id: string, rest: Partial<Sketch> = {}) => fresh(id, { age: 300, ...rest });

describe('old instances coming back', () => {
  test('keep their places, if they have not left yet', () => {
    expect(tell([old('i-1', { marked: 60 }), failed('i-9')])).toEqual(['remove the tags from i-1']);
  });

  test('and are set ACTIVE before that, if they drain in place', () => {
    const draining = old('i-1', { marked: 60, turn: 20, ecs: 'DRAINING' });
    expect(tell([draining, failed('i-9')])).toEqual(['set i-1 back ACTIVE', 'remove the tags from i-1']);
  });

  test('are set ACTIVE if they drain detached, and keep their tags, which tell whose they are', () => {
    const draining = detached('i-1', { turn: 20, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(tell([draining, failed('i-9')])).toEqual(['set i-1 back ACTIVE']);
  });

  test('are attached if there is room, while no alarm scales the group', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, { maxSize: 4 })).toEqual([
      'tag group web-ecs: AlarmNotification suspended by us',
      'suspend AlarmNotification of group web-ecs',
    ]);
    expect(tell(all, { maxSize: 4, ...returning() })).toEqual([
      'tag group web-ecs: its size goes from 2 of 4 to 4 of 4',
      'attach i-1, i-2 to group web-ecs, which gets larger by as many',
      'tag group web-ecs: 2 of its instances are ours',
    ]);
  });

  test('are attached, too, if they were detached just as it turned back', () => {
    const all = [detached('i-1', { marked: 100 }), failed('i-9')];
    expect(tell(all, { maxSize: 4, ...returning() })[1]).toBe(
      'attach i-1 to group web-ecs, which gets larger by as many',
    );
  });

  test('are not attached while an alarm may scale the enlarged group in undrained', () => {
    const all = [detached('i-1'), failed('i-9')];
    const alarmed = { maxSize: 4, ...returning(), suspendedProcesses: OURS };
    const before = tell(all, alarmed).join().split('attach')[0];
    expect(before).toContain('suspend AlarmNotification');
  });

  test('are attached as far as there is room', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, { maxSize: 3, ...returning() })[1]).toBe(
      'attach i-1 to group web-ecs, which gets larger by as many',
    );
  });

  test('get the maximum size raised for them if a setting says so', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, { maxSize: 3, ...returning() }, { raiseMaxSize: true })).toEqual([
      'tag group web-ecs: its size goes from 2 of 3 to 2 of 4',
      'set group web-ecs to at most 4 instances',
      'tag group web-ecs: 1 of its maximum size is ours',
    ]);
  });

  test('name the desired capacity with a maximum below the members that Auto Scaling is replacing', () => {
    const all = [detached('i-1'), ...['i-7', 'i-8', 'i-9'].map((id) => failed(id))];
    const scene = { desiredCapacity: 1, maxSize: 1, ...returning() };
    expect(tell(all, scene, { raiseMaxSize: true })[1]).toBe('set group web-ecs to 1 of at most 2 instances');
  });

  test('are attached no more than twenty at once', () => {
    const each = (prefix: string) => Array.from({ length: 23 }, (_, index) => `${prefix}${index + 10}`);
    const many = [...each('i-').map((id) => detached(id)), ...each('i-9').map((id) => failed(id))];
    const decision = decided(observe(many, { maxSize: 90, ...returning(), rejection, launch: GIVEN_BACK }));
    expect(decision).toMatchObject({ actions: [{}, { instanceIds: { length: 20 } }, {}] });
  });

  test('are attached without a larger maximum where it has room for just them', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, { maxSize: 4, ...returning() }, { raiseMaxSize: true })).toContain(
      'attach i-1, i-2 to group web-ecs, which gets larger by as many',
    );
  });

  test('are attached in no place of a failed member that another old one has taken', () => {
    const all = [detached('i-1'), old('i-2'), failed('i-9')];
    expect(tell(all, { maxSize: 9, ...returning(larger(1, 1)) }).join()).not.toContain('attach');
  });

  test('are named, as is by how much the maximum size is raised for them', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-8'), failed('i-9')];
    const reason = (maxSize: number) =>
      decided(observe(all, { rejection, launch: GIVEN_BACK, maxSize, ...returning() }), {
        raiseMaxSize: true,
      }).reason;
    expect(reason(4)).toEqual({ code: 'old-attached', instanceIds: ['i-1', 'i-2'] });
    expect(reason(3)).toEqual({ code: 'max-size-raised', by: 1 });
  });

  test('are attached in the place of failed members, and no others', () => {
    const all = [detached('i-1'), detached('i-2'), failed('i-9')];
    expect(tell(all, { maxSize: 9, desiredCapacity: 2, ...returning() })[1]).toBe(
      'attach i-1 to group web-ecs, which gets larger by as many',
    );
    expect(
      tell([detached('i-1'), detached('i-2')], { maxSize: 9, desiredCapacity: 2, ...returning() }),
    ).toEqual(['wait: replacements are not ready: Auto Scaling has launched 0 of 2 instances']);
  });

  test('get Launch resumed first if an earlier version has suspended it', () => {
    const scene = { ...returning(), suspendedProcesses: [...OURS, 'AlarmNotification', 'Launch'] };
    const roll = { course, changes: { suspended: ['Launch'], addedSizes: NOTHING } };
    expect(tell([detached('i-1'), failed('i-9')], { maxSize: 9, ...scene, roll })).toEqual([
      'resume Launch of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('lose their tags once they are seen to be members', () => {
    const change = { ...LARGER_BY_ONE, attaches: true } as const;
    const all = [old('i-1', { marked: 400 }), failed('i-9')];
    const scene = { maxSize: 9, ...returning({ ...NOTHING, change }) };
    expect(tell(all, scene)).toEqual(['tag group web-ecs: 1 of its instances are ours']);
    expect(tell(all, { maxSize: 9, ...returning(larger(1, 1)) })).toEqual(['remove the tags from i-1']);
  });

  test('that the group launches for are not counted as attached: what was written and not seen is made again', () => {
    const scene = { maxSize: 9, ...returning({ ...NOTHING, change: LARGER_BY_ONE }) };
    expect(tell([detached('i-1'), failed('i-9')], scene)).toEqual([
      'set group web-ecs to 2 instances',
      'tag group web-ecs: 1 of its instances are ours',
    ]);
  });

  test('are attached again if the first try was never made', () => {
    const change = { ...LARGER_BY_ONE, attaches: true } as const;
    const all = [detached('i-1'), failed('i-9')];
    const scene = { maxSize: 9, ...returning({ ...NOTHING, change }) };
    expect(tell(all, scene)).toEqual(['tag group web-ecs: no change of ours is left']);
  });

  test.each<[string, readonly Sketch[], Scene, Partial<Settings>]>([
    [
      'a capacity provider would ignore it',
      [detached('i-1'), failed('i-9')],
      { hasCapacityProvider: true },
      {},
    ],
    [
      'it would be outdated by its launch spec',
      [detached('i-1'), failed('i-9')],
      {},
      { drift: ['launch-spec'] },
    ],
    [
      'nobody can tell how much it would weigh',
      [detached('i-1'), failed('i-9')],
      { launch: { ...GIVEN_BACK, mixed: true } },
      {},
    ],
    ['ECS knows it no more', [detached('i-1', { ecs: null, turn: 60 }), failed('i-9')], {}, {}],
    ['its agent is gone', [detached('i-1', { agentConnected: false }), failed('i-9')], {}, {}],
    ['its owner has it left out', [detached('i-1', { excluded: true }), failed('i-9')], {}, {}],
    ['it runs outside the zones of its group', [detached('i-1', { outside: true }), failed('i-9')], {}, {}],
    ['there is no room', [detached('i-1'), failed('i-9')], { maxSize: 1 }, {}],
  ])('are not attached where %s', (_, sketches, scene, settings) => {
    // Before it attaches any, AlarmNotification is suspended.
    const actions = tell(sketches, { maxSize: 9, ...scene }, settings);
    expect(actions.filter((each) => /attach|Alarm/.test(each))).toEqual([]);
  });

  test('are not attached if their image is withdrawn: nothing could be launched in their place', () => {
    const observation = observe([detached('i-1'), failed('i-9')], { roll: back(), rejection, maxSize: 9 });
    const images = new Map([...observation.images, [OLD.imageId, { ...OLD, state: 'disabled' }]]);
    expect(told({ ...observation, images })[0]).not.toMatch(/attach|Alarm/);
    images.delete(OLD.imageId);
    expect(told({ ...observation, images })[0]).not.toMatch(/attach|Alarm/);
  });
});

describe('while there are more members than wanted', () => {
  const ours = { maxSize: 9, ...returning(larger(2, 2)) };

  test('as many of the failed leave, and the group gets smaller by that many', () => {
    const all = [old('i-1'), old('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, ours)).toEqual([
      'tag i-9, i-8 to be replaced',
      'tag group web-ecs: 2 of its instances are ours; its size goes from 4 of 9 to 2 of 9',
      'detach i-9, i-8 from group web-ecs, which gets smaller by as many',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  // BUG in core/rollback/replace-failed.ts, removeFailed: the desired capacity goes down by it, and the group
  // ends another for that.
  test('one in Standby leaves, and the size, which did not count it, stays', () => {
    const all = [old('i-1'), old('i-2'), failed('i-9', { member: 'Standby' })];
    const scene = { ...ours, ...returning(larger(1, 1)), desiredCapacity: 2 };
    expect(tell(all, scene, { standby: 'replace' })).toEqual([
      'tag i-9 to be replaced',
      'detach i-9 from group web-ecs, which launches as many',
    ]);
  });

  test('what the group lacks is launched first, since a smaller size might end a member', () => {
    const all = [old('i-1'), old('i-2'), failed('i-8')];
    expect(tell(all, { ...ours, desiredCapacity: 4 })[0]).toMatch(/^wait: replacements are not ready/);
  });

  test('none leaves before the old are ready', () => {
    const all = [
      old('i-1', { ecs: 'DRAINING' }),
      old('i-2', { agentConnected: false }),
      failed('i-8'),
      failed('i-9'),
    ];
    expect(tell(all, { ...ours, trafficSources: [TARGET_GROUP] }).join()).not.toMatch(/detach i-8/);
  });

  test('a group that its owner keeps larger by now stays that way', () => {
    const all = [old('i-1'), old('i-2'), failed('i-8'), failed('i-9')];
    expect(tell(all, { ...ours, minSize: 4 })).toEqual(['tag group web-ecs: no change of ours is left']);
  });

  test('the same applies to a group that was enlarged for the roll because it gets requests', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const scene: Scene = {
      trafficSources: [TARGET_GROUP],
      maxSize: 9,
      suspendedProcesses,
      roll: back(larger(1, 1)),
    };
    expect(tell([old('i-1'), failed('i-9', { serving: false })], scene)[0]).toBe('tag i-9 to be replaced');
  });
});

describe('failed replacements', () => {
  test('that left are drained and ended like any other', () => {
    const gone = (rest: Partial<Sketch>) =>
      tell([failed('i-9', { member: null, marked: 60, ...rest }), old('i-1')]);
    expect(gone({})).toEqual(['tag i-9 as the next to drain']);
    expect(gone({ turn: 20 })).toEqual(['drain i-9']);
    expect(gone({ turn: 20, ecs: 'DRAINING' })).toEqual(['deregister i-9', 'terminate i-9']);
  });

  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const all = [failed('i-8'), failed('i-9'), old('i-1')];

  test('that are left are detached, like other members, the newest first', () => {
    expect(tell(all)).toEqual([
      'tag i-9, i-8 to be replaced',
      'detach i-9, i-8 from group web-ecs, which launches as many',
    ]);
    expect(tell(all, {}, { maxSurge: { kind: 'count', count: 1 } })).toEqual([
      'tag i-9 to be replaced',
      'detach i-9 from group web-ecs, which launches as many',
    ]);
  });

  test('drain in place no more at once than old ones serve beside them, where those take all of the surge', () => {
    const settings = { maxSurge: { kind: 'count', count: 1 }, drainConcurrency: 2 } as const;
    const both = [failed('i-8'), failed('i-9')];
    const scene = { hasCapacityProvider: true };
    const beside = (...sketches: Sketch[]) => tell([...sketches, ...both], scene, settings);
    expect(beside(detached('i-1'))).toEqual(['tag i-8 to be replaced']);
    expect(beside(detached('i-1'), detached('i-2', { agentConnected: false }))).toEqual([
      'tag i-8 to be replaced',
    ]);
    expect(beside(detached('i-1'), detached('i-2'))).toEqual(['tag i-8, i-9 to be replaced']);
    expect(tell([old('i-1'), ...both], scene, { ...settings, ...inPlace })).toEqual([
      'tag i-8, i-9 to be replaced',
    ]);
  });

  test('go first if they serve nobody', () => {
    const silent = [failed('i-8', { agentConnected: false }), failed('i-9'), old('i-1')];
    expect(tell(silent, {}, { maxSurge: { kind: 'count', count: 1 } })[0]).toBe('tag i-8 to be replaced');
  });

  test('are scaled out for if the group gets requests', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const scene = { trafficSources: [TARGET_GROUP], maxSize: 5, suspendedProcesses };
    expect(tell(all, scene)).toEqual([
      'tag i-9, i-8 to be replaced',
      'tag group web-ecs: its size goes from 3 of 5 to 5 of 5',
      'set group web-ecs to 5 instances',
      'tag group web-ecs: 2 of its instances are ours',
    ]);
  });

  test('are scaled out for beyond the surge if one that left takes all of it, and long', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const scene = { trafficSources: [TARGET_GROUP], maxSize: 9, suspendedProcesses };
    const settings = { maxSurge: { kind: 'count', count: 1 } } as const;
    const taking = (turn: number) => [
      failed('i-7', { member: null, marked: 1000, turn, ecs: 'DRAINING', tasks: ['service:api'] }),
      failed('i-8'),
      failed('i-9'),
    ];
    expect(tell(taking(300), scene, settings)[0]).toMatch(/^wait: i-7 drains/);
    expect(tell(taking(901), scene, settings)).toContain('set group web-ecs to 3 instances');
  });

  test('get another for their zone only within the surge of the members that the group has of its own', () => {
    const three = [
      failed('i-9', { zone: 'a', marked: 60 }),
      old('i-1', { zone: 'b' }),
      old('i-2', { zone: 'b' }),
    ];
    const byInstance = new Map(three.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
    const targetHealth = [{ source: TARGET_GROUP, zonal: true, byInstance }];
    const scene = { trafficSources: [TARGET_GROUP], targetHealth, maxSize: 9, ...returning(larger(1, 2)) };
    const percent = (share: number) => ({ maxSurge: { kind: 'percent', percent: share } }) as const;
    expect(tell(three, scene, percent(100))).toContain('set group web-ecs to 4 instances');
    expect(tell(three, scene, percent(50))).toContain(
      'detach i-9 from group web-ecs, which gets smaller by as many',
    );
  });

  test('wait a while for the room of one that drains long, where their zone would be left without a target', () => {
    const draining = {
      member: null,
      marked: 1000,
      turn: 901,
      ecs: 'DRAINING',
      tasks: ['service:api'],
    } as const;
    const tellBeside = (marked: number, long: Partial<Sketch> = {}) => {
      const all = [
        failed('i-7', { ...draining, ...long }),
        failed('i-9', { zone: 'a', marked }),
        old('i-1', { zone: 'b' }),
        old('i-2', { zone: 'b' }),
      ];
      const byInstance = new Map(all.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
      const targetHealth = [{ source: TARGET_GROUP, zonal: true, byInstance }];
      const scene = { trafficSources: [TARGET_GROUP], targetHealth, maxSize: 9, ...returning(larger(1, 2)) };
      return tell(all, scene, { maxSurge: { kind: 'count', count: 2 } });
    };
    const leaves = 'detach i-9 from group web-ecs, which gets smaller by as many';
    expect(tellBeside(60)[0]).toMatch(/^wait: i-7 drains/);
    expect(tellBeside(901)).toContain(leaves);
    expect(tellBeside(60, { ecs: 'ACTIVE', givenUp: 60 })).toContain(leaves);
  });

  test('are scaled out for alone and first if they serve nobody, whatever the zones', () => {
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const scene = { trafficSources: [TARGET_GROUP], maxSize: 5, suspendedProcesses };
    const three = [
      failed('i-7', { zone: 'a' }),
      failed('i-8', { zone: 'a' }),
      failed('i-9', { zone: 'b', serving: false }),
      old('i-1', { zone: 'a' }),
    ];
    expect(tell(three, scene)[0]).toBe('tag i-9 to be replaced');
    const coming = three.map((each) => (each.id === 'i-9' ? { ...each, member: 'Pending' } : each));
    expect(tell(coming, scene)[0]).not.toMatch(/i-9/);
  });

  test.each<[string, Partial<Scene>, Partial<Settings>]>([
    ['there is to be no surge', {}, inPlace],
    ['the group is sent requests, and is full', { trafficSources: [TARGET_GROUP] }, {}],
  ])('are ended through the group, one after the other, where %s', (_, scene, settings) => {
    expect(tell(all, scene, settings)).toEqual(['tag i-8 to be replaced']);
    const draining = failed('i-8', { marked: 60, turn: 20, ecs: 'DRAINING' });
    const suspendedProcesses = [...OURS, 'ReplaceUnhealthy'];
    expect(tell([draining, failed('i-9'), old('i-1')], { ...scene, suspendedProcesses }, settings)).toEqual([
      'terminate i-8 through group web-ecs, which launches as many',
    ]);
  });

  test('all drain where they are when one of them takes long: ECS gives its tasks to the others', () => {
    const one = { maxSurge: { kind: 'count', count: 1 } } as const;
    const taking = (turn: number, rest: Partial<Sketch> = {}) => [
      failed('i-7', { member: null, marked: 1000, turn, ecs: 'DRAINING', tasks: ['service:api'] }),
      failed('i-8', rest),
      failed('i-9', rest),
      old('i-1'),
    ];
    expect(tell(taking(300), {}, one)[0]).toMatch(/^wait: i-7 drains/);
    expect(tell(taking(901), {}, one)).toEqual(['tag i-8, i-9 to be replaced']);
    expect(tell(taking(901, { marked: 20 }), {}, one)).toEqual(['tag i-8, i-9 as the next to drain']);
    // They go on so when that one is gone.
    const rest = taking(901, { marked: 60, turn: 20, ecs: 'DRAINING' }).slice(1);
    expect(tell(rest, {}, one)).toEqual(['terminate i-8, i-9 through group web-ecs, which launches as many']);
  });

  test('also all drain where they are when the group is slow to terminate one of them', () => {
    const hooks = { terminateHooks: 'run', maxSurge: { kind: 'count', count: 1 } } as const;
    const suspendedProcesses = [...OURS, 'AlarmNotification', 'ReplaceUnhealthy'];
    const scene = { roll: back(larger(1, 3)), suspendedProcesses };
    const taking = (turn: number) => [
      failed('i-8', { marked: 1000, turn, ecs: 'DRAINING', tasks: ['service:api'] }),
      failed('i-9'),
      old('i-1'),
      old('i-2'),
    ];
    expect(tell(taking(300), scene, hooks)[0]).toMatch(/^wait: i-8 drains/);
    expect(tell(taking(901), scene, hooks)).toEqual(['tag i-9 to be replaced']);
  });

  test('that no longer run are not to drain before the group ends them, as it does so by itself', () => {
    const hooks = { terminateHooks: 'run' } as const;
    const scene = { roll: back(larger(1, 2)), suspendedProcesses: [...OURS, 'AlarmNotification'] };
    const sketches = (alive: boolean) => [old('i-1'), old('i-2'), failed('i-9', { alive, ecs: null })];
    expect(tell(sketches(true), scene, hooks)).toEqual(['tag i-9 to be replaced']);
    expect(tell(sketches(false), scene, hooks)).toEqual([
      'wait: i-9 no longer runs, and the group has launched no replacement yet',
    ]);
  });

  test('that never registered go all at once, when their time is up', () => {
    const silent = { ecs: null, age: 901 };
    const roll = { ...back(), startedAt: ago(2000) };
    const all = [failed('i-7', silent), failed('i-8', silent), failed('i-9', silent), old('i-1')];
    expect(tell(all, { roll }, inPlace)).toEqual(['tag i-7, i-8, i-9 to be replaced']);
    expect(
      tell(
        all.map((each) => (each.id === 'i-1' ? each : { ...each, marked: 10 })),
        { roll },
        inPlace,
      ),
    ).toEqual(['terminate i-7, i-8, i-9 through group web-ecs, which launches as many']);
  });

  test('are replaced by old ones, each ready before the next goes', () => {
    const fresher = old('i-5', { age: 60, member: 'Pending' });
    expect(tell([failed('i-9'), fresher, old('i-1')])[0]).toMatch(/^wait: .* i-5 is Pending/);
    expect(tell([failed('i-9'), { ...fresher, member: 'InService' }, old('i-1')])).toEqual([
      'tag i-9 to be replaced',
      'detach i-9 from group web-ecs, which launches as many',
    ]);
  });

  test('include all its images, if somebody removed the record of what the group had', () => {
    const all = [failed('i-9'), old('i-1')];
    expect(tell(all, { roll: { ...back(), previous: [] } })).toEqual(tell(all));
    expect(tell(all)).toEqual([
      'tag i-9 to be replaced',
      'detach i-9 from group web-ecs, which launches as many',
    ]);
  });

  test('do not include those that ran the image before the roll', () => {
    expect(tell([fresh('i-9', { age: 900 }), old('i-1')])).toEqual([ENDS]);
  });

  test('are terminated in the warm pool, too', () => {
    const warm = [failed('i-8', { member: 'Warmed:Stopped', ecs: null })];
    expect(tell([old('i-1')], { warm })).toEqual(['tag i-8 to be replaced']);
    expect(tell([old('i-1')], { warm: warm.map((each) => ({ ...each, marked: 5 })) })).toEqual([
      'terminate i-8',
    ]);
  });
});

describe("old instances that can't be attached", () => {
  const provided: Scene = { hasCapacityProvider: true };

  test('take up the room in which the failed would be replaced', () => {
    const members = [failed('i-8'), failed('i-9'), old('i-2')];
    const two = { maxSurge: { kind: 'count', count: 2 } } as const;
    expect(tell([detached('i-1'), ...members], provided, two)).toEqual([
      'tag i-9 to be replaced',
      'detach i-9 from group web-ecs, which launches as many',
    ]);
    expect(tell([detached('i-0'), detached('i-1'), ...members], provided, two)).toEqual([
      'tag i-8 to be replaced',
    ]);
  });

  test('serve while the failed are replaced', () => {
    expect(tell([detached('i-1'), failed('i-9')], provided)).toEqual(['tag i-9 to be replaced']);
    const draining = failed('i-9', { marked: 60, turn: 20, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(tell([detached('i-1'), draining], provided)).toEqual([
      'wait: i-9 drains: 1 task of service api left on i-9',
    ]);
  });

  test('serve until their replacements are ready, and then are drained and ended', () => {
    const fresher = old('i-5', { age: 60, member: 'Pending' });
    expect(tell([detached('i-1'), fresher], provided)[0]).toMatch(/^wait: .* i-5 is Pending/);
    expect(tell([detached('i-1'), { ...fresher, member: 'InService' }], provided)).toEqual([
      'tag i-1 as the next to drain',
    ]);
  });

  test('serve on, and take tasks again, until the last failed one is drained, and their group is whole', () => {
    const draining = detached('i-1', { turn: 20, ecs: 'DRAINING' });
    const leaving = failed('i-9', {
      member: null,
      marked: 60,
      turn: 20,
      ecs: 'DRAINING',
      tasks: ['service:api'],
    });
    const members = [old('i-2'), old('i-3')];
    expect(tell([detached('i-1'), leaving, ...members], provided)[0]).toMatch(/^wait: i-9 drains/);
    expect(tell([draining, leaving, ...members], provided)).toEqual(['set i-1 back ACTIVE']);
    const coming = old('i-5', { age: 60, member: 'Pending' });
    expect(tell([draining, coming, old('i-2')], provided)).toEqual(['set i-1 back ACTIVE']);
  });

  test('drain where launches lack room, which they may hold', () => {
    const lacking = (message: string): Scene => ({
      ...provided,
      desiredCapacity: 2,
      failedLaunches: [{ at: ago(60), message }],
    });
    const all = [detached('i-1'), detached('i-3'), old('i-2')];
    expect(tell(all, lacking('There is no Spot capacity available.'))).toEqual([
      'tag i-1 as the next to drain',
    ]);
    expect(tell(all, lacking('Its image cannot be launched.'))[0]).toMatch(/^wait: replacements are not/);
  });

  test('have another turn, once they need serve no more, if their drain was given up before it went back', () => {
    const givenUp = (seconds: number) =>
      detached('i-1', { marked: 900, turn: 800, givenUp: seconds, tasks: ['service:api'] });
    const members = [old('i-5', { age: 60 })];
    expect(tell([givenUp(101), ...members], provided)).toEqual(['tag i-1 as the next to drain']);
    expect(tell([givenUp(100), ...members], provided)[0]).toMatch(/^blocked: /);
    const coming = old('i-6', { age: 60, member: 'Pending' });
    expect(tell([givenUp(101), ...members, coming], provided)[0]).toMatch(/^wait: .* i-6 is Pending/);
  });

  test('have all the time for their drain, even if they had begun one before', () => {
    const before = detached('i-1', { marked: 5000, turn: 4000 });
    const all = [before, old('i-5', { age: 60 })];
    const services = [service('api', { runningCount: 1 })];
    const watch = { draining: [], unsettledSince: ago(90) };
    expect(tell(all, { ...provided, services, watch })[0]).toMatch(/^wait/);
    expect(tell(all, provided)).toEqual(['tag i-1 as the next to drain', 'drain i-1']);
  });
});

describe('in the end', () => {
  test('processes and sizes are given back', () => {
    const scene = {
      roll: back({ desiredCapacity: 0, maxSize: 1, over: { desiredCapacity: 2, maxSize: 2 } }),
    };
    expect(tell([old('i-1'), old('i-2')], { ...scene, maxSize: 3 })[1]).toBe(
      'set group web-ecs to 2 of at most 2 instances',
    );
  });

  test('what was rejected stays rejected', () => {
    const decision = decided(observe([old('i-1')], { roll: back(), rejection }));
    expect(decision).toMatchObject({
      kind: 'finish',
      ending: 'rolled-back',
      actions: [{ kind: 'clear-roll' }],
    });
    expect(describeDecision(decision)).toMatch(/^the roll was rolled back \(it failed\)/);
  });

  test('a member being detached is waited for', () => {
    expect(
      tell([old('i-1', { member: 'Detaching', marked: 60 }), old('i-2')], { desiredCapacity: 1 })[0],
    ).toMatch(/^wait: i-1 is being detached/);
  });

  test('it is blocked if the old image fails too', () => {
    const late = old('i-5', { age: 950, ecs: null });
    const roll = { ...back(), startedAt: ago(2000), course: { ...course, since: ago(950) } };
    const watch = unready(ago(601), 'i-5');
    expect(tell([late, old('i-1')], { roll, watch })[0]).toMatch(
      /^blocked: after 900 s, replacements are not ready/,
    );
  });

  test('replacements with the old image get all their time from when it turned back', () => {
    const late = old('i-5', { age: 60, ecs: null });
    const roll = { ...back(), startedAt: ago(5000) };
    const watch = unready(ago(90), 'i-5');
    expect(tell([late, old('i-1')], { roll, watch })[0]).toMatch(/^wait/);
  });
});

describe('of what the roll has launched', () => {
  const enlarged: Scene = {
    roll: back(larger(1, 2)),
    suspendedProcesses: [...OURS, 'AlarmNotification'],
    trafficSources: [TARGET_GROUP],
    maxSize: 9,
  };

  test('those that serve leave last, if the group is enlarged for them', () => {
    const members = [old('i-1'), failed('i-8'), failed('i-9', { age: 60, member: 'Pending' })];
    expect(tell(members, enlarged)[0]).toMatch(/^wait/);
    const idle = failed('i-9', { age: 60, serving: false });
    expect(tell([old('i-1'), failed('i-8'), idle], enlarged)).toContain(
      'detach i-9 from group web-ecs, which gets smaller by as many',
    );
  });

  test('those that serve are replaced though another that its group ends has been held for too long', () => {
    const scene = (seconds: number): Scene => ({
      suspendedProcesses: [...OURS, 'AlarmNotification'],
      trafficSources: [TARGET_GROUP],
      desiredCapacity: 2,
      maxSize: 9,
      endingSince: new Map([['i-1', ago(seconds)]]),
    });
    const members = [old('i-1', { marked: 4000, member: 'Terminating:Wait' }), failed('i-8'), old('i-2')];
    expect(tell(members, scene(60))[0]).toMatch(/^wait: i-1 is still being ended by the group/);
    expect(tell(members, scene(4000))[0]).toBe('tag i-8 to be replaced');
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    expect(tell(members, scene(60), inPlace)[0]).toMatch(/^wait: i-1 is still being ended by the group/);
    expect(tell(members, scene(4000), inPlace)[0]).toBe('tag i-8 to be replaced');
    const held = { ...scene(4000), desiredCapacity: 1, trafficSources: [] };
    const alone = [old('i-1', { marked: 4000, member: 'Terminating:Wait', ecs: 'DRAINING' })];
    expect(tell([...alone, failed('i-8', { marked: 60 })], held, inPlace)).toContain(
      'tag i-8 as the next to drain',
    );
  });

  test('one that left drains though another that its group ends drains for too long beside it', () => {
    const scene = (seconds: number): Scene => ({
      desiredCapacity: 2,
      endingSince: new Map([['i-1', ago(seconds)]]),
    });
    const ending = old('i-1', { marked: 4000, member: 'Terminating:Wait', turn: 4000, ecs: 'DRAINING' });
    const left = failed('i-8', { member: null, marked: 60 });
    const members = [{ ...ending, tasks: ['service:api'] }, left, old('i-2'), old('i-3')];
    expect(tell(members, scene(60))).toEqual(['wait: i-8 is ACTIVE in the cluster']);
    expect(tell(members, scene(4000))).toEqual(['tag i-8 as the next to drain']);
  });

  test('those that somebody drains leave before one that takes tasks', () => {
    const drained = failed('i-8', { ecs: 'DRAINING', tasks: ['service:api'] });
    expect(tell([old('i-1'), drained, failed('i-9', { age: 60 })], enlarged)).toContain(
      'detach i-8 from group web-ecs, which gets smaller by as many',
    );
  });
});

test('a group that launches the failed image is to get another, be one of its members left or lacking', () => {
  const launch = launching(PLACE, TARGET, TARGET);
  const blocks = [expect.stringContaining(`would launch ${TARGET.imageId}, which failed`)];
  expect(tell([old('i-1'), failed('i-2')], { launch })).toEqual(blocks);
  expect(tell([old('i-1')], { launch, desiredCapacity: 2 })).toEqual(blocks);
  expect(tell([old('i-1')], { launch })).toContain(ENDS);
});

test('a clock that stands still leads to the same decision', () => {
  const observation = observe([detached('i-1'), failed('i-9')], { roll: back(), rejection, maxSize: 9 });
  expect(decided(observation)).toEqual(decided({ ...observation, now: new Date(NOW) }));
});

describe('an instance that its owner has put aside is left, and reported', () => {
  const aside = failed('i-8', { member: 'Standby' });
  const warnings = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
    decideAll(
      observe(sketches, { roll: null, rejection, launch: GIVEN_BACK, ...scene }),
      { ...SETTINGS, ...settings },
      ROLL,
    ).flatMap((each) => each.warnings.map((warning) => describeWarning(warning)));
  const WARNING =
    'i-8 runs a rejected image (rolled back: it failed); once terminated, the group launches what it did before';

  test('during the rollback, after it, and when it serves again', () => {
    expect(warnings([old('i-1'), aside], { roll: back() })).toEqual([WARNING]);
    expect(warnings([old('i-1'), aside])).toEqual([WARNING]);
    expect(warnings([old('i-1'), failed('i-8')])).toEqual([WARNING]);
  });

  test('but not for what an earlier roll was aborted or rolled back with: that had its own reason', () => {
    const newest = { ...rejection, imageIds: [NEWER.imageId, ...rejection.imageIds] };
    expect(warnings([old('i-1'), aside], { rejection: newest })).toEqual([]);
    const onto = { ...back(), imageIds: [NEWER.imageId], previous: [] };
    expect(warnings([old('i-1'), aside], { rejection: newest, roll: onto })).toEqual([]);
  });

  test('but not if nothing runs it, it is replaced, or the group goes on launching it', () => {
    expect(warnings([old('i-1'), old('i-8')])).toEqual([]);
    expect(warnings([old('i-1'), aside], { roll: back() }, { standby: 'replace' })).toEqual([]);
    expect(warnings([old('i-1'), aside], { launch: launching(PLACE, TARGET, TARGET) })).toEqual([]);
  });
});
