import { describe, expect, test } from 'vitest';
import { alarmOverdue } from '../../../lambda/core/group/alarms.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  alarmSince,
  assessed,
  decided,
  detached,
  fresh,
  launching,
  NOW,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  told,
} from '../builders.ts';

const SINCE = (seconds: number) => ago(seconds).toISOString();
const watching = { alarmNames: ['errors'], alarmTimeoutSeconds: 300 };
const tell = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  told(observe(sketches, scene), { ...watching, ...settings });

/** In ALARM since after the roll began, 500 seconds ago, and before that. */
const RINGING = { alarms: [alarmSince(60)] };
const RUNG_BEFORE = { alarms: [alarmSince(501)] };
const QUIET = { alarms: [alarmSince(60, { inAlarm: false })] };
const HOLDS = `wait: begins nothing new, as alarm errors has been in ALARM since ${SINCE(60)}`;

describe('before a roll', () => {
  test('an alarm in ALARM keeps it from beginning', () => {
    expect(tell([old('i-1')], { roll: null, ...RINGING })).toEqual([
      `blocked: begins nothing new, as alarm errors has been in ALARM since ${SINCE(60)}`,
    ]);
  });

  test("an alarm in another state doesn't", () => {
    expect(tell([old('i-1')], { roll: null, ...QUIET })).toEqual(['tag group web-ecs: roll onto ami-7a2']);
  });

  test("an alarm that can't be found does, because nobody knows", () => {
    expect(tell([old('i-1')], { roll: null })).toEqual([
      'blocked: alarm errors does not exist; fix ALARM_NAMES or create it',
    ]);
  });

  test('of several alarms each must be found, and all that are in ALARM are told of', () => {
    const both = { alarmNames: ['errors', 'latency'] };
    expect(tell([old('i-1')], { roll: null, ...QUIET }, both)).toEqual([
      'blocked: alarm latency does not exist; fix ALARM_NAMES or create it',
    ]);
    const alarms = [alarmSince(60), alarmSince(90, { name: 'latency' })];
    expect(decided(observe([old('i-1')], { roll: null, alarms }), { ...watching, ...both })).toMatchObject({
      reason: { code: 'alarm-ringing', alarms: [{ name: 'errors' }, { name: 'latency' }] },
    });
  });

  test('an up-to-date group is not affected', () => {
    expect(decided(observe([fresh('i-1')], { roll: null, ...RINGING }), watching).kind).toBe('up-to-date');
  });

  test("an alarm that the group's settings don't name is ignored", () => {
    const alarms = [alarmSince(60, { name: 'other' }), ...QUIET.alarms];
    expect(tell([old('i-1')], { roll: null, alarms })).toEqual(['tag group web-ecs: roll onto ami-7a2']);
    const overrides = { alarmNames: ['other'] };
    expect(tell([old('i-1')], { roll: null, alarms, overrides })[0]).toMatch(/^blocked: .* alarm other/);
  });
});

describe('in the middle of a roll', () => {
  test.each([
    ['a batch', [old('i-1'), fresh('i-2')], {}],
    ['a turn', [detached('i-1'), fresh('i-2')], { settled: 60 }],
    ['a drain', [detached('i-1', { turn: 20 }), fresh('i-2')], { settled: 60 }],
    ['to scale out', [old('i-1'), fresh('i-2')], { trafficSources: [TARGET_GROUP], maxSize: 9 }],
  ] as const)('it keeps %s from beginning', (_, sketches, scene) => {
    expect(tell(sketches, { ...scene, ...RINGING })).toEqual([HOLDS]);
    expect(tell(sketches, { ...scene, ...QUIET })[0]).not.toMatch(/^wait/);
  });

  test('the image is not given to the group', () => {
    expect(tell([old('i-1')], { launch: launching(PLACE), ...RINGING })).toEqual([HOLDS]);
  });

  test('an instance that drains is waited for, and terminated when it is empty', () => {
    const draining = detached('i-1', { turn: 20, ecs: 'DRAINING', tasks: ['service:api'] });
    const scene = { settled: 60, ...RINGING };
    expect(tell([draining, fresh('i-2')], scene)).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
    expect(tell([{ ...draining, tasks: [] }, fresh('i-2')], scene)).toEqual([
      'deregister i-1',
      'terminate i-1',
    ]);
  });

  test('no other begins when that one is terminated', () => {
    const drained = detached('i-1', { turn: 20, ecs: 'DRAINING' });
    const all = [drained, detached('i-2', { turn: 10 }), fresh('i-8'), fresh('i-9')];
    expect(tell(all, { settled: 60, ...RINGING })).toEqual(['deregister i-1', 'terminate i-1']);
  });

  test('an alarm that does not exist keeps it from going on, once it has finished what it started', () => {
    expect(tell([old('i-1')])).toEqual([
      'blocked: alarm errors does not exist; fix ALARM_NAMES or create it',
    ]);
    const drained = detached('i-1', { turn: 20, ecs: 'DRAINING' });
    expect(tell([drained, fresh('i-2')], { settled: 60 })).toEqual(['deregister i-1', 'terminate i-1']);
  });

  test('processes that get in the way are suspended anyway', () => {
    const scene = { suspendedProcesses: [], ...RINGING };
    expect(tell([detached('i-1'), fresh('i-2')], scene).at(-1)).toMatch(/^suspend AZRebalance/);
  });
});

