import { describe, expect, test } from 'vitest';
import { driftedIn } from '../../../lambda/core/group/assess.ts';
import { forceOf } from '../../../lambda/core/group/drift.ts';
import type { Image, LaunchedFrom, LaunchPlace, LaunchSource } from '../../../lambda/core/model/launch.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import { NO_CHANGES, type TemporaryChanges } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { describeDecision } from '../../../lambda/core/text/decision.ts';
import {
  ago,
  assessed,
  decideAll,
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
  TARGET,
  told,
} from '../builders.ts';

const DAY = 86_400;
const notBegun = { roll: null };

/** Why each member is outdated. */
function reasons(
  observation: Observation,
  settings: Partial<Settings> = {},
): Record<string, readonly string[]> {
  const drifted = driftedIn(assessed(observation, settings));
  return Object.fromEntries(drifted.map(({ instance, reasons }) => [instance.instanceId, reasons]));
}

const ofConfiguration = (name: string) => ({ kind: 'launch-configuration', name }) as const;
const ofTemplate = (templateId: string, version: number) =>
  ({ kind: 'launch-template', templateId, version }) as const;

describe('a member is outdated', () => {
  test('by its image, unless it is newer than the target', () => {
    const members = [old('i-1'), fresh('i-2'), old('i-3', { image: NEWER })];
    expect(reasons(observe(members))).toEqual({ 'i-1': ['image'] });
  });

  test('by a newer image, too, if its roll is to go back to an older one by its id', () => {
    const back = (image: Settings['image'], exact: boolean) =>
      reasons(observe([fresh('i-1', { image: NEWER })], { roll: { exact } }), { image });
    const byId = { kind: 'id', imageId: TARGET.imageId } as const;
    expect(back(byId, true)).toEqual({ 'i-1': ['image'] });
    expect(back(byId, false)).toEqual({});
    expect(back(SETTINGS.image, true)).toEqual({});
  });

  test('by an image that AWS no longer knows', () => {
    const gone = { ...OLD, imageId: 'ami-000' };
    expect(reasons(observe([old('i-1', { image: gone })]))).toEqual({ 'i-1': ['image'] });
  });

  test('by the launch configuration that it was launched from', () => {
    const members = [
      fresh('i-1', { launchedFrom: ofConfiguration('web-lc') }),
      fresh('i-2', { launchedFrom: ofConfiguration('web-lc-before') }),
      fresh('i-3', { launchedFrom: ofTemplate('lt-1', 1) }),
    ];
    expect(reasons(observe(members), { drift: ['launch-spec'] })).toEqual({
      'i-2': ['launch-spec'],
      'i-3': ['launch-spec'],
    });
  });

  test('by a launch spec that AWS says nothing about any more', () => {
    expect(reasons(observe([fresh('i-1')]), { drift: ['launch-spec'] })).toEqual({ 'i-1': ['launch-spec'] });
  });

  test('by the version of its launch template', () => {
    const place = { kind: 'launch-template', templateId: 'lt-1', reference: '$Latest', version: 4 } as const;
    const members = [
      fresh('i-1', { launchedFrom: ofTemplate('lt-1', 4) }),
      fresh('i-2', { launchedFrom: ofTemplate('lt-1', 3) }),
      fresh('i-3', { launchedFrom: ofTemplate('lt-2', 4) }),
    ];
    const others = [fresh('i-5'), fresh('i-6', { launchedFrom: ofConfiguration('lt-1') })];
    const observation = observe([...members, ...others], { launch: launching(place, TARGET) });
    expect(reasons(observation, { drift: ['launch-spec'] })).toEqual({
      'i-2': ['launch-spec'],
      'i-3': ['launch-spec'],
      'i-5': ['launch-spec'],
      'i-6': ['launch-spec'],
    });
  });

  test('by its age, as soon as it is exceeded', () => {
    const members = [fresh('i-1', { age: 30 * DAY }), fresh('i-2', { age: 30 * DAY + 1 })];
    expect(reasons(observe(members), { drift: ['age'], maxInstanceAgeDays: 30 })).toEqual({ 'i-2': ['age'] });
  });

  test('by force, if it was launched before that was asked for', () => {
    const members = [fresh('i-1', { age: 61 }), fresh('i-2', { age: 60 })];
    expect(reasons(observe(members, { roll: { forceBefore: ago(60) } }))).toEqual({ 'i-1': ['force'] });
  });

  test('for several reasons at once', () => {
    const members = [old('i-1', { age: 40 * DAY, launchedFrom: ofConfiguration('before') })];
    const observation = observe(members, { roll: { forceBefore: ago(60) } });
    const all = { drift: ['image', 'launch-spec', 'age'] as const, maxInstanceAgeDays: 30 };
    expect(reasons(observation, all)).toEqual({ 'i-1': ['image', 'launch-spec', 'age', 'force'] });
  });

  test('for no reason that is switched off', () => {
    const members = [old('i-1', { age: 40 * DAY })];
    expect(reasons(observe(members), { drift: ['launch-spec'] })).toEqual({ 'i-1': ['launch-spec'] });
    expect(reasons(observe(members), { drift: ['age'], maxInstanceAgeDays: 50 })).toEqual({});
  });
});

