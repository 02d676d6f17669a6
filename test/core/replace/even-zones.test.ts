import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../lambda/core/actions/decision.ts';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { NOTHING_ADDED, type TemporaryChanges } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import { detachDrifted } from '../../../lambda/core/replace/detach.ts';
import { warnOfUneven } from '../../../lambda/core/replace/even-zones.ts';
import { chooseInPlace } from '../../../lambda/core/replace/in-place.ts';
import { enlarge } from '../../../lambda/core/replace/scale-out.ts';
import {
  ago,
  assessed,
  decided,
  detached,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  type Sketch,
  told,
} from '../builders.ts';

const OURS = ['AZRebalance', 'InstanceRefresh'];

/** A group at the end of its roll, in three zones. */
function ended(
  sketches: readonly Sketch[],
  { changes, ...scene }: Scene & { readonly changes?: Partial<TemporaryChanges> } = {},
) {
  return observe(sketches, {
    availabilityZones: ['a', 'b', 'c'],
    suspendedProcesses: OURS,
    maxSize: 20,
    roll: { changes: { suspended: OURS, addedSizes: NOTHING_ADDED, ...changes } },
    ...scene,
  });
}

/** What each of its records says of how uneven the zones were. */
const unevenIn = (decision: Decision) =>
  'actions' in decision
    ? decision.actions.flatMap((each) => (each.kind === 'record-changes' ? [each.changes.unevenBy] : []))
    : [];

const inZones = (zones: string, rest: Partial<Sketch> = {}) =>
  [...zones].map((zone, index) => fresh(`i-${index}`, { zone, ...rest }));

