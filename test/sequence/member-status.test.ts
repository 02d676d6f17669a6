import { describe, expect, test } from 'vitest';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import type { InSequence } from '../../lambda/core/model/permit.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { type KnownOfMember, memberStatus } from '../../lambda/sequence/member-status.ts';
import {
  ago,
  alarmSince,
  decideAll,
  fresh,
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
  TARGET,
} from '../core/builders.ts';

const LINE = 'amazon-linux-2023/x86_64';
const OTHER = 'amazon-linux-2023/arm64';
const MEMBER = { account: '111111111111', region: 'eu-west-1', stack: 'web' };

/** A group that launches the old image, and whose sequence allows the target or not. */
function launching(inSequence: Partial<InSequence> = {}, more: object = {}): Scene {
  const about = { line: LINE, newest: TARGET.name, release: TARGET.name, ...inSequence };
  const source = { place: PLACE, imageId: OLD.imageId, target: TARGET, inSequence: about, ...more };
  return { launch: { sources: [source], mixed: false } };
}
const AWAITS = { release: undefined } as unknown as Partial<InSequence>;
const awaiting = () => launching(AWAITS, { target: OLD, onlyForNew: true });

const deciding = (sketches: readonly Sketch[], scene: Scene, settings: Partial<Settings> = {}) =>
  decideAll(observe(sketches, scene), { ...SETTINGS, ...settings }, ROLL);

const speaking = (decided: readonly GroupDecision[], more: Partial<KnownOfMember> = {}) =>
  memberStatus({
    member: MEMBER,
    now: NOW,
    generation: 3,
    acceptsRevert: false,
    decided,
    unknown: [],
    previous: undefined,
    ...more,
  });

const lineOf = (...args: Parameters<typeof deciding>) => speaking(deciding(...args)).lines.get(LINE);

