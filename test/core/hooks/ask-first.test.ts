import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../lambda/core/actions/decision.ts';
import type { HookNote } from '../../../lambda/core/model/hook.ts';
import type { Launch } from '../../../lambda/core/model/launch.ts';
import type { Roll } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  arnOf,
  decided,
  detached,
  fresh,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  type Sketch,
  TARGET,
  TARGET_GROUP,
} from '../builders.ts';
import { keyOf, OF_THREE } from './people.ts';

const TRIED = 'arn:aws:lambda:eu-west-1:123456789012:function:tried';
const NEXT = 'arn:aws:lambda:eu-west-1:123456789012:function:next';
const CONTINUE = { begin: false };

const three = [old('i-1'), old('i-2'), old('i-3')];
const BEFORE: Partial<Settings> = { beforeBatch: NEXT };

const SINCE = ago(200);
/** The first batch has baked for long enough. */
const tried = [detached('i-1', { turn: 400, ecs: 'DRAINING' }), fresh('i-9'), old('i-2'), old('i-3')];
const BAKED: Partial<Roll> = { canary: { kind: 'baking', since: SINCE } };
const AFTER: Partial<Settings> = { canary: 1, bakeSeconds: 120, onTrialPassed: TRIED };

const noteOf = (answer: HookNote['answer'], note: Partial<HookNote> = {}): HookNote => ({
  stage: 'before-batch',
  key: OF_THREE,
  answer,
  since: ago(30),
  askedAt: ago(30),
  attempt: 1,
  ...note,
});
const ofTrial = { stage: 'trial-passed', key: keyOf('trial-passed', SINCE.toISOString()) } as const;

const decide = (
  sketches: readonly Sketch[],
  hook: HookNote | undefined,
  settings: Partial<Settings>,
  scene: Scene = {},
  request = ROLL,
): Decision =>
  decided(
    observe(sketches, { settled: 60, ...scene, roll: { ...scene.roll, ...(hook && { hook }) } }),
    settings,
    request,
  );
const batch = (hook?: HookNote, settings: Partial<Settings> = {}, scene: Scene = {}) =>
  decide(three, hook, { ...BEFORE, ...settings }, scene);
const trial = (hook?: HookNote, settings: Partial<Settings> = {}) =>
  decide(tried, hook, { ...AFTER, ...settings }, { roll: BAKED });

const ASKS = { kind: 'act', reason: { code: 'hook-asked' } };
const BEGINS = { kind: 'act', reason: { code: 'members-detached' } };
const questionIn = (decision: Decision) => {
  const [action] = 'actions' in decision ? decision.actions : [];
  if (action?.kind !== 'ask-hook') throw new Error('it asks no hook');
  return action.question;
};