describe('a group whose zones are uneven in the end', () => {
  const tell = (
    zones: string,
    scene: Parameters<typeof ended>[1] = {},
    settings: Partial<Settings> = {},
    rest = {},
  ) => told(ended(inZones(zones, rest), scene), settings);
  const RESUMED = 'resume AZRebalance and InstanceRefresh of group web-ecs';

  test('gets larger for them, before AZRebalance is resumed', () => {
    expect(tell('aab')).toEqual([
      'tag group web-ecs: AZRebalance and InstanceRefresh and AlarmNotification suspended by us',
      'suspend AlarmNotification of group web-ecs',
      'tag group web-ecs: AZRebalance and InstanceRefresh and AlarmNotification suspended by us; its size goes from 3 of 20 to 4 of 20',
      'set group web-ecs to 4 instances',
      'tag group web-ecs: AZRebalance and InstanceRefresh and AlarmNotification suspended by us; 1 of its instances are ours',
    ]);
    expect(tell('aaaabb')).toContain('set group web-ecs to 8 instances');
  });

  test('says so, and records how uneven they were', () => {
    const decision = decided(ended(inZones('aaaabb')));
    expect(decision).toMatchObject({ reason: { code: 'zones-evened', by: 2 } });
    expect(unevenIn(decision)).toEqual([undefined, 2, 2]);
  });

  test('gets no larger once it is resumed, and managed scaling may have scaled it in', () => {
    const resumed = { suspendedProcesses: [], changes: { suspended: [] } };
    expect(tell('aab', resumed)).toEqual(['remove the tags from group web-ecs']);
  });

  test('gets larger as far as its surge and its maximum size allow', () => {
    const one = { maxSurge: { kind: 'count', count: 1 } } as const;
    expect(tell('aaaabb', {}, one)).toContain('set group web-ecs to 7 instances');
    expect(tell('aaaabb', { maxSize: 7 })).toContain('set group web-ecs to 7 instances');
    expect(tell('aaaabb', { maxSize: 6 })).toContain(RESUMED);
    expect(tell('aaaabb', {}, { maxSurge: { kind: 'count', count: 0 } })).toContain(RESUMED);
  });

  test('gets larger for them again only once they are less uneven than before', () => {
    expect(tell('aab', { changes: { unevenBy: 2 } })).toContain('set group web-ecs to 4 instances');
    expect(tell('aab', { changes: { unevenBy: 1 } })).toContain(RESUMED);
  });

  test.each([
    ['another batch, as of a rollback', 1],
    ['a batch that was marked before its invocation was killed', 0],
  ])('%s forgets how uneven they were before', (_, batch) => {
    const scene = ended([old('i-0'), fresh('i-1')], { changes: { unevenBy: 2 } });
    const assessment = assessed(scene);
    if (!hasRoll(assessment)) throw new Error('no roll has begun');
    const { actions } = enlarge(assessment, 1, {
      toBeMarked: assessment.classified.drifted.slice(0, batch),
    });
    const recorded = actions.flatMap((each) =>
      each.kind === 'record-changes' ? [each.changes.unevenBy] : [],
    );
    expect(recorded.at(-1)).toBeUndefined();
    expect(recorded).not.toEqual([]);
  });

  test.each([
    ['detached', {}, ['record', 'mark', 'detach']],
    ['replaced in place', { maxSurge: { kind: 'count', count: 0 } }, ['record', 'mark']],
  ] as const)('another batch that is %s forgets it, too', (_, settings, expected) => {
    const scene = ended([old('i-0'), fresh('i-1')], { changes: { unevenBy: 2 } });
    const assessment = assessed(scene, settings);
    if (!hasRoll(assessment)) throw new Error('no roll has begun');
    const decision = (expected.length > 2 ? detachDrifted : chooseInPlace)(assessment);
    const actions = decision?.kind === 'act' ? decision.actions : [];
    expect(actions.map(({ kind }) => kind.split('-')[0])).toEqual(expected);
    expect(actions[0]).toMatchObject({
      kind: 'record-changes',
      changes: expect.not.objectContaining({ unevenBy: 2 }),
    });
  });

  test('what leaves in a rollback forgets it, too, before it leaves', () => {
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    const suspended = [...OURS, 'AlarmNotification'];
    const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
    const rolledBack = (noted: Partial<TemporaryChanges>) =>
      told(
        observe([old('i-0'), old('i-1'), fresh('i-9')], {
          suspendedProcesses: suspended,
          maxSize: 20,
          launch: launching(PLACE, OLD, OLD),
          roll: { ...ROLL, course, changes: { suspended, addedSizes, ...noted } },
        }),
      );
    expect(rolledBack({}).join()).toContain('detach i-9');
    expect(rolledBack({ unevenBy: 2 })).toEqual([
      expect.stringMatching(/^tag group web-ecs: .* 1 of its instances are ours$/),
    ]);
  });

  test.each<[string, string, Parameters<typeof ended>[1], Partial<Sketch>?]>([
    ['zones are as even as can be', 'aabc', {}],
    ['members have weights', 'aab', {}, { weight: 2 }],
    ['one is in no zone of the group any more', 'aab', { availabilityZones: ['a', 'c'] }],
  ])('does not get larger where %s', (_, zones, scene, rest) => {
    expect(tell(zones, scene, {}, rest)).toContain(RESUMED);
  });

  test('has one of the fullest zone leave for what was launched', () => {
    const changes = { addedSizes: { desiredCapacity: 1, maxSize: 0 }, unevenBy: 1 };
    const suspendedProcesses = [...OURS, 'AlarmNotification'];
    const scene = { changes: { ...changes, suspended: suspendedProcesses }, suspendedProcesses };
    expect(tell('aabc', scene)).toContain('detach i-0 from group web-ecs, which gets smaller by as many');
  });
});

