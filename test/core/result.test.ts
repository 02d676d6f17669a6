import { describe, expect, test } from 'vitest';
import type { Decision } from '../../lambda/core/actions/decision.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { clusterResult, failedResult, resultOf, withUntrusted } from '../../lambda/core/result.ts';
import {
  ago,
  decideAll,
  detached,
  fresh,
  NEWER,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  type Sketch,
  TARGET,
} from './builders.ts';

function decidedOf(sketches: readonly Sketch[], scene: Scene, settings: Partial<Settings>): GroupDecision {
  const [first] = decideAll(observe(sketches, scene), { ...SETTINGS, ...settings }, ROLL);
  if (first === undefined) throw new Error('there is a group');
  return first;
}
const result = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  resultOf(decidedOf(sketches, scene, settings));
const UNKNOWN = { obstacle: { code: 'launch-spec-missing' } } as const;

test('a result tells of a group what it runs, what it rolls onto and what is outdated', () => {
  expect(result([fresh('i-2'), old('i-1'), old('i-3'), detached('i-4')])).toMatchObject({
    cluster: 'web',
    group: 'web-ecs',
    state: 'in-progress',
    imageId: TARGET.imageId,
    running: [
      { imageId: OLD.imageId, instances: 2 },
      { imageId: TARGET.imageId, instances: 1 },
    ],
    outdated: ['i-1', 'i-3'].map((instanceId) => ({
      instanceId,
      imageId: OLD.imageId,
      launchedAt: ago(86_400).toISOString(),
    })),
  });
});

test('a result has no facts that there are none of', () => {
  const plain = result([fresh('i-1')], { roll: null });
  for (const key of [
    'question',
    'course',
    'because',
    'becauseCode',
    'requestedByTag',
    'warnings',
    'heldBackDays',
  ])
    expect(plain).not.toHaveProperty(key);
  expect(plain).toHaveProperty('services');
  const { assessment, ...rest } = decidedOf([fresh('i-1')], { roll: null }, {});
  const { details: _, ...observation } = assessment.observation;
  expect(resultOf({ ...rest, assessment: { ...assessment, observation } })).not.toHaveProperty('services');
});

describe('the images that a group is rolled onto', () => {
  test('are those of its places, each once', () => {
    const source = { place: PLACE, imageId: OLD.imageId, target: TARGET };
    const launch = { sources: [source, source, { ...source, target: NEWER }], mixed: true };
    expect(result([old('i-1')], { launch }).imageId).toBe('ami-7a2,ami-3e3');
  });

  test('are those of its roll where nobody knows its places', () => {
    expect(result([old('i-1')], { launch: UNKNOWN }).imageId).toBe(TARGET.imageId);
    expect(result([old('i-1')], { launch: UNKNOWN, roll: null }).imageId).toBeNull();
  });
});

describe('of the instances are counted', () => {
  const counts = (sketches: readonly Sketch[], scene: Scene = {}) => result(sketches, scene).instances;

  test('members to be replaced, old instances that are to end, and what was launched since the roll began', () => {
    const sketches = [
      old('i-1'),
      detached('i-2'),
      old('i-3', { member: 'Detaching', marked: 9 }),
      fresh('i-4', { age: 500 }),
      fresh('i-5'),
      fresh('i-6'),
      fresh('i-7', { age: 501 }),
    ];
    // Five stay; those in whose place others were launched are two.
    expect(counts(sketches, { desiredCapacity: 5 })).toEqual({
      drifted: 1,
      detached: 2,
      replaced: 1,
      total: 6,
    });
  });

  test('as replaced those that were, while another leaves in whose place one is still to come', () => {
    const sketches = [old('i-1', { member: 'Detaching', marked: 9 }), fresh('i-2'), fresh('i-3')];
    expect(counts(sketches, { desiredCapacity: 3 })).toMatchObject({ detached: 1, replaced: 2 });
  });

  test('none as replaced for those in whose place nothing is launched yet', () => {
    const sketches = [detached('i-1'), detached('i-2'), fresh('i-3')];
    expect(counts(sketches, { desiredCapacity: 2 })).toMatchObject({ detached: 2, replaced: 0 });
    expect(counts(sketches, { desiredCapacity: 3 })).toMatchObject({ detached: 2, replaced: 1 });
    expect(counts(sketches, { desiredCapacity: 9 })).toMatchObject({ detached: 2, replaced: 1 });
  });

  test('none as replaced before a roll, and only members where nobody knows what is launched', () => {
    expect(counts([old('i-1'), fresh('i-2')], { roll: null })).toMatchObject({ drifted: 1, replaced: 0 });
    const none = { drifted: 0, detached: 0, replaced: 0, total: 1 };
    expect(counts([old('i-1'), detached('i-2')], { launch: UNKNOWN })).toEqual(none);
  });
});

describe('the state of a group', () => {
  test.each([
    ['up-to-date', [fresh('i-1')], { roll: null }],
    ['skipped', [old('i-1')], { roll: null, excluded: true }],
    ['paused', [old('i-1')], { roll: null, pausedSince: ago(9) }],
    ['blocked', [old('i-1')], { launch: UNKNOWN }],
    ['planned', [old('i-1')], { roll: null }],
    ['in-progress', [old('i-1')], {}],
    ['in-progress', [fresh('i-1')], {}],
    ['skipped', [old('i-1')], { roll: { onlyAnnounced: true, previous: [] } }],
  ] as const)('is %s (%#)', (state, sketches, scene) => {
    expect(result(sketches, scene).state).toBe(state);
  });
});

