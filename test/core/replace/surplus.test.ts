import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import type { TargetHealthIn } from '../../../lambda/core/model/group.ts';
import { NOTHING_ADDED } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { surplusOf } from '../../../lambda/core/replace/surplus.ts';
import { ago, assessed, fresh, observe, old, TARGET_GROUP, told } from '../builders.ts';

const SUSPENDED = ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'];

interface Ended {
  /** How much larger than before the group is. */
  readonly added: number;
  /** The target group serves each zone from itself. */
  readonly zonal?: boolean;
  /** Indexes of members whose targets are unhealthy. */
  readonly ill?: readonly number[];
  readonly marked?: readonly number[];
  /** They have a turn, or drain already. */
  readonly next?: readonly number[];
  readonly draining?: readonly number[];
  readonly aborted?: boolean;
  readonly unevenBy?: number;
  /** Auto Scaling evens the zones out after the roll. */
  readonly evens?: boolean;
  readonly onDemandBase?: number;
  readonly onDemandPercent?: number;
  readonly weights?: readonly number[];
  /** Its policy says how much is On-Demand. */
  readonly isMixed?: boolean;
}

/** A group at the end of its roll, a letter for each member's zone: a capital one for a Spot Instance. */
function ended(
  zones: string,
  {
    added,
    zonal = true,
    ill = [],
    marked = [],
    next = [],
    draining = [],
    aborted = false,
    unevenBy,
    onDemandBase = 0,
    onDemandPercent = 0,
    weights = [],
    evens = true,
    isMixed = true,
  }: Ended,
) {
  const sketches = [...zones].map((zone, index) =>
    fresh(`i-${index}`, {
      zone: zone.toLowerCase(),
      weight: weights[index] ?? 1,
      ...(zone !== zone.toLowerCase() && { spot: true }),
      ...(marked.includes(index) && { marked: 60 }),
      ...([...next, ...draining].includes(index) && { marked: 60, turn: 20 }),
      ...(draining.includes(index) && { ecs: 'DRAINING' }),
    }),
  );
  const byInstance = new Map(
    sketches.map(({ id }, index) => [id, { healthy: !ill.includes(index), state: 'healthy' }]),
  );
  const targetHealth: TargetHealthIn[] = [{ source: TARGET_GROUP, zonal, byInstance }];
  const addedSizes = { desiredCapacity: added, maxSize: 0 };
  return observe(sketches, {
    availabilityZones: ['a', 'b'],
    trafficSources: [TARGET_GROUP],
    targetHealth,
    suspendedProcesses: SUSPENDED,
    ...(isMixed && { onDemand: { base: onDemandBase, percentAbove: onDemandPercent } }),
    desiredCapacity: sketches.reduce((sum, { weight = 1 }) => sum + weight, 0),
    maxSize: 50,
    settled: 60,
    roll: {
      changes: { suspended: evens ? ['AZRebalance'] : [], addedSizes, ...(unevenBy && { unevenBy }) },
      startedAt: ago(900),
      ...(aborted && { course: { kind: 'abort', since: ago(800), because: { code: 'asked' } } }),
    },
  });
}

function leaving(zones: string, scene: Ended): string[] {
  const assessment = assessed(ended(zones, scene));
  if (!hasRoll(assessment)) throw new Error('no roll has begun');
  return surplusOf(assessment)
    .leaving.map(({ member }) => member.instanceId)
    .sort();
}

describe('what leaves once the group is larger than it was', () => {
  test('comes from the fullest zone, On-Demand only where enough of it stays', () => {
    expect(leaving('abb', { added: 1 })).toEqual(['i-1']);
    expect(leaving('aaBb', { added: 2, onDemandBase: 2 })).toEqual(['i-0', 'i-2']);
  });

  test('keeps as much On-Demand as the group wants once it is smaller, not as large as it is', () => {
    const half = { added: 1, onDemandPercent: 50, zonal: false };
    expect(leaving('aaaB', half)).toEqual(['i-0']);
    expect(leaving('aaaB', { ...half, evens: false })).toEqual(['i-0']);
    const both = { added: 1, onDemandBase: 2, zonal: false, evens: false };
    expect(leaving('aaB', both)).toEqual(['i-2']);
    // Nobody says how much it wants.
    expect(leaving('aaB', { ...both, isMixed: false })).toEqual(['i-0']);
  });

  test('names nobody twice, whoever was chosen before, or may leave without On-Demand lacking', () => {
    expect(leaving('aabb', { added: 2, marked: [0] })).toEqual(['i-0', 'i-2']);
    expect(leaving('Aab', { added: 2, onDemandBase: 9, zonal: false })).toEqual(['i-0', 'i-1']);
    const weights = [2, 3];
    expect(leaving('ab', { added: 4, onDemandBase: 9, weights, zonal: false })).toEqual(['i-0']);
  });

  test('is no more than Auto Scaling detaches at once', () => {
    const zones = 'ab'.repeat(22);
    expect(leaving(zones, { added: 25 })).toHaveLength(20);
    expect(leaving(zones, { added: 43 })).toHaveLength(20);
    const lastOfZone = 40;
    const others = leaving(`${'a'.repeat(lastOfZone)}b`, { added: 25, marked: [lastOfZone] });
    expect(others).toHaveLength(20);
    expect(others).not.toContain(`i-${lastOfZone}`);
  });

  test('comes from there even if On-Demand Instances are lacking then, unless nobody evens the zones out', () => {
    const apart = { zonal: false, onDemandBase: 2 };
    expect(leaving('aaB', { added: 1, ...apart })).toEqual(['i-0']);
    expect(leaving('aaB', { added: 1, ...apart, evens: false })).toEqual(['i-2']);
    expect(leaving('bBaa', { added: 2, ...apart })).toEqual(['i-1', 'i-2']);
    expect(leaving('BBaa', { added: 2, ...apart, evens: false })).toEqual(['i-0', 'i-1']);
  });

  test('is not the last of its zone, but another, that was chosen before or comes next', () => {
    expect(leaving('aaB', { added: 1, onDemandBase: 2, evens: false })).toEqual(['i-0']);
    expect(leaving('abb', { added: 1, ill: [2] })).toEqual(['i-2']);
    expect(leaving('BBaa', { added: 2, onDemandBase: 2, evens: false })).toEqual(['i-0', 'i-2']);
    expect(leaving('aaBb', { added: 2, onDemandBase: 3, marked: [1, 3] })).toEqual(['i-1', 'i-3']);
  });

  test('is the last of its zone where there are no others', () => {
    expect(leaving('ab', { added: 1 })).toHaveLength(1);
  });
});

