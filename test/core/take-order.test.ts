import { describe, expect, test } from 'vitest';
import type { Order } from '../../lambda/core/model/request.ts';
import { alwaysWrite, takeOrder } from '../../lambda/core/take-order.ts';
import {
  ago,
  CONTINUE,
  decided,
  detached,
  fresh,
  groupOf,
  launching,
  NOW,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
  told,
} from './builders.ts';
import { noteOf } from './hooks/people.ts';

const asked = (order: Order) => ({ begin: false, order });
const tell = (order: Order, sketches: readonly Sketch[], scene: Scene = {}) =>
  told(observe(sketches, scene), {}, asked(order));
const course = (kind: 'abort' | 'rollback') => ({
  kind,
  since: ago(60),
  because: { code: 'recorded', text: 'it was asked for' } as const,
});

describe('an order is recorded once, and found on the tags from then on', () => {
  test('to pause', () => {
    expect(decided(observe([old('i-1')]), {}, asked('pause'))).toMatchObject({
      actions: [{ kind: 'pause', group: 'web-ecs', since: NOW }],
    });
    expect(tell('pause', [old('i-1')], { pausedSince: ago(60) })).toEqual([
      `paused: paused since ${ago(60).toISOString()}; \`ecs-ami-deploy resume\` lets it go on`,
    ]);
  });

  test('to resume', () => {
    expect(tell('resume', [old('i-1')], { pausedSince: ago(60) })).toEqual([
      'remove the tag that pauses group web-ecs',
    ]);
    expect(tell('resume', [old('i-1')])[0]).toBe('tag i-1 to be replaced');
  });

  test.each(['abort', 'rollback'] as const)(
    'to %s, and nothing that would outlast the roll if it ends meanwhile',
    (kind) => {
      expect(decided(observe([old('i-1')]), {}, asked(kind))).toMatchObject({
        actions: [{ kind: 'record-course', course: { kind, since: NOW, because: { code: 'asked' } } }],
      });
      const again = tell(kind, [old('i-1')], { roll: { course: course(kind) } });
      expect(again.filter((each) => each.includes(`: ${kind},`))).toEqual([]);
    },
  );
});

describe('to pause', () => {
  test('keeps a roll from beginning, and its group from being recorded', () => {
    const scene = { roll: null, pausedSince: ago(60) };
    expect(decided(observe([old('i-1')], scene)).kind).toBe('paused');
  });

  test("may be given to a group that is left out, or can't be handled", () => {
    expect(tell('pause', [old('i-1')], { excluded: true })).toEqual(['tag group web-ecs: paused']);
    expect(tell('pause', [old('i-1')], { launch: { obstacle: { code: 'launch-spec-missing' } } })).toEqual([
      'tag group web-ecs: paused',
    ]);
  });

  test('is also reported for an up-to-date group', () => {
    const scene = { roll: null, pausedSince: ago(60) };
    expect(decided(observe([fresh('i-1')], scene)).kind).toBe('paused');
  });

  test('finishes what has started, and begins nothing', () => {
    const pausedSince = ago(60);
    const scene = { pausedSince, settled: 60 };
    const drained = detached('i-1', { turn: 20, ecs: 'DRAINING' });
    expect(told(observe([drained, fresh('i-2')], scene))).toEqual(['deregister i-1', 'terminate i-1']);
    expect(told(observe([{ ...drained, tasks: ['service:api'] }, fresh('i-2')], scene))[0]).toMatch(
      /^wait: paused since \S+, and finishes what it has begun: i-1 drains: .+; `ecs-ami-deploy resume` lets it go on$/,
    );
    const untouched = [
      [detached('i-1', { turn: 20 }), fresh('i-2')],
      [detached('i-1'), fresh('i-2')],
      [old('i-1')],
    ];
    for (const sketches of untouched) expect(decided(observe(sketches, scene)).kind).toBe('paused');
  });

  test('is told to whoever looks, though the time of the tag is still to be written', () => {
    const scene = { pausedSince: NOW };
    expect(told(observe([old('i-1')], scene), {}, { begin: true, looks: true })[0]).toMatch(/^paused: /);
    expect(told(observe([old('i-1')], scene), {}, { begin: true })).toEqual(['tag group web-ecs: paused']);
  });

  test('also gives up what takes too long to drain', () => {
    const stuck = detached('i-1', { marked: 2000, turn: 1801, ecs: 'DRAINING', tasks: ['service:api'] });
    expect(told(observe([stuck, fresh('i-2')], { pausedSince: ago(60) })).at(-1)).toBe('set i-1 back ACTIVE');
  });

  test.each(['abort', 'rollback'] as const)('makes a roll wait that must %s', (kind) => {
    const roll = { course: course(kind) };
    expect(decided(observe([old('i-1'), fresh('i-2')], { roll, pausedSince: ago(60) })).kind).toBe('paused');
  });

  test.each(['abort', 'rollback'] as const)(
    'is over once somebody orders to %s, which otherwise could do nothing',
    (kind) => {
      expect(tell(kind, [old('i-1')], { pausedSince: ago(60) }).slice(-2)).toEqual([
        `tag group web-ecs: ${kind}, because somebody asked for it`,
        'remove the tag that pauses group web-ecs',
      ]);
    },
  );
});