test('what is forced from a time to come counts from the start of the roll', () => {
  const force = (before: number, started: number) =>
    forceOf({ forceBefore: ago(before), startedAt: ago(started) }, NOW);
  expect([force(60, 100), force(0, 100), force(-60, 100), force(-60, -30)]).toEqual([
    ago(60),
    NOW,
    ago(100),
    NOW,
  ]);
  expect(forceOf(undefined, NOW)).toBeUndefined();
  expect(forceOf({ startedAt: ago(100) }, NOW)).toBeUndefined();
});

describe('in a rollback', () => {
  const course = { kind: 'rollback', since: ago(60), because: { code: 'asked' } } as const;
  const back = (changes: Partial<TemporaryChanges> = {}): Scene => ({
    roll: { course, changes: { ...NO_CHANGES, ...changes } },
    launch: launching(PLACE, TARGET, TARGET),
  });

  test('only what the roll launched with its image is outdated, and no place that launches it', () => {
    const members = [old('i-1', { age: 40 * DAY }), fresh('i-2'), fresh('i-3', { age: 501 })];
    const observation = observe(members, back());
    expect(reasons(observation, { drift: ['image', 'age'], maxInstanceAgeDays: 30 })).toEqual({
      'i-2': ['rollback'],
    });
    expect(assessed(observe([old('i-1')], { ...back(), launch: launching(PLACE) })).outdated).toEqual([]);
  });

  test('it leaves as a member where members drain in place, unless the group is larger than it was', () => {
    const leaving = (changes: Partial<TemporaryChanges>, maxSurge: Settings['maxSurge']) => {
      const failed = fresh('i-2', { marked: 60 });
      const observation = observe([old('i-1'), failed, old('i-3')], back(changes));
      return assessed(observation, { maxSurge }).classified.leaving.map(({ instanceId }) => instanceId);
    };
    const none = { kind: 'count', count: 0 } as const;
    const change = {
      from: { desiredCapacity: 3, maxSize: 9 },
      to: { desiredCapacity: 4, maxSize: 9 },
      marked: 0,
    };
    expect(leaving({}, none)).toEqual(['i-2']);
    expect(leaving({ addedSizes: { desiredCapacity: 1, maxSize: 0 } }, none)).toEqual([]);
    expect(leaving({ addedSizes: { desiredCapacity: 0, maxSize: 0, change } }, none)).toEqual([]);
    expect(leaving({}, { kind: 'count', count: 1 })).toEqual([]);
  });
});

test('and the report counts the reasons', () => {
  const members = [old('i-1', { age: 40 * DAY }), old('i-2'), fresh('i-3')];
  const [first] = decideAll(
    observe(members, notBegun),
    { ...SETTINGS, drift: ['image', 'age'], maxInstanceAgeDays: 30 },
    ROLL,
  );
  expect(first && describeDecision(first.decision)).toBe(
    `roll onto ami-7a2 (${TARGET.name}): 2 to replace (1 by image and age, 1 by image)`,
  );
});

test('and no image is written anywhere if the image is not a reason', () => {
  const observation = observe([old('i-1', { age: 40 * DAY })], { launch: launching(PLACE) });
  expect(told(observation, { drift: ['age'], maxInstanceAgeDays: 30 })).toEqual([
    'tag i-1 to be replaced',
    'detach i-1 from group web-ecs, which launches as many',
  ]);
});