describe('an alarm that lasts', () => {
  const lasting = (seconds: number): Scene => ({
    alarms: [alarmSince(seconds)],
    roll: { startedAt: ago(1000) },
  });

  test('for longer than allowed rolls the roll back', () => {
    expect(tell([old('i-1'), fresh('i-2')], lasting(300))[0]).toMatch(/^wait/);
    expect(decided(observe([old('i-1'), fresh('i-2')], lasting(301)), watching)).toMatchObject({
      actions: [
        {
          kind: 'record-course',
          course: {
            kind: 'rollback',
            since: NOW,
            because: { code: 'alarm-overdue', afterSeconds: 300, alarm: { name: 'errors', since: ago(301) } },
          },
        },
      ],
    });
  });

  test('is overdue in a roll alone', () => {
    const overdue = (scene: Scene) => alarmOverdue(assessed(observe([old('i-1')], scene), watching));
    expect(overdue(lasting(301))).toMatchObject({ code: 'alarm-overdue', afterSeconds: 300 });
    expect(overdue({ ...lasting(301), roll: null })).toBeUndefined();
  });

  test('since the moment at which the roll began only holds it', () => {
    const roll = { startedAt: ago(400) };
    expect(tell([old('i-1'), fresh('i-2')], { alarms: [alarmSince(400)], roll })[0]).toMatch(/^wait/);
    expect(tell([old('i-1'), fresh('i-2')], { alarms: [alarmSince(399)], roll })[0]).toMatch(/rollback/);
  });

  test("since before the roll only holds it: it can't be the roll's fault", () => {
    expect(tell([old('i-1'), fresh('i-2')], { ...RUNG_BEFORE })[0]).toMatch(/^wait: begins nothing new/);
    expect(tell([old('i-1')], { alarms: [alarmSince(9000)] })[0]).toMatch(/^wait: begins nothing new/);
  });

  test('rolls nothing back in a paused group: a person must decide', () => {
    expect(tell([old('i-1'), fresh('i-2')], { ...lasting(400), pausedSince: ago(60) })[0]).toMatch(/^paused/);
  });

  test("can't roll back a roll that has changed nothing of what the group launches", () => {
    const roll = { startedAt: ago(1000), previous: [] };
    expect(tell([old('i-1'), fresh('i-2')], { ...lasting(400), roll })[0]).toMatch(
      /^blocked: after 300 s, alarm errors .* can't be rolled back/,
    );
  });

  test('does not stop a rollback or an abort', () => {
    const course = (kind: 'abort' | 'rollback') => ({
      kind,
      since: ago(100),
      because: { code: 'recorded', text: 'it was asked for' } as const,
    });
    const codes = { abort: 'aborted', rollback: 'rolled-back' } as const;
    const scene = (kind: 'abort' | 'rollback') => ({
      alarms: [alarmSince(400)],
      rejection: {
        imageIds: ['ami-7a2'],
        because: { code: codes[kind], because: { code: 'asked' } } as const,
      },
      roll: { startedAt: ago(1000), course: course(kind) },
    });
    expect(tell([old('i-1'), old('i-2')], scene('abort'))).toEqual(['remove the tags from group web-ecs']);
    expect(tell([old('i-1'), old('i-2')], scene('rollback'))).toEqual(['remove the tags from group web-ecs']);
  });
});
