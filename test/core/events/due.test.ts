import { describe, expect, test } from 'vitest';
import { dueEvents } from '../../../lambda/core/events/due.ts';
import type { Group } from '../../../lambda/core/model/group.ts';
import type { HookNote } from '../../../lambda/core/model/hook.ts';
import type { Request } from '../../../lambda/core/model/request.ts';
import type { Roll } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { NOTHING_TOLD, type Told } from '../../../lambda/core/model/told.ts';
import {
  ago,
  CONTINUE,
  decideAll,
  detached,
  fresh,
  OLD,
  observe,
  old,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
} from '../builders.ts';
import { OF_THREE, TOPIC } from '../hooks/people.ts';
import { expectValid } from './schema.ts';

const STARTED = ago(500).toISOString();
const ROLL_ID = `web/web-ecs/${STARTED}`;
const BEGUN: Told = { ...NOTHING_TOLD, milestones: ['begun'], from: ['ami-01d'] };

const blockedBy = (code: string): Told => ({ ...BEGUN, stop: { kind: 'blocked', code }, turns: 1 });

interface Given {
  readonly sketches?: readonly Sketch[];
  readonly scene?: Scene;
  readonly told?: Told;
  /** Null if it hasn't begun. */
  readonly roll?: Partial<Roll> | null;
  readonly group?: Partial<Group>;
  readonly settings?: Partial<Settings>;
  readonly request?: Request;
}

/** A roll under way, unless the scene has another. */
function due(given: Given) {
  const {
    sketches = [old('i-1'), fresh('i-2')],
    scene,
    told,
    group,
    settings,
    roll = {},
    request = ROLL,
  } = given;
  const observation = observe(sketches, { settled: 60, ...scene, roll });
  const groups = observation.groups.map((each) => ({ ...each, ...group, ...(told && { told }) }));
  const [first] = decideAll({ ...observation, groups }, { ...SETTINGS, ...settings }, request);
  if (first === undefined) throw new Error('there must be a group');
  const marked = first.assessment.group.instances.filter(({ mark }) => mark !== undefined);
  const found = dueEvents(first, request, marked);
  for (const event of found.events) expectValid(event);
  return found;
}

const kinds = (given: Given) => due(given).events.map(({ kind }) => kind);
const ids = (given: Given) => due(given).events.map(({ id }) => id);