describe('a group that lacks On-Demand Instances in the end', () => {
  /** Of each zone with a Spot Instance its letter is a capital one. */
  const members = (zones: string, rest: Partial<Sketch> = {}) =>
    [...zones].map((zone, index) =>
      fresh(`i-${index}`, {
        zone: zone.toLowerCase(),
        ...(zone !== zone.toLowerCase() && { spot: true }),
        ...rest,
      }),
    );
  const onDemand = { base: 2, percentAbove: 50 };
  const heavy = { onDemand: { base: 6, percentAbove: 50 } };
  const tell = (zones: string, scene: Parameters<typeof ended>[1] = {}, rest: Partial<Sketch> = {}) =>
    told(ended(members(zones, rest), { onDemand, ...scene }));
  const RESUMED = 'resume AZRebalance and InstanceRefresh of group web-ecs';

  test('gets larger by as many, or as its zones need', () => {
    expect(tell('aBc')).toContain('set group web-ecs to 4 instances');
    expect(tell('ABC')).toContain('set group web-ecs to 6 instances');
    expect(tell('aaaaBb')).toContain('set group web-ecs to 8 instances');
  });

  test('says so, and records how uneven its zones may become by it', () => {
    const decision = decided(ended(members('aBc'), { onDemand }));
    expect(decision).toMatchObject({ reason: { code: 'on-demand-launched', by: 1 } });
    expect(unevenIn(decision)).toEqual([undefined, 2, 2]);
  });

  test.each<[string, string, Parameters<typeof ended>[1], Partial<Sketch>?]>([
    ['it has enough', 'abC', { onDemand: { base: 1, percentAbove: 50 } }],
    ['all of it is On-Demand by its policy', 'aBC', { onDemand: undefined }],
    ['its Spot Instances are left alone', 'aBC', {}, { excluded: true }],
    ['members have weights', 'aBC', { ...heavy, desiredCapacity: 6 }, { weight: 2 }],
    ['it was larger for as many before', 'aBc', { changes: { unevenBy: 2 } }],
  ])('does not where %s', (_, zones, scene, rest) => {
    expect(tell(zones, scene, rest)).toContain(RESUMED);
  });

  test('has Spot Instances leave for them, of the fullest zones unless nobody evens these out', () => {
    const left = (zones: string, ours: readonly string[]) => {
      const suspended = [...ours, 'AlarmNotification'];
      const changes = { addedSizes: { desiredCapacity: 1, maxSize: 0 }, unevenBy: 2, suspended };
      return tell(zones, { changes, suspendedProcesses: [...OURS, 'AlarmNotification'] });
    };
    expect(left('aAbc', OURS)).toContain('detach i-1 from group web-ecs, which gets smaller by as many');
    expect(left('aabC', OURS)).toContain('detach i-0 from group web-ecs, which gets smaller by as many');
    expect(left('aabC', ['InstanceRefresh'])).toContain(
      'detach i-3 from group web-ecs, which gets smaller by as many',
    );
  });

  test('is told of if it still does', () => {
    const warned = (scene: Parameters<typeof ended>[1], rest = {}) =>
      warnOfUneven(assessed(ended(members('aBc', rest), { onDemand, ...scene }))).map(({ code }) => code);
    expect(warned({ changes: { unevenBy: 2 } })).toEqual(['on-demand-lacking']);
    expect(warned({})).toEqual([]);
    expect(warned({ ...heavy, desiredCapacity: 6 }, { weight: 2 })).toEqual(['on-demand-lacking']);
  });
});

describe('zones that a roll leaves uneven', () => {
  const warned = (members: readonly Sketch[], scene: Parameters<typeof ended>[1] = {}) =>
    warnOfUneven(assessed(ended(members, scene))).map((each) => describeWarning(each));
  const tried = { changes: { unevenBy: 1 } };

  test('are told of once nothing is left to replace, and they could not be evened out', () => {
    expect(warned(inZones('aabb'), tried)).toEqual([
      expect.stringMatching(/^the group has 2 in a, 2 in b, 0 in c: AZRebalance evens its zones out once/),
    ]);
    expect(warned(inZones('aabb'))).toEqual([]);
    expect(warned(inZones('aabb'), { ...tried, desiredCapacity: 5 })).toEqual([]);
    expect(warned([...inZones('aab'), old('i-9', { zone: 'b' })], tried)).toEqual([]);
    const addedSizes = { desiredCapacity: 1, maxSize: 0 };
    expect(warned(inZones('aabb'), { changes: { unevenBy: 1, addedSizes } })).toEqual([]);
  });

  test('are not told of while an old one drains, or one that its group is ending is yet to be replaced', () => {
    const leaving = [detached('i-7', { turn: 10, ecs: 'DRAINING' }), old('i-8', { zone: 'b', marked: 60 })];
    expect(warned([...inZones('aab'), ...leaving], tried)).toEqual([]);
    const ending = fresh('i-9', { zone: 'b', member: 'Terminating:Wait' });
    expect(warned([...inZones('aabb'), ending], { ...tried, desiredCapacity: 5 })).toEqual([]);
    expect(warned([...inZones('aabb'), ending], { ...tried, desiredCapacity: 4 })).toHaveLength(1);
  });

  test('are not told of without a roll, which a scale-in may leave so', () => {
    expect(warned(inZones('aabb'), { roll: null, suspendedProcesses: [] })).toEqual([]);
  });

  test('are told of where members have weights', () => {
    const weighted = inZones('aabb', { weight: 2 });
    expect(warned(weighted, { desiredCapacity: 8 })).toHaveLength(1);
    expect(warned(weighted, { desiredCapacity: 10 })).toEqual([]);
  });

  test('are not if they are as even as can be, or nobody evens them out', () => {
    expect(warned(inZones('aabc'), tried)).toEqual([]);
    expect(warned(inZones('aabb'), { changes: { suspended: [], unevenBy: 1 } })).toEqual([]);
  });
});
