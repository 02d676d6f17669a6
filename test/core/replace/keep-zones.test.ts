import { describe, expect, test } from 'vitest';
import type { TargetHealthIn } from '../../../lambda/core/model/group.ts';
import type { HookNote } from '../../../lambda/core/model/hook.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { ago, detached, fresh, observe, old, type Sketch, TARGET_GROUP, told } from '../builders.ts';
import { keyOf } from '../hooks/people.ts';

function tell(...scene: Parameters<typeof tellAll>): string[] {
  return tellAll(...scene).filter((each) => !/^tag group|^set group/.test(each));
}

/** A group whose target group serves zones apart, larger by so many, with its processes adjusted. */
function tellAll(
  sketches: readonly Sketch[],
  added: number,
  {
    zonal = true,
    maxSize = 20,
    hook,
    lacking = 0,
    ...settings
  }: Partial<Settings> & {
    readonly zonal?: boolean;
    readonly maxSize?: number;
    readonly hook?: HookNote;
    readonly lacking?: number;
  } = {},
): string[] {
  const byInstance = new Map(
    sketches.map(({ id, serving: healthy = true }) => [
      id,
      { healthy, state: healthy ? 'healthy' : 'initial' },
    ]),
  );
  const targetHealth: TargetHealthIn[] = [{ source: TARGET_GROUP, zonal, byInstance }];
  const scene = {
    ...(lacking > 0 && {
      desiredCapacity: sketches.length + lacking,
      failedLaunches: [{ at: ago(60), message: 'There is no Spot capacity available.' }],
    }),
    trafficSources: [TARGET_GROUP],
    targetHealth,
    maxSize,
    settled: 60,
    suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification', 'ReplaceUnhealthy'],
    roll: {
      changes: { suspended: [], addedSizes: { desiredCapacity: added, maxSize: 0 } },
      ...(hook && { hook }),
    },
  };
  return told(observe(sketches, scene), settings);
}

const marked = (id: string, zone: string, rest: Partial<Sketch> = {}) =>
  old(id, { zone, marked: 60, ...rest });
const grown = 'tag i-1 to be replaced';