describe('of a roll', () => {
  test('its beginning is told once', () => {
    const { events, told } = due({});
    expect(events).toMatchObject([
      {
        version: '1',
        id: `${ROLL_ID}/begun`,
        kind: 'begun',
        cluster: 'web',
        group: 'web-ecs',
        startedAt: STARTED,
        seconds: 500,
        images: { from: ['ami-01d'], to: ['ami-7a2'] },
        counts: { outdated: 1, replaced: 1, total: 2 },
        instances: [
          { instanceId: 'i-1', role: 'old' },
          { instanceId: 'i-2', role: 'new' },
        ],
        text: 'web/web-ecs: roll begun, from ami-01d to ami-7a2, 1 of 2 members replaced after 8 min',
      },
    ]);
    expect(told).toEqual(BEGUN);
    expect(due({ told: BEGUN })).toEqual({ events: [] });
  });

  test('a trial that is passed is told once', () => {
    const roll = { canary: { kind: 'passed' } } as const;
    const { events, told } = due({ roll, told: BEGUN });
    expect(events.map(({ id }) => id)).toEqual([`${ROLL_ID}/trial-passed`]);
    expect(kinds({ roll, ...(told && { told }) })).toEqual([]);
  });

  test('a batch is done when no marked member is left, and is told by when it was marked', () => {
    const begun = due({ sketches: [detached('i-1', { marked: 300 }), fresh('i-2')], told: BEGUN });
    expect(begun).toEqual({ events: [], told: { ...BEGUN, batchSince: ago(300) } });
    const inHand: Told = { ...BEGUN, batchSince: ago(300) };
    expect(due({ sketches: [detached('i-1', { marked: 300 }), fresh('i-2')], told: inHand })).toEqual({
      events: [],
    });
    const done = due({ sketches: [old('i-3'), fresh('i-2')], told: inHand });
    expect(done.events.map(({ id }) => id)).toEqual([`${ROLL_ID}/batch-done/${ago(300).toISOString()}`]);
    expect(done.told).toEqual(BEGUN);
  });

  test('a batch begins when the first of its members was marked', () => {
    const sketches = [300, 400, 200].map((marked, index) => detached(`i-${index}`, { marked }));
    expect(due({ sketches: [...sketches, fresh('i-9')], told: BEGUN }).told).toEqual({
      ...BEGUN,
      batchSince: ago(400),
    });
  });

  test('the images that its members ran are noted in order', () => {
    const image = { ...OLD, imageId: 'ami-02f' };
    const { told } = due({ sketches: [old('i-1', { image }), old('i-2'), old('i-3', { image })] });
    expect(told?.from).toEqual(['ami-01d', 'ami-02f']);
  });

  test('a batch is done although one of its drains was given up', () => {
    const inHand: Told = { ...BEGUN, batchSince: ago(300) };
    const sketches = [detached('i-1', { marked: 300, turn: 290, givenUp: 10 }), fresh('i-2')];
    expect(kinds({ sketches, told: inHand })).toContain('batch-done');
  });

  test('a batch of a roll that goes back is not told', () => {
    const course = { kind: 'rollback', since: ago(10), because: { code: 'asked' } } as const;
    const inHand: Told = { ...BEGUN, milestones: ['begun', 'rolling-back'], batchSince: ago(300) };
    expect(kinds({ sketches: [old('i-3')], roll: { course }, told: inHand })).not.toContain('batch-done');
  });

  test.each([
    ['abort', 'aborting'],
    ['rollback', 'rolling-back'],
  ] as const)('a turn to %s is told once, with its cause', (kind, milestone) => {
    const roll = { course: { kind, since: ago(10), because: { code: 'asked' } } } as const;
    const inHand = detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:api'] });
    const { events, told } = due({ sketches: [inHand, fresh('i-2')], roll, told: BEGUN });
    expect(events[0]).toMatchObject({ kind: milestone, because: 'somebody asked for it' });
    expect(events[0]?.text).toContain('somebody asked for it');
    expect(told?.milestones).toContain(milestone);
  });

  test('a pause is told once, and that it goes on; a second pause is another event', () => {
    const paused = { pausedSince: ago(5) };
    const first = due({ group: paused, told: BEGUN });
    expect(first.events).toMatchObject([{ id: `${ROLL_ID}/held/paused/1`, code: 'paused' }]);
    const held = first.told ?? NOTHING_TOLD;
    expect(due({ group: paused, told: held })).toEqual({ events: [] });
    const second = due({ told: held });
    expect(second.events.map(({ id }) => id)).toEqual([`${ROLL_ID}/continued/2`]);
    expect(ids({ group: paused, told: second.told ?? NOTHING_TOLD })).toEqual([`${ROLL_ID}/held/paused/3`]);
  });

  test('it does not go on while it only finishes what is in hand', () => {
    const held: Told = { ...BEGUN, stop: { kind: 'held', code: 'paused' }, turns: 1, batchSince: ago(400) };
    const sketches = [detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:api'] }), fresh('i-2')];
    expect(kinds({ sketches, group: { pausedSince: ago(5) }, told: held })).toEqual([]);
  });

  test('what blocks it is told once by its code', () => {
    const scene = { instanceRefresh: { status: 'InProgress', decidesLaunches: false } };
    const { events, told } = due({ scene, told: BEGUN });
    expect(events).toMatchObject([
      { id: `${ROLL_ID}/blocked/instance-refresh/1`, kind: 'blocked', code: 'instance-refresh' },
    ]);
    expect(events[0]?.text).toContain(events[0]?.reason);
    expect(kinds({ scene, told: told ?? NOTHING_TOLD })).toEqual([]);
  });

  test('another try of what AWS has refused is no going on', () => {
    for (const code of ['launch-spec-refused', 'call-refused'])
      expect(kinds({ told: blockedBy(code) })).toEqual([]);
    expect(kinds({ told: blockedBy('no-room') })).toEqual(['continued']);
  });

  test('what blocks it after another thing did is told, too', () => {
    const scene = { instanceRefresh: { status: 'InProgress', decidesLaunches: false } };
    expect(ids({ scene, told: blockedBy('no-room') })).toEqual([`${ROLL_ID}/blocked/instance-refresh/2`]);
  });

  test('it goes on once it waits as usual, or is over', () => {
    const draining = detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:api'] });
    for (const code of ['no-room', 'call-refused']) {
      const told = { ...blockedBy(code), batchSince: ago(400) };
      expect(kinds({ sketches: [draining, fresh('i-2')], told })).toEqual(['continued']);
      expect(kinds({ sketches: [fresh('i-2')], told: blockedBy(code) })).toEqual(['continued', 'completed']);
    }
  });

  test('it does not go on while it is closed, though it finishes what is in hand', () => {
    const draining = detached('i-1', { turn: 50, ecs: 'DRAINING', tasks: ['service:api'] });
    const told = { ...blockedBy('no-room'), batchSince: ago(400) };
    const group = { closed: { code: 'outside-windows', opensAt: ago(-3600) } } as const;
    expect(kinds({ sketches: [draining, fresh('i-2')], group, told })).toEqual([]);
  });

  describe('whose batches a hook lets begin', () => {
    const hook: HookNote = {
      stage: 'before-batch',
      key: OF_THREE,
      answer: 'hold',
      since: ago(30),
      askedAt: ago(30),
      attempt: 1,
    };
    const held = (answer: HookNote['answer'], beforeBatch: string, told = BEGUN): Given => ({
      sketches: [old('i-1'), old('i-2'), old('i-3')],
      roll: { hook: { ...hook, answer } },
      settings: { beforeBatch },
      told,
    });
    const FUNCTION = 'arn:aws:lambda:eu-west-1:123456789012:function:next';

    test.each([
      ['it holds', 'hold', FUNCTION, 'hook-holds'],
      ['people are asked', 'asked', TOPIC, 'approval-awaited'],
    ] as const)('it is held while %s', (_, answer, arn, code) => {
      expect(due(held(answer, arn)).events).toMatchObject([{ kind: 'held', code }]);
    });

    test('to ask again, or to note an answer, is no going on', () => {
      const told: Told = { ...BEGUN, stop: { kind: 'held', code: 'hook-holds' }, turns: 1 };
      expect(
        kinds({ ...held('hold', FUNCTION, told), roll: { hook: { ...hook, askedAt: ago(90) } } }),
      ).toEqual([]);
      const answers = { group: 'web-ecs', question: OF_THREE };
      const request: Request = { begin: false, order: 'approve', orderedAt: ago(0), answers };
      expect(kinds({ ...held('asked', TOPIC, told), request })).toEqual([]);
      expect(kinds(held('go', FUNCTION, told))).toEqual(['continued']);
    });
  });

  test('its end is told, with the images that it began with, and no tag is written any more', () => {
    const { events, told } = due({ sketches: [fresh('i-2')], told: BEGUN });
    expect(events).toMatchObject([
      { id: `${ROLL_ID}/completed`, images: { from: ['ami-01d'], to: ['ami-7a2'] }, counts: { replaced: 1 } },
    ]);
    expect(told).toBeUndefined();
  });

  test('its beginning and its end are told at once if it has nothing to replace, with no tag for them', () => {
    const { events, told } = due({ sketches: [fresh('i-2')] });
    expect(events.map(({ kind }) => kind)).toEqual(['begun', 'completed']);
    expect(told).toBeUndefined();
  });

  test('of one that was only announced, nothing but its end is told', () => {
    const course = { kind: 'abort', since: ago(10), because: { code: 'asked' } } as const;
    const roll = { course, previous: [], onlyAnnounced: true } as const;
    expect(kinds({ roll, settings: { announceMinutes: 60 } })).toEqual(['aborted']);
  });

  test('chats get neither mentions nor links from names and reasons', () => {
    const { events } = due({ group: { name: '<!channel> [a](b) `@all`' } });
    const [{ chat } = { chat: undefined }] = events;
    expect(chat?.content.title).toContain('!channel');
    expect(`${chat?.content.title}${chat?.content.description}`).not.toMatch(/[<>@[\]`]/);
    expect(chat?.metadata.threadId).toContain(STARTED);
  });

  test('of many instances a hundred are listed', () => {
    const sketches = Array.from({ length: 130 }, (_, index) => old(`i-${index}`));
    const [event] = due({ sketches }).events;
    expect(event?.instances).toHaveLength(100);
    expect(event?.instancesLeftOut).toBe(30);
  });
});

describe('of a group whose roll has not begun', () => {
  const blocked = {
    roll: null,
    scene: { instanceRefresh: { status: 'InProgress', decidesLaunches: false } },
  } as const;

  test('a block is told at each look for an image, under the same id', () => {
    const { events, told } = due(blocked);
    expect(events).toMatchObject([
      { id: 'web/web-ecs/not begun/blocked/instance-refresh/ami-7a2', kind: 'blocked' },
    ]);
    expect(events[0]?.startedAt).toBeUndefined();
    expect(told).toBeUndefined();
  });

  test('nothing is told when only begun rolls go on', () => {
    expect(kinds({ ...blocked, request: CONTINUE })).toEqual([]);
  });

  test('nothing is told if there is nothing to do, or if it may begin', () => {
    expect(kinds({ roll: null, sketches: [fresh('i-1')] })).toEqual([]);
    expect(kinds({ roll: null })).toEqual([]);
  });

  test('its notice is told once', () => {
    const given: Given = {
      roll: null,
      group: { notice: { imageIds: ['ami-7a2'], givenAt: ago(60), until: ago(-3600) } },
      settings: { announceMinutes: 61 },
    };
    const { events, told } = due(given);
    expect(events.map(({ id }) => id)).toEqual([`web/web-ecs/not begun/announced/${ago(60).toISOString()}`]);
    expect(told).toEqual({ ...NOTHING_TOLD, milestones: ['announced'] });
    expect(due({ ...given, ...(told && { told }) })).toEqual({ events: [] });
  });

  test('a block is not told while the group is closed', () => {
    const group = { closed: { code: 'outside-windows', opensAt: ago(-3600) } } as const;
    expect(kinds({ ...blocked, group })).toEqual([]);
  });

  test("nothing is told of a stranger's group", () => {
    const notOurs = { kind: 'stranger', reason: { code: 'belongs-elsewhere' } } as never;
    expect(due({ group: { notOurs } })).toEqual({ events: [] });
  });
});