describe('what a member says of a line', () => {
  const three = [old('i-1'), old('i-2'), fresh('i-3')];

  test('what its members run, the newest that its settings choose, and which allowance it has read', () => {
    const status = speaking(deciding(three, { ...awaiting(), roll: null }));
    expect(status).toEqual({
      member: MEMBER,
      spokeAt: NOW,
      generation: 3,
      acceptsRevert: false,
      lines: new Map([[LINE, { newest: TARGET.name, runs: { oldest: OLD.name, newest: TARGET.name } }]]),
    });
  });

  test('an image that is gone counts as the oldest', () => {
    const gone = { ...OLD, imageId: 'ami-g0ne' };
    const runs = lineOf([fresh('i-1'), old('i-2', { image: gone })], { ...awaiting(), roll: null })?.runs;
    expect(runs).toEqual({ oldest: 'ami-g0ne', newest: TARGET.name });
  });

  test('what it is being rolled onto, and why it does not go on with that', () => {
    expect(lineOf(three, launching())).toMatchObject({ rolling: TARGET.name });
    expect(lineOf(three, launching())).not.toHaveProperty('hindered');
    const paused = lineOf(three, { ...launching(), pausedSince: ago(60) });
    expect(paused).toMatchObject({ rolling: TARGET.name, hindered: expect.stringContaining('paused') });
  });

  test('what it is about to record, as the call may have taken effect whatever its answer', () => {
    const decided = deciding([old('i-1')], { ...launching(), roll: null });
    const [{ decision } = {}] = decided;
    expect(decision && 'actions' in decision && decision.actions.map(({ kind }) => kind)).toContain(
      'record-roll',
    );
    expect(speaking(decided).lines.get(LINE)?.rolling).toBe(TARGET.name);
  });

  test('that it finds no image such as it is allowed; one that it runs already it needn’t', () => {
    const stays = { target: OLD, onlyForNew: true };
    const scene = (unfound: string) => ({ ...launching({ ...AWAITS, unfound }, stays), roll: null });
    expect(lineOf([old('i-1')], scene(TARGET.name))?.hindered).toContain(`no image ${TARGET.name}`);
    expect(lineOf([fresh('i-1')], scene(OLD.name))).not.toHaveProperty('hindered');
  });

  test('when a roll begins that it has announced, in a window that is shorter than its notice, too', () => {
    const opensAt = new Date(NOW.getTime() + 30 * 60_000);
    const closed = { code: 'outside-windows', opensAt } as const;
    const notice = { imageIds: [TARGET.imageId], givenAt: ago(60), until: NOW };
    const scene = { ...launching(), roll: null, closed, notice };
    expect(lineOf([old('i-1')], scene, { announceMinutes: 60 })).toEqual({
      newest: TARGET.name,
      runs: { oldest: OLD.name, newest: OLD.name },
      beginsAt: opensAt,
    });
    expect(lineOf([old('i-1')], scene, { announceMinutes: 5 })?.hindered).toContain('outside its windows');
  });

  test('nothing of the newest where it is pinned: that is no release of the line', () => {
    const pinned = { image: { kind: 'id', imageId: TARGET.imageId } } as const;
    expect(lineOf([old('i-1')], { ...awaiting(), roll: null }, pinned)).not.toHaveProperty('newest');
  });

  test.each<[string, Scene, Partial<Settings>, RegExp]>([
    ['it is paused', { pausedSince: ago(60) }, {}, /^paused since/],
    ['its window is closed', { closed: { code: 'outside-windows' } }, {}, /outside its windows/],
    ['MODE is plan', {}, { mode: 'plan' }, /MODE=plan/],
    ['its image is named by its id', {}, { image: { kind: 'id', imageId: 'ami-1' } }, /pinned to ami-1/],
    ['its images never drift', {}, { drift: ['age'] }, /DRIFT/],
  ])('why it can begin nothing: %s', (_, scene, settings, why) => {
    expect(lineOf(three, { ...awaiting(), roll: null, ...scene }, settings)?.hindered).toMatch(why);
  });

  test('a rollback that nobody ordered is a failure, from when it is first told', () => {
    const course = {
      kind: 'rollback',
      since: ago(60),
      because: { code: 'recorded', text: 'tasks crash' },
    } as const;
    const decided = deciding(three, { ...launching(), roll: { course } });
    const failed = { release: TARGET.name, at: NOW, why: 'tasks crash' };
    const first = speaking(decided);
    expect(first.lines.get(LINE)).toMatchObject({ failed });
    const later = speaking(decided, { now: new Date(NOW.getTime() + 1), previous: first });
    expect(later.lines.get(LINE)?.failed).toEqual(failed);
  });

  test('tried again, it fails again, even before anybody was told of the attempt', () => {
    const course = { kind: 'rollback', since: ago(60), because: { code: 'recorded', text: 'x' } } as const;
    const forgiven = { release: TARGET.name, at: ago(600), why: 'y' };
    const previous = speaking([]);
    const lines = new Map([[LINE, { failed: forgiven }]]);
    const decided = deciding(three, { ...launching(), roll: { course } });
    const { failed } = speaking(decided, { previous: { ...previous, lines } }).lines.get(LINE) ?? {};
    expect(failed).toMatchObject({ release: TARGET.name, at: NOW });
  });

  test('what failed has its name to the end of its rollback, when nothing runs it any more', () => {
    const course = { kind: 'rollback', since: ago(60), because: { code: 'recorded', text: 'x' } } as const;
    const gone = { ...ROLL, course, imageIds: ['ami-90e'] };
    const scene = launching({}, { target: OLD, inSequence: { line: LINE } });
    const decided = deciding([old('i-1')], { ...scene, roll: gone });
    const lines = new Map([[LINE, { rolling: TARGET.name }]]);
    const { failed } = speaking(decided, { previous: { ...speaking([]), lines } }).lines.get(LINE) ?? {};
    expect(failed?.release).toBe(TARGET.name);
  });

  test.each<[string, boolean, object]>([
    ['rejected after a failure', true, { code: 'rolled-back', because: { code: 'recorded', text: 'x' } }],
    ['rolled back by order', false, { code: 'rolled-back', because: { code: 'asked' } }],
    ['aborted by order', false, { code: 'aborted', because: { code: 'asked' } }],
  ])('an image that was %s', (_, isFailure, because) => {
    const status = lineOf(three, {
      ...launching({}, { target: OLD, rejected: TARGET.imageId, onlyForNew: true }),
      roll: null,
      rejection: { imageIds: [TARGET.imageId], because },
    } as Scene);
    expect(status?.failed !== undefined).toBe(isFailure);
    expect(status?.hindered).toContain('not tried again');
  });

  test('a failure, too, once its sequence allows that image no longer, until the group rejects it no more', () => {
    const because = { code: 'rolled-back', because: { code: 'recorded', text: 'tasks crash' } } as const;
    const rejection = { imageIds: [TARGET.imageId], because };
    const rejected = launching({}, { target: OLD, rejected: TARGET.imageId, onlyForNew: true });
    const first = speaking(deciding(three, { ...rejected, roll: null, rejection }));
    const later = { now: new Date(NOW.getTime() + 1), previous: first };
    const withdrawn = speaking(deciding(three, { ...awaiting(), roll: null, rejection }), later);
    const { failed } = first.lines.get(LINE) ?? {};
    expect(failed).toMatchObject({ release: TARGET.name, at: NOW });
    expect(withdrawn.lines.get(LINE)?.failed).toEqual(failed);
    expect(
      speaking(deciding(three, { ...awaiting(), roll: null }), later).lines.get(LINE),
    ).not.toHaveProperty('failed');
  });

  test('since when an alarm that its settings name is on', () => {
    const scene = { ...awaiting(), roll: null, alarms: [alarmSince(90), alarmSince(900, { name: 'other' })] };
    const status = speaking(deciding(three, scene, { alarmNames: ['errors'] }));
    expect(status.alarmSince).toEqual(ago(90));
  });
});