describe('a member whose zone would be left without a target', () => {
  const a = marked('i-1', 'a');
  const b = old('i-2', { zone: 'b' });

  test('stays, and one leaves in its place from where the new one came up', () => {
    const all = [a, b, fresh('i-9', { zone: 'b' })];
    expect(tell(all, 1)).toEqual(['remove the tags from i-1', 'tag i-2 to be replaced']);
    expect(tell(all, 1, { zonal: false })).toEqual([
      'detach i-1 from group web-ecs, which gets smaller by as many',
    ]);
  });

  test('stays where launches lack room, which another makes, and the group gets no larger for it', () => {
    const all = [a, b, fresh('i-9', { zone: 'b' })];
    expect(tell(all, 2, { lacking: 1 })).toEqual(['remove the tags from i-1', 'tag i-2 to be replaced']);
    const apart = [a, ...['i-6', 'i-7', 'i-8', 'i-9'].map((id) => fresh(id, { zone: 'b' }))];
    expect(tell(apart, 2, { lacking: 1 })[0]).toMatch(/^wait: replacements are not ready/);
    // Nor may it where the group can't get larger.
    const full = [a, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tell(full, 2, { lacking: 1, maxSize: 4 })[0]).toMatch(/^wait: replacements are not ready/);
  });

  test('stays chosen while a new one is not ready: it may be another that can leave then', () => {
    const all = [a, b, fresh('i-9', { zone: 'b', agentConnected: false })];
    expect(tell(all, 1)[0]).toMatch(/^wait: replacements are not ready: i-9 is registered but its agent/);
  });

  test('stays while another of its zone leaves', () => {
    const both = [a, marked('i-2', 'a'), fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tell(both, 2)).toEqual(['remove the tags from i-2']);
  });

  test('stays while others of its batch leave', () => {
    const all = [a, marked('i-2', 'b'), fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tell(all, 2)).toEqual(['remove the tags from i-1']);
  });

  test('leaves once its zone has another', () => {
    expect(tell([a, b, fresh('i-9', { zone: 'a' })], 1)).toEqual([
      'detach i-1 from group web-ecs, which gets smaller by as many',
    ]);
  });

  test('waits for another new one where nobody else can leave either, marked as of now', () => {
    const all = [a, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tell(all, 1)).toEqual([grown]);
    expect(tell(all, 1, { terminateHooks: 'run' })).toEqual([grown]);
    // Up to its maximum size.
    expect(tell(all, 1, { maxSize: 4 })).toEqual([grown]);
  });

  test('waits for one at a time, be there several of its kind', () => {
    const all = [a, marked('i-2', 'c'), fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tellAll(all, 2, { maxSurge: { kind: 'count', count: 3 } })).toContain(
      'set group web-ecs to 5 instances',
    );
  });

  test.each<[string, Parameters<typeof tell>[2]]>([
    ['the surge', { maxSurge: { kind: 'count', count: 1 } }],
    ['a share of the members that the group has of its own', { maxSurge: { kind: 'percent', percent: 50 } }],
    ['its maximum size', { maxSize: 3 }],
  ])('leaves all the same if %s allows no more', (_, rest) => {
    const all = [a, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
    expect(tell(all, 1, rest)).toEqual(['detach i-1 from group web-ecs, which gets smaller by as many']);
  });

  test('serves on where members drain as members, if the group was not made larger for it', () => {
    const all = [a, marked('i-2', 'c'), fresh('i-9', { zone: 'b' })];
    const settings = { terminateHooks: 'run', maxSurge: { kind: 'count', count: 1 } } as const;
    expect(tell(all, 1, settings)).toEqual(['remove the tags from i-2']);
  });

  test('stays until those that have left the group are gone', () => {
    const all = [a, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' }), detached('i-3')];
    expect(tell(all, 1)).toEqual(['tag i-3 as the next to drain']);
  });

  test('does not stay for one whose drain was given up, which takes up a place of the surge', () => {
    const left = detached('i-3', { turn: 900, givenUp: 60, tasks: ['service:api'] });
    const all = [a, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' }), left];
    const surge = (count: number) => ({ maxSurge: { kind: 'count', count } }) as const;
    expect(tell(all, 1, surge(3))).toEqual([grown]);
    expect(tell(all, 1, surge(2))).toEqual(['detach i-1 from group web-ecs, which gets smaller by as many']);
  });

  test('drains on if it has begun to, and what drains serves nobody in its zone', () => {
    const drains = marked('i-1', 'a', { turn: 30, ecs: 'DRAINING', tasks: ['service:api'] });
    const all = [
      drains,
      old('i-2', { zone: 'a', marked: 60 }),
      fresh('i-9', { zone: 'b' }),
      fresh('i-8', { zone: 'b' }),
    ];
    const settings = { terminateHooks: 'run', maxSurge: { kind: 'count', count: 3 } } as const;
    expect(tell([drains, fresh('i-9', { zone: 'b' })], 1, settings)[0]).toMatch(/^wait: i-1 drains/);
    expect(tell(all, 2, settings)).toEqual(['tag i-2 to be replaced']);
  });

  describe('that has its turn, and what served beside it has ended since', () => {
    const run = { terminateHooks: 'run' } as const;
    const next = marked('i-1', 'a', { turn: 20 });

    test('stays: the group gets larger, or another leaves, or it drains where neither can be', () => {
      const two = [next, fresh('i-8', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
      expect(tell(two, 1, run)).toEqual([grown]);
      expect(tell([next, b, fresh('i-9', { zone: 'b' })], 1, run)).toEqual([
        'remove the tags from i-1',
        'tag i-2 to be replaced',
      ]);
      expect(tell(two, 1, { ...run, maxSize: 3 })).toEqual(['drain i-1']);
      expect(tell(two, 1, { ...run, zonal: false })).toEqual(['drain i-1']);
    });

    test('goes before another of its zone that was chosen later', () => {
      const both = [
        old('i-0', { zone: 'a', marked: 30 }),
        next,
        ...['i-7', 'i-8', 'i-9'].map((id) => fresh(id, { zone: 'b' })),
      ];
      expect(tell(both, 2, run)).toEqual(['remove the tags from i-0']);
    });

    test('stays given up, once its drain was', () => {
      const left = marked('i-1', 'a', { turn: 900, givenUp: 60, tasks: ['service:api'] });
      expect(tell([left, b, fresh('i-9', { zone: 'b' })], 1, run)).not.toContain('remove the tags from i-1');
    });
  });

  describe('with a hook before each batch', () => {
    const beforeBatch = 'arn:aws:lambda:eu-west-1:123456789012:function:next';
    const note = (answer: HookNote['answer'], key: string): HookNote => ({
      stage: 'before-batch',
      key,
      answer,
      since: ago(30),
      askedAt: ago(30),
      attempt: 1,
    });

    test('stays once the hook lets the other leave in its place', () => {
      const all = [a, b, old('i-3', { zone: 'b' }), fresh('i-9', { zone: 'b' })];
      const key = keyOf('before-batch', 'i-2', 'i-3');
      expect(tell(all, 1, { beforeBatch })).toEqual([expect.stringMatching(/^ask /)]);
      expect(
        tell(all, 1, { beforeBatch, hook: note('go', keyOf('before-batch', 'i-1', 'i-2', 'i-3')) }),
      ).toEqual([expect.stringMatching(/^ask /)]);
      expect(tell(all, 1, { beforeBatch, hook: note('hold', key) })).toEqual([
        expect.stringMatching(/^wait: .*holds/),
      ]);
      expect(tell(all, 1, { beforeBatch, hook: note('go', key) })[0]).toBe('remove the tags from i-1');
    });

    test('keeps none from ending that is empty by then', () => {
      const empty = marked('i-1', 'b', { turn: 90, ecs: 'DRAINING' });
      const other = old('i-2', { zone: 'a', marked: 60 });
      const all = [
        empty,
        other,
        fresh('i-8', { zone: 'b' }),
        fresh('i-9', { zone: 'b' }),
        old('i-3', { zone: 'b' }),
      ];
      const settings = { terminateHooks: 'run', maxSurge: { kind: 'count', count: 3 }, beforeBatch } as const;
      const hook = note('hold', keyOf('before-batch', 'i-3'));
      expect(tell(all, 2, { ...settings, hook })).toEqual([
        'terminate i-1 through group web-ecs, which gets smaller by as many',
      ]);
    });
  });
});