describe('to abort or to roll back', () => {
  test.each(['abort', 'rollback'] as const)('overwrites a mere request by tag, such as %s', (kind) => {
    const byTag = { kind, since: NOW, because: { code: 'asked-by-tag' } as const };
    const previous = [
      { kind: 'launch-template', templateId: 'lt-1', version: 1, imageId: TARGET.imageId },
    ] as const;
    const scene = { roll: { course: byTag, previous } };
    expect(decided(observe([old('i-1')], scene), {}, asked('rollback'))).toMatchObject({
      actions: expect.arrayContaining([
        expect.objectContaining({
          kind: 'record-course',
          course: { kind: 'rollback', since: NOW, because: { code: 'asked' } },
        }),
      ]),
    });
  });

  test.each(['abort', 'rollback'] as const)('to %s does nothing for a group that is not rolled', (kind) => {
    expect(tell(kind, [old('i-1')], { roll: null })).toEqual([
      'skipped: no roll has begun; the schedule begins it, or `ecs-ami-deploy roll`',
    ]);
  });

  test('to roll back may follow an abort, and an abort a rollback, whose old image may be gone', () => {
    const aborted = { roll: { course: course('abort') } };
    expect(tell('rollback', [old('i-1')], aborted).at(-1)).toMatch(/: rollback, because somebody asked/);
    const back = { roll: { course: course('rollback') } };
    expect(tell('abort', [old('i-1')], back).at(-1)).toMatch(/: abort, because somebody asked/);
  });

  test("can't roll back if nothing was changed of what the group launches", () => {
    expect(tell('rollback', [old('i-1')], { roll: { previous: [] } })).toEqual([
      "blocked: somebody asked for it; it can't be rolled back, as the roll has not changed what the group " +
        'launches: order `ecs-ami-deploy abort`',
    ]);
    expect(tell('abort', [old('i-1')], { roll: { previous: [] } })).toEqual([
      'tag group web-ecs: abort, because somebody asked for it',
    ]);
  });

  test('continuing does not roll onto a rejected image', () => {
    const roll = { course: course('abort') };
    const scene = {
      roll,
      launch: launching(PLACE),
      rejection: {
        imageIds: ['ami-7a2'],
        because: { code: 'aborted', because: { code: 'recorded', text: 'it was asked for' } } as const,
      },
    };
    expect(told(observe([old('i-1')], scene), {}, CONTINUE)).toEqual(['remove the tags from group web-ecs']);
  });
});

describe('what is ordered is told by its code', () => {
  test.each([
    ['pause', {}, 'pauses'],
    ['resume', { pausedSince: ago(60) }, 'resumes'],
    ['abort', {}, 'aborts'],
    ['rollback', {}, 'rolls-back'],
  ] as const)('%s', (order, scene, code) => {
    expect(decided(observe([old('i-1')], scene), {}, asked(order)).reason.code).toBe(code);
  });
});