describe('several groups', () => {
  const of = (name: string, sketches: readonly Sketch[], scene: Scene) =>
    deciding(sketches, { roll: null, ...scene, name });

  test('are done once all are, can begin while one can, and fail together', () => {
    const done = of('a', [fresh('i-1')], launching({}, { imageId: TARGET.imageId }));
    const paused = of('b', [old('i-2')], { ...awaiting(), pausedSince: ago(60) });
    const ready = of('c', [old('i-3')], awaiting());
    const runs = { oldest: OLD.name, newest: TARGET.name };
    const one = speaking([...done, ...ready, ...paused]).lines.get(LINE);
    expect(one).toMatchObject({ newest: TARGET.name, runs, readyFrom: OLD.name });
    const behind = speaking([...done, ...paused]).lines.get(LINE);
    // For a newer release than it runs, the other group could begin.
    const readyFrom = TARGET.name;
    expect(behind).toMatchObject({ runs, hindered: expect.stringContaining('paused'), readyFrom });
  });

  test('whose images have names without an order are as old as these', () => {
    const [first, second] = [
      { ...OLD, imageId: 'ami-a', name: 'golden-9f2a51' },
      { ...TARGET, imageId: 'ami-b', name: 'golden-1f2a53' },
    ];
    const images = new Map([first, second].map((each) => [each.imageId, each]));
    const knowing = (decided: readonly GroupDecision[]) =>
      decided.map(({ assessment, ...rest }) => {
        const observation = { ...assessment.observation, images };
        return { ...rest, assessment: { ...assessment, observation } };
      });
    const fast = of('a', [fresh('i-1', { image: second })], awaiting());
    const slow = of('b', [fresh('i-2', { image: first })], awaiting());
    expect(speaking(knowing([...fast, ...slow])).lines.get(LINE)?.runs).toEqual({
      oldest: first.name,
      newest: second.name,
    });
  });

  test('what was said of a group that cannot be read now still holds, and it can begin nothing', () => {
    const before = speaking(deciding([old('i-1')], { ...awaiting(), roll: null }));
    const blocked = deciding([old('i-1')], { launch: { obstacle: { code: 'group-deleting' } }, roll: null });
    const line = before.lines.get(LINE);
    const now = speaking(blocked, { previous: before }).lines.get(LINE);
    expect(now).toMatchObject({ ...line, hindered: expect.stringContaining('delet') });
    const unread = speaking([], { previous: before, unknown: ['cluster web can not be read'] });
    expect(unread.lines.get(LINE)).toEqual({ ...line, hindered: 'cluster web can not be read' });
    expect(speaking([], { previous: before }).lines.size).toBe(0);
  });

  test('nobody waits for a group that its owner leaves out', () => {
    const left = deciding([old('i-1')], {
      launch: { obstacle: { code: 'group-left-out' } },
      roll: null,
      excluded: true,
    });
    const previous = speaking(deciding([old('i-1')], { ...awaiting(), roll: null }));
    expect(speaking(left, { previous }).lines.size).toBe(0);
  });

  test('of two architectures each tells of its own line', () => {
    const arm = { ...NEWER, imageId: 'ami-a43', architecture: 'arm64', name: 'arm' };
    const sources = [
      { place: PLACE, imageId: OLD.imageId, target: TARGET, inSequence: { line: LINE, newest: TARGET.name } },
      { place: PLACE, imageId: arm.imageId, target: arm, inSequence: { line: OTHER, newest: arm.name } },
    ];
    const { lines } = speaking(deciding([fresh('i-1')], { launch: { sources, mixed: false }, roll: null }));
    expect([...lines.keys()]).toEqual([LINE, OTHER]);
    expect(lines.get(OTHER)).toMatchObject({ newest: 'arm' });
  });
});