describe('an image that a launch template gets through an alias', () => {
  const place: LaunchPlace = {
    kind: 'launch-template',
    templateId: 'lt-1',
    reference: '$Latest',
    version: 3,
    alias: 'resolve:ssm:/images/web',
  };

  test('is never written, but members of another image are replaced', () => {
    expect(told(observe([old('i-1'), fresh('i-2')], { launch: launching(place, TARGET) }))).toEqual([
      'tag i-1 to be replaced',
      'detach i-1 from group web-ecs, which launches as many',
    ]);
  });

  test('replaces nothing while it is too young, though launches already use it', () => {
    const source: LaunchSource = { place, imageId: TARGET.imageId, target: TARGET, onlyForNew: true };
    const observation = observe([old('i-1')], { ...notBegun, launch: { sources: [source], mixed: false } });
    expect(reasons(observation)).toEqual({});
  });

  test('that is too young does not switch off other reasons', () => {
    const source: LaunchSource = { place, imageId: TARGET.imageId, target: TARGET, onlyForNew: true };
    const observation = observe([old('i-1', { age: 40 * DAY })], {
      launch: { sources: [source], mixed: false },
    });
    const settings = { drift: ['image', 'age'] as const, maxInstanceAgeDays: 30 };
    expect(reasons(observation, settings)).toEqual({ 'i-1': ['age'] });
  });
});

describe('in a mixed instances policy each member is compared with what it was launched from:', () => {
  const ARM_OLD: Image = { ...OLD, imageId: 'ami-0a1', architecture: 'arm64' };
  const ARM_TARGET: Image = { ...TARGET, imageId: 'ami-0a2', architecture: 'arm64' };
  const templatePlace = (templateId: string): LaunchPlace => ({
    kind: 'launch-template',
    templateId,
    reference: 'number',
    version: 3,
  });
  const intel: LaunchSource = { place: templatePlace('lt-x86'), imageId: TARGET.imageId, target: TARGET };
  const arm: LaunchSource = {
    place: templatePlace('lt-arm'),
    imageId: ARM_TARGET.imageId,
    target: ARM_TARGET,
  };
  const override = (image: Image, ...instanceTypes: string[]): LaunchSource => ({
    place: { kind: 'override', templateId: 'lt-x86', version: 3, instanceTypes },
    imageId: image.imageId,
    target: image,
  });
  const mixed = (members: Parameters<typeof observe>[0], ...sources: LaunchSource[]): Observation => {
    const observation = observe(members, { launch: { sources, mixed: true } });
    const images = [ARM_OLD, ARM_TARGET].map((image) => [image.imageId, image] as const);
    return { ...observation, images: new Map([...observation.images, ...images]) };
  };

  test('its template', () => {
    const members = [
      fresh('i-1', { launchedFrom: ofTemplate('lt-x86', 3) }),
      fresh('i-2', { image: ARM_TARGET, launchedFrom: ofTemplate('lt-arm', 3) }),
      old('i-3', { image: ARM_OLD, launchedFrom: ofTemplate('lt-arm', 3) }),
    ];
    expect(reasons(mixed(members, intel, arm))).toEqual({ 'i-3': ['image'] });
  });

  test('the image of an override with its instance type', () => {
    const own: Image = { ...TARGET, imageId: 'ami-0b2' };
    const members = [
      fresh('i-1', { image: own, type: 'c5.large', launchedFrom: ofTemplate('lt-x86', 3) }),
      fresh('i-2', { type: 'c5.large', launchedFrom: ofTemplate('lt-x86', 3) }),
      fresh('i-3', { type: 'm5.large', launchedFrom: ofTemplate('lt-x86', 3) }),
    ];
    expect(reasons(mixed(members, intel, override(own, 'c5.large', 'c5.xlarge')))).toEqual({
      'i-2': ['image'],
    });
  });

  test("otherwise an image of its architecture, never another's", () => {
    const members = [fresh('i-1', { image: ARM_OLD }), fresh('i-2'), fresh('i-3', { image: ARM_TARGET })];
    expect(reasons(mixed(members, intel, arm))).toEqual({ 'i-1': ['image'] });
  });

  test('and if several are possible, it is up to date if one of them has its image', () => {
    const next = { ...TARGET, imageId: 'ami-0c2' };
    const second: LaunchSource = { ...intel, imageId: next.imageId, target: next };
    const members = [fresh('i-1', { launchedFrom: ofTemplate('lt-x86', 3) })];
    expect(reasons(mixed(members, intel, second))).toEqual({});
  });

  /** Of its template's image it is up to date; of the other one, which is as old, it is not. */
  const other = { ...TARGET, imageId: 'ami-0d2' };
  const second: LaunchSource = { place: templatePlace('lt-2'), imageId: other.imageId, target: other };
  const ofSecond = (rest: Partial<Sketch>) => [fresh('i-1', { image: other, ...rest })];

  test('its template alone, whatever others of its architecture launch', () => {
    const ofBoth = (templateId: string) =>
      reasons(mixed(ofSecond({ launchedFrom: ofTemplate(templateId, 3) }), intel, second));
    expect([ofBoth('lt-x86'), ofBoth('lt-2')]).toEqual([{ 'i-1': ['image'] }, {}]);
  });

  test('not an override for other instance types, but one whose types are unknown', () => {
    const member = ofSecond({ launchedFrom: ofTemplate('lt-x86', 3) });
    expect(reasons(mixed(member, intel, override(other, 'c5.large')))).toEqual({ 'i-1': ['image'] });
    expect(reasons(mixed(member, intel, override(other)))).toEqual({});
  });

  test('one of its architecture, if its template launches several, or none is known', () => {
    const newest: Image = { ...ARM_OLD, createdAt: NEWER.createdAt };
    const next: Image = { ...ARM_TARGET, createdAt: new Date(NEWER.createdAt.getTime() + 1) };
    const found = (launchedFrom?: LaunchedFrom) => {
      const sources = [intel, override(next)];
      const observation = mixed([fresh('i-1', { image: newest, launchedFrom })], ...sources);
      return reasons({ ...observation, images: new Map([...observation.images, [newest.imageId, newest]]) });
    };
    expect([found(ofTemplate('lt-x86', 3)), found()]).toEqual([{ 'i-1': ['image'] }, { 'i-1': ['image'] }]);
  });

  test('any of their launch specs counts as its own', () => {
    const members = [
      fresh('i-1', { launchedFrom: ofTemplate('lt-x86', 3) }),
      fresh('i-2', { image: ARM_TARGET, launchedFrom: ofTemplate('lt-arm', 3) }),
      fresh('i-3', { launchedFrom: ofTemplate('lt-x86', 2) }),
    ];
    const observation = mixed(members, intel, arm);
    const { drifted } = assessed(observation, { drift: ['launch-spec'] }).classified;
    expect(drifted.map(({ instance }) => instance.instanceId)).toEqual(['i-3']);
  });
});