describe('of a roll that turned', () => {
  const course = { kind: 'abort', since: ago(9), because: { code: 'asked' } } as const;

  test('is told why, and whether somebody asked by tag', () => {
    const facts = { course: 'abort', because: 'somebody asked for it', becauseCode: 'asked' };
    const asked = result([old('i-1')], { roll: { course } });
    expect(asked).toMatchObject(facts);
    expect(asked).not.toHaveProperty('requestedByTag');
    const byTag = { ...course, because: { code: 'asked-by-tag' } } as const;
    expect(result([old('i-1')], { roll: { course: byTag } }).requestedByTag).toBe(true);
  });

  test('that was only announced, it has no course', () => {
    const skipped = result([old('i-1')], { roll: { course, onlyAnnounced: true, previous: [] } });
    expect(skipped).not.toHaveProperty('course');
    expect(skipped.because).toBe('skipped: somebody asked for it');
  });
});

test('what is asked is named while it awaits an answer, and where nobody gave one', () => {
  const decided = decidedOf([old('i-1')], {}, {});
  const question = (decision: unknown) => resultOf({ ...decided, decision: decision as Decision }).question;
  const asked = { group: 'web-ecs', question: '00c0ffee' };
  const stage = 'before-batch';
  const until = ago(-9);
  expect(question({ kind: 'wait', reason: { code: 'approval-awaited', stage, ...asked, until } })).toBe(
    '00c0ffee',
  );
  const refused = { code: 'hook-refuses', stage, afterMinutes: 5 };
  expect(question({ kind: 'blocked', reason: { ...refused, unanswered: asked } })).toBe('00c0ffee');
  expect(question({ kind: 'blocked', reason: refused })).toBeUndefined();
});

test('how long an image has been kept from a group is told in days, to a hundredth', () => {
  const days = result([old('i-1', { excluded: true }), fresh('i-2')]).heldBackDays;
  expect(days).toBe(20.5);
  const late = { ...TARGET, createdAt: ago(86_400 / 3) };
  const launch = { sources: [{ place: PLACE, imageId: TARGET.imageId, target: late }], mixed: false };
  expect(result([old('i-1', { excluded: true })], { launch }).heldBackDays).toBe(0.33);
});

test('warnings are told in words', () => {
  const decided = decidedOf([old('i-1')], {}, {});
  const warnings = [{ code: 'draining-unmarked', instanceIds: ['i-7'] }] as const;
  expect(resultOf({ ...decided, warnings }).warnings).toEqual([expect.stringContaining('i-7')]);
});

test('tags that are ignored are told along with other warnings', () => {
  const before = { ...result([fresh('i-1')]), warnings: ['one'] };
  expect(withUntrusted(before)).toBe(before);
  const untrusted = [{ kind: 'group', resource: 'web-ecs', keys: ['ecs-ami-deploy:image'] }] as const;
  const both = withUntrusted(before, untrusted);
  expect(both.untrusted).toBe(untrusted);
  expect(both.warnings).toEqual(['one', expect.stringContaining('ecs-ami-deploy:image')]);
  const { warnings: _, ...silent } = before;
  expect(withUntrusted(silent, untrusted).warnings).toHaveLength(1);
});

test('a failure is told with what was known before it', () => {
  const failed = { cluster: 'web', group: 'web-ecs', state: 'failed', code: 'failed', reason: 'no answer' };
  const before = result([old('i-1')]);
  const { imageId, instances, outdated } = before;
  expect(failedResult('web', 'web-ecs', 'no answer', before)).toEqual({
    ...failed,
    imageId,
    instances,
    outdated,
  });
  expect(failedResult('web', 'web-ecs', 'no answer', undefined)).toEqual({
    ...failed,
    imageId: null,
    instances: { drifted: 0, detached: 0, replaced: 0, total: 0 },
    outdated: [],
  });
});

test('a cluster is told of without a group', () => {
  expect(clusterResult('web', 'skipped', { code: 'no-group' })).toMatchObject({
    cluster: 'web',
    group: '*',
    state: 'skipped',
    imageId: null,
    outdated: [],
    instances: { total: 0 },
    code: 'no-group',
    reason: 'no Auto Scaling group belongs to the cluster',
  });
});

test('instances that people are to see to are all named, as nothing else names them', () => {
  const ids = ['i-1', 'i-2', 'i-3', 'i-4', 'i-5'];
  const one = { code: 'instances-astray', strays: ['i-1'], ghosts: [] } as const;
  expect(clusterResult('web', 'skipped', one).reason).toBe(
    'i-1 is in no Auto Scaling group, and is left alone',
  );
  expect(clusterResult('web', 'skipped', { ...one, strays: ids, ghosts: ids }).reason).toMatch(
    /^i-1, i-2, i-3, i-4, i-5 are in no Auto Scaling group, and are left alone; 5 instances .*\(i-1, i-2, i-3, i-4, i-5\)/,
  );
});