describe('one that has its turn, and serves its zone alone since another has ended', () => {
  const tell = (zones: string, scene: Partial<Ended>, settings: Partial<Settings> = {}) =>
    told(ended(zones, { added: 1, ...scene }), { terminateHooks: 'run', ...settings });

  const ends = (id: string) => `terminate ${id} through group web-ecs, which gets smaller by as many`;

  test('stays, and another leaves instead', () => {
    expect(tell('aab', { next: [2] })).toEqual(['tag i-0 to be replaced']);
    expect(tell('aab', { next: [2], marked: [0] })).toEqual(['tag i-0 as the next to drain']);
    expect(tell('aab', { next: [2, 0] })).toEqual(['drain i-0']);
    expect(tell('aab', { next: [2], aborted: true })).toEqual(['tag i-0 to be replaced']);
  });

  test('leaves where it drains already, no other can, or each zone is served by all', () => {
    expect(tell('aab', { draining: [2], next: [0] })).toContain(ends('i-2'));
    expect(tell('ab', { next: [1] })).toEqual(['drain i-1']);
    expect(tell('aab', { next: [2], zonal: false })).toEqual(['drain i-2']);
  });

  test('stays though another of its zone is there again, once the one instead of it drains', () => {
    expect(tell('aabb', { next: [2], draining: [0] })).toContain(ends('i-0'));
    expect(leaving('aabb', { added: 1, next: [0], draining: [2] })).toEqual(['i-2']);
  });
});

test('an outdated member that serves its zone alone drains in its turn: it is no surplus', () => {
  const suspended = SUSPENDED.filter((name) => name !== 'AlarmNotification');
  const sketches = [old('i-1', { zone: 'b', marked: 60, turn: 20 }), fresh('i-2', { zone: 'a' })];
  const byInstance = new Map(sketches.map(({ id }) => [id, { healthy: true, state: 'healthy' }]));
  const scene = observe(sketches, {
    trafficSources: [TARGET_GROUP],
    targetHealth: [{ source: TARGET_GROUP, zonal: true, byInstance }],
    suspendedProcesses: suspended,
    settled: 60,
    roll: { changes: { suspended, addedSizes: NOTHING_ADDED }, startedAt: ago(900) },
  });
  const inPlace = { maxSurge: { kind: 'count', count: 0 }, terminateHooks: 'run' } as const;
  expect(told(scene, inPlace)).toEqual(['drain i-1']);
});

test('what is uneven by its surplus alone gets no larger first, nor where no Spot Instance is one too many', () => {
  const tell = (zones: string, scene: Ended) =>
    told(ended(zones, scene), { maxSurge: { kind: 'count', count: 9 } });
  const leaves = (ids: string) => `detach ${ids} from group web-ecs, which gets smaller by as many`;
  expect(tell('aaab', { added: 1 })).toContain(leaves('i-0'));
  expect(tell('aaaB', { added: 1, onDemandBase: 3 })).toContain(leaves('i-0'));
  expect(tell('aBBB', { added: 2, onDemandPercent: 50 })).toContain(leaves('i-1, i-2'));
});

describe('a group that would lack an On-Demand Instance without its surplus', () => {
  const tell = (zones: string, scene: Ended, settings: Partial<Settings> = {}) =>
    told(ended(zones, scene), settings).filter((each) => !each.startsWith('tag group'));
  const grown = 'set group web-ecs to 4 instances';

  test('first gets larger once more, if it lacks one even now', () => {
    expect(tell('aaB', { added: 1, onDemandBase: 3 })).toEqual([grown]);
    expect(tell('aaB', { added: 1, onDemandBase: 3, zonal: false })).toEqual([grown]);
    expect(tell('aaB', { added: 1, onDemandBase: 2 })).toEqual([
      'tag i-0 to be replaced',
      'detach i-0 from group web-ecs, which gets smaller by as many',
    ]);
    expect(tell('aaB', { added: 1, onDemandBase: 3, unevenBy: 2 })).not.toContain(grown);
  });

  test('does so within its surge alone', () => {
    const surge = (count: number) => ({ maxSurge: { kind: 'count', count } }) as const;
    expect(tell('aaB', { added: 1, onDemandBase: 3 }, surge(1))).not.toContain(grown);
    expect(tell('aaB', { added: 1, onDemandBase: 3 }, surge(2))).toContain(grown);
  });
});