describe('what a sequence has not got to', () => {
  const LINE = 'amazon-linux-2023/x86_64';
  const awaiting = (target: Image): LaunchSource => ({
    place: PLACE,
    imageId: target.imageId,
    target,
    onlyForNew: true,
    inSequence: { line: LINE, newest: NEWER.name },
  });
  const launchedBefore = { launchedFrom: ofConfiguration('web-lc-before') };
  const reasonsWith = (target: Image, settings: Partial<Settings>) =>
    reasons(
      observe([old('i-1', launchedBefore)], {
        launch: { sources: [awaiting(target)], mixed: false },
        ...notBegun,
        forceRequestedAt: ago(1),
      }),
      settings,
    );

  test('replaces no member, whatever else it is outdated by or whoever forces it', () => {
    expect(reasonsWith(TARGET, { drift: ['image', 'launch-spec'] })).toEqual({});
  });

  test('replaces no member that one of several places would launch so', () => {
    const sources = [{ place: PLACE, imageId: TARGET.imageId, target: TARGET }, awaiting(TARGET)];
    const forced = { ...notBegun, forceRequestedAt: ago(1) };
    expect(reasons(observe([old('i-1')], { launch: { sources, mixed: true }, ...forced }))).toEqual({});
  });

  test('does not keep a member from being replaced by one of its own image', () => {
    expect(reasonsWith(OLD, { drift: ['image', 'launch-spec'] })).toEqual({
      'i-1': ['launch-spec', 'force'],
    });
  });
});