describe('a batch', () => {
  test('begins without asking if there is no hook', () => {
    expect(decide(three, undefined, {})).toMatchObject(BEGINS);
  });

  test.each([
    ['that detaches', {}, {}],
    ['that scales out', { trafficSources: [TARGET_GROUP], maxSize: 9 }, {}],
    ['in place', {}, { maxSurge: { kind: 'count', count: 0 } }],
  ] as const)('%s is asked about first: what goes next, and what else is outdated', (_, scene, settings) => {
    const decision = batch(undefined, { maxSurge: { kind: 'count', count: 1 }, ...settings }, scene);
    expect(decision).toMatchObject(ASKS);
    expect(questionIn(decision)).toMatchObject({
      stage: 'before-batch',
      key: OF_THREE,
      attempt: 1,
      since: ago(0),
      until: ago(-3600),
      images: { from: ['ami-01d'], to: ['ami-7a2'] },
      outdated: ['i-1', 'i-2', 'i-3'],
      next: ['i-1'],
    });
  });

  test('begins with a go for these members', () => {
    expect(batch(noteOf('go'))).toMatchObject(BEGINS);
  });

  test.each([
    ['other members', { key: keyOf('before-batch', 'i-1', 'i-2') }],
    ['a trial', { stage: 'trial-passed' }],
    ['long ago', { askedAt: ago(301) }],
  ] as const)('does not begin with a go for, or of, %s', (_, note) => {
    expect(batch(noteOf('go', note))).toMatchObject(ASKS);
  });

  test('does not begin with the go for one before, of which one has ended and lost its tags', () => {
    const gone = [old('i-1', { alive: false }), old('i-2'), old('i-3')];
    expect(decide(gone, noteOf('go'), BEFORE)).toMatchObject(ASKS);
    const rest = noteOf('go', { key: keyOf('before-batch', 'i-2', 'i-3') });
    expect(decide(gone, rest, BEFORE)).toMatchObject(BEGINS);
  });

  test('is asked about while one before it, drained, has yet to end', () => {
    const watch = { draining: [arnOf('i-1')], goodbyes: [arnOf('i-1')], servedSince: ago(60) };
    const all = [detached('i-1', { turn: 400, ecs: 'DRAINING' }), fresh('i-9'), old('i-2')];
    expect(decide(all, undefined, BEFORE, { watch })).toMatchObject(ASKS);
  });

  // Its group replaces it anyway. The go for it would be good for the next batch, too, of the same others.
  test('of one that no longer runs begins without asking', () => {
    const settings: Partial<Settings> = { ...BEFORE, maxSurge: { kind: 'count', count: 1 } };
    const dead = [old('i-1', { alive: false }), old('i-2'), old('i-3')];
    expect(decide(dead, undefined, settings)).toMatchObject(BEGINS);
  });

  test('is asked about by the images of those left and of their replacements, in order', () => {
    const image = { ...OLD, imageId: 'ami-02f' };
    const mixed = [old('i-1', { image }), old('i-2'), old('i-3', { image })];
    const places = ['web-1', 'web-2'].map((name) => ({ ...PLACE, name }));
    const launch: Launch = {
      sources: [TARGET, { ...TARGET, imageId: 'ami-111' }].map((each, index) => ({
        place: places[index] ?? PLACE,
        imageId: each.imageId,
        target: each,
      })),
      mixed: true,
    };
    const roll = { imageIds: ['ami-7a2', 'ami-111'] };
    expect(questionIn(decide(mixed, undefined, BEFORE, { launch, roll })).images).toEqual({
      from: ['ami-01d', 'ami-02f'],
      to: ['ami-111', 'ami-7a2'],
    });
  });

  test('is asked about anew after what was asked of a trial, or allowed before', () => {
    for (const note of [
      noteOf('hold', { stage: 'trial-passed', since: ago(9999), attempt: 5 }),
      noteOf('go', { askedAt: ago(301), since: ago(9999), attempt: 5 }),
    ])
      expect(questionIn(batch(note))).toMatchObject({ since: ago(0), attempt: 1 });
  });

  test('waits while the hook holds, and asks again after a minute', () => {
    expect(batch(noteOf('hold', { since: ago(59), askedAt: ago(59), says: 'busy' }))).toMatchObject({
      kind: 'wait',
      reason: { code: 'hook-holds', says: 'busy', until: ago(59 - 3600) },
    });
    const again = batch(noteOf('hold', { since: ago(180), askedAt: ago(61), attempt: 3 }));
    expect(questionIn(again)).toMatchObject({ since: ago(180), attempt: 4, until: ago(180 - 3600) });
  });

  test('is asked about at once if others are left, with no longer limit for it', () => {
    const other = noteOf('hold', { key: 'others', since: ago(180), askedAt: ago(10) });
    expect(questionIn(batch(other))).toMatchObject({ since: ago(180), key: OF_THREE });
  });

  test('stays refused, whoever is left', () => {
    for (const key of [OF_THREE, 'others'])
      expect(batch(noteOf('refuse', { key, askedAt: ago(9999), says: 'freeze' }))).toEqual({
        kind: 'blocked',
        reason: { code: 'hook-refuses', stage: 'before-batch', says: 'freeze' },
      });
  });

  test('is refused by a hook that still holds past the limit, once it was asked after that', () => {
    const held = { since: ago(3700), attempt: 60 };
    expect(batch(noteOf('hold', { ...held, askedAt: ago(101) }))).toMatchObject(ASKS);
    expect(batch(noteOf('hold', { ...held, askedAt: ago(100) }))).toMatchObject({
      kind: 'blocked',
      reason: { code: 'hook-refuses', afterMinutes: 60 },
    });
    expect(batch(noteOf('hold', { ...held, askedAt: ago(100) }), { hookTimeoutMinutes: 61 })).toMatchObject(
      ASKS,
    );
  });

  test('is not asked about while the group is paused or rolls back', () => {
    expect(batch(undefined, {}, { pausedSince: ago(5) })).toMatchObject({ kind: 'paused' });
    const course = { kind: 'rollback', since: ago(5), because: { code: 'asked' } } as const;
    expect(batch(undefined, {}, { roll: { course } })).not.toMatchObject(ASKS);
  });

  test('is asked about anew if somebody asks for the roll, but not for an answer given since', () => {
    const asked = (hook: HookNote) => decide(three, hook, BEFORE, {}, { ...ROLL, retryBefore: ago(20) });
    for (const answer of ['hold', 'refuse'] as const) {
      expect(asked(noteOf(answer))).toMatchObject({
        reason: { code: 'hook-asked-anew' },
        actions: [{ kind: 'clear-hook' }],
      });
      expect(asked(noteOf(answer, { askedAt: ago(20) }))).not.toMatchObject({
        reason: { code: 'hook-asked-anew' },
      });
    }
    expect(asked(noteOf('go'))).toMatchObject(BEGINS);
    expect(decide(three, undefined, BEFORE, {}, { ...ROLL, retryBefore: ago(20) })).toMatchObject(ASKS);
    const before = observe(three, { settled: 60, roll: null });
    expect(decided(before, BEFORE, { ...ROLL, retryBefore: ago(20) })).toMatchObject({
      reason: { code: 'roll-begins' },
    });
    expect(decide(three, noteOf('refuse'), BEFORE, {}, CONTINUE)).toMatchObject({ kind: 'blocked' });
  });
});