describe('an order to stop', () => {
  const ordered = (order: Order, scene: Scene, seconds = 0) =>
    takeOrder(
      groupOf(observe([old('i-1')], scene)),
      { begin: false, order, orderedAt: ago(seconds) },
      { now: NOW },
    );
  const back = course('rollback');

  test('lifts an older pause that an earlier invocation has left, and none of the same time or later', () => {
    const paused = (pausedSince?: Date) =>
      ordered('rollback', { roll: { course: back }, ...(pausedSince && { pausedSince }) }, 30);
    expect(paused(ago(31))).toEqual({
      kind: 'act',
      reason: { code: 'order-resumed', order: 'rollback' },
      actions: [{ kind: 'resume', group: 'web-ecs' }],
    });
    for (const since of [undefined, ago(30), ago(29)]) expect(paused(since)).toBeUndefined();
  });

  test('does nothing against one that was given at the same time or later', () => {
    expect(ordered('abort', { roll: { course: back } }, 61)).toBeUndefined();
    expect(ordered('abort', { roll: { course: back } }, 60)).toBeUndefined();
    expect(ordered('abort', { roll: { course: back } }, 59)).toMatchObject({ reason: { code: 'aborts' } });
  });

  test('is dated anew if it was given by tag alone and not before, or more than a day ago', () => {
    const byTag = (seconds: number) =>
      ({
        roll: { course: { kind: 'abort', since: ago(seconds), because: { code: 'asked-by-tag' } } },
      }) as const;
    expect(ordered('abort', byTag(30), 30)).toMatchObject({ reason: { code: 'aborts' } });
    expect(ordered('abort', byTag(31), 30)).toBeUndefined();
    expect(ordered('abort', { roll: { course: course('abort') } }, 60)).toBeUndefined();
    const long = { roll: { course: { ...course('abort'), since: ago(86_402) } } };
    expect(ordered('abort', long, 1)).toMatchObject({ reason: { code: 'aborts' } });
    expect(ordered('abort', long, 3)).toBeUndefined();
  });

  test('takes back what was only announced, whichever it is', () => {
    const notice = { imageIds: [TARGET.imageId], givenAt: ago(60), until: ago(-60) };
    const onlyAnnounced = { onlyAnnounced: true, previous: [] } as const;
    for (const order of ['abort', 'rollback', 'skip'] as const) {
      expect(ordered(order, { roll: null, notice })).toMatchObject({
        reason: { code: 'skips' },
        actions: [{ kind: 'record-course', course: { kind: 'abort' }, notice }],
      });
      expect(ordered(order, { roll: onlyAnnounced })).toMatchObject({ reason: { code: 'aborts' } });
    }
    expect(ordered('skip', {})).toBeUndefined();
  });
});

test('an order on a tag gets its time once it is seen, if it has none', () => {
  const seen = (scene: Scene) => takeOrder(groupOf(observe([old('i-1')], scene)), CONTINUE, { now: NOW });
  const later = { ...course('abort'), since: ago(-60) };
  for (const since of [NOW, later.since])
    expect(seen({ pausedSince: since, roll: { course: { ...later, since } } })).toEqual({
      kind: 'act',
      reason: { code: 'order-dated' },
      actions: [
        { kind: 'pause', group: 'web-ecs', since: NOW },
        { kind: 'record-course', group: 'web-ecs', course: { ...later, since: NOW } },
      ],
    });
  expect(seen({ pausedSince: ago(1), roll: { course: course('abort') } })).toBeUndefined();
  expect(seen({})).toBeUndefined();
  expect(seen({ roll: null })).toBeUndefined();
});

describe('a roll that completes', () => {
  test('clears earlier rejections, because its image has proved itself', () => {
    const rejection = {
      imageIds: ['ami-0bad'],
      because: { code: 'rolled-back', because: { code: 'recorded', text: 'of something else' } } as const,
    };
    expect(told(observe([fresh('i-1')], { rejection }))).toEqual([
      'remove the tags from group web-ecs that reject images',
      'remove the tags from group web-ecs',
    ]);
  });
});

describe('an order of which nobody can tell whether it is recorded', () => {
  const group = (scene: Scene = {}) => groupOf(observe([old('i-1')], scene));
  const hook = { ...noteOf('asked'), answer: 'hold' } as const;

  test('is written again: a pause as of when it began', () => {
    const pause = (scene: Scene) => alwaysWrite(group(scene), 'pause', NOW);
    expect(pause({})).toEqual({
      kind: 'act',
      reason: { code: 'pauses' },
      actions: [{ kind: 'pause', group: 'web-ecs', since: NOW }],
    });
    expect(pause({ pausedSince: ago(60) }).actions).toEqual([
      { kind: 'pause', group: 'web-ecs', since: ago(60) },
    ]);
  });

  test('has a hook asked anew that holds or refuses', () => {
    const resume = (scene: Scene) => alwaysWrite(group(scene), 'resume', NOW);
    const resumes = [{ kind: 'resume', group: 'web-ecs' }];
    for (const scene of [{}, { roll: null }, { roll: { hook: { ...hook, answer: 'go' } } }] as const)
      expect(resume(scene)).toEqual({ kind: 'act', reason: { code: 'resumes' }, actions: resumes });
    expect(resume({ roll: { hook } }).actions).toEqual([
      ...resumes,
      { kind: 'clear-hook', group: 'web-ecs' },
    ]);
  });
});