describe('a question', () => {
  const uuid = '99999999-0000-4000-8000-000000000000';
  const startedAt = ago(501);

  test.each([
    ['group', { uuid, roll: BAKED }],
    ['roll', { roll: { ...BAKED, startedAt } }],
  ])('is of its %s alone, though others ask at the same moment', (_, scene) => {
    const pending = { ...scene, roll: { ...scene.roll, canary: { kind: 'pending' } } } as const;
    const own = { roll: BAKED };
    const trialKey = (each: Scene) => questionIn(decide(tried, undefined, AFTER, each)).key;
    expect(trialKey(scene)).not.toBe(trialKey(own));
    expect(decide(tried, noteOf('go', { ...ofTrial, key: trialKey(own) }), AFTER, scene)).toMatchObject(ASKS);
    expect(questionIn(batch(undefined, {}, pending)).key).not.toBe(questionIn(batch()).key);
  });
});

describe('a trial that is passed', () => {
  test('is noted without asking if there is no hook', () => {
    expect(trial(undefined, { onTrialPassed: undefined })).toMatchObject({
      reason: { code: 'trial-passed' },
    });
  });

  test('is asked about before it is noted', () => {
    const decision = trial();
    expect(decision).toMatchObject({ ...ASKS, reason: { hook: TRIED, stage: 'trial-passed' } });
    expect(questionIn(decision)).toMatchObject({ ...ofTrial, replacements: ['i-9'], next: [] });
  });

  test('is noted with a go for this trial, and for no other', () => {
    expect(trial(noteOf('go', ofTrial))).toMatchObject({ reason: { code: 'trial-passed' } });
    expect(trial(noteOf('go', { ...ofTrial, key: 'another' }))).toMatchObject(ASKS);
    expect(trial(noteOf('go'))).toMatchObject(ASKS);
  });

  test('waits while the hook holds', () => {
    expect(trial(noteOf('hold', ofTrial))).toMatchObject({ kind: 'wait', reason: { code: 'hook-holds' } });
  });

  test('counts from the first question about this trial', () => {
    const other = noteOf('hold', { ...ofTrial, key: 'another', since: ago(9999), askedAt: ago(10) });
    expect(questionIn(trial(other))).toMatchObject({ since: ago(0), attempt: 1 });
  });

  test('turns the roll back if the hook refuses', () => {
    expect(trial(noteOf('refuse', { ...ofTrial, says: 'errors' }))).toMatchObject({
      kind: 'act',
      reason: { code: 'turns-back', because: { code: 'hook-refuses', says: 'errors' } },
      actions: expect.arrayContaining([expect.objectContaining({ kind: 'record-course' })]),
    });
  });
});
