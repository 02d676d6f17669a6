import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS, TAG_PARTS, type Tags } from '../../lambda/contract.ts';
import type { Mark } from '../../lambda/core/model/group.ts';
import type { PreviousLaunchSpec } from '../../lambda/core/model/launch.ts';
import {
  type Canary,
  type Course,
  NO_CHANGES,
  type Rejection,
  type Roll,
  type TemporaryChanges,
} from '../../lambda/core/model/roll.ts';
import type { Sizes } from '../../lambda/core/reasons/steps.ts';
import { changesTags, recordsChanges } from '../../lambda/tags/changes-tags.ts';
import { markTags, readMark } from '../../lambda/tags/instance-tags.ts';
import {
  canaryTags,
  courseTags,
  pausedTags,
  REJECTION_TAG_KEYS,
  ROLL_TAG_KEYS,
  readPausedSince,
  readRejection,
  readRoll,
  rejectionTags,
  rollTags,
} from '../../lambda/tags/roll-tags.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SPOILT = ['', 'soon', '2026-13-01T00:00:00Z'];

const between = (min: string, max: string | Date) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
const time = between('2020-01-01', NOW);
const beginning = between('2010-01-01', '2019-12-31');
/** A group's greatest size is 2³² - 1 to AWS's own API; a quota keeps it far below. */
const size = fc.nat({ max: 2 ** 32 - 1 });
const sizes: fc.Arbitrary<Sizes> = fc.record({ desiredCapacity: size, maxSize: size });
const image = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 17, maxLength: 17 });
const imageId = image.map((digits) => `ami-${digits}`);

/**
 * All that a group has:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
 */
const PROCESSES = [
  'Launch',
  'Terminate',
  'AddToLoadBalancer',
  'AlarmNotification',
  'AZRebalance',
  'HealthCheck',
  'InstanceRefresh',
  'ReplaceUnhealthy',
  'ScheduledActions',
];

const changes: fc.Arbitrary<TemporaryChanges> = fc.record(
  {
    suspended: fc.shuffledSubarray(PROCESSES),
    addedSizes: fc.record(
      {
        desiredCapacity: size,
        maxSize: size,
        over: sizes,
        departures: fc.record({ since: time, count: size }),
        change: fc.record(
          { from: sizes, to: sizes, marked: size, attaches: fc.constant(true as const) },
          { requiredKeys: ['from', 'to', 'marked'] },
        ),
      },
      { requiredKeys: ['desiredCapacity', 'maxSize', 'over'] },
    ),
    unevenBy: fc.integer({ min: 1, max: 999 }),
  },
  { requiredKeys: ['suspended', 'addedSizes'] },
);

/** Tags take 256 characters, of which a seal takes 23: so many images fit. */
const MOST_IMAGES = 10;

const version = fc.integer({ min: 1, max: 999 });
const templateId = image.map((digits) => `lt-${digits}`);
const ofTemplate: fc.Arbitrary<PreviousLaunchSpec> = fc.record({
  kind: fc.constant('launch-template' as const),
  templateId,
  version,
  imageId,
});
const ofOverride: fc.Arbitrary<PreviousLaunchSpec> = fc.record({
  kind: fc.constant('override' as const),
  before: imageId,
  imageId,
});
/** Of whichever characters: 80 of four bytes each, escaped, come to 960 of the 1165 that the parts hold. */
const ofConfiguration: fc.Arbitrary<PreviousLaunchSpec> = fc.record({
  kind: fc.constant('launch-configuration' as const),
  name: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...'abcN-_none'), minLength: 1, maxLength: 255 }),
  ),
});

/** A group launches from 20 templates at the most. */
const MOST_TEMPLATES = 20;

const previous = fc.oneof(
  fc.array(ofConfiguration, { maxLength: 1 }),
  fc.array(fc.oneof(ofTemplate, ofOverride), { maxLength: MOST_TEMPLATES }),
);

const serviceName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,40}$/);
const unsteady = fc.array(fc.record({ name: serviceName, runningCount: fc.nat({ max: 9999 }) }), {
  maxLength: 10,
});

const canary: fc.Arbitrary<Canary> = fc.oneof(
  fc.constant({ kind: 'pending' as const }),
  fc.constant({ kind: 'passed' as const }),
  time.map((since) => ({ kind: 'baking' as const, since })),
);

/** As it is read: of plain characters, with no space too many. */
const sentence = fc
  .array(fc.stringMatching(/^[A-Za-z0-9+=._:/@-]{1,10}$/), { minLength: 1, maxLength: 20 })
  .map((words) => words.join(' '))
  .filter((text) => text !== 'none')
  .map((text) => ({ code: 'recorded' as const, text }));
const course: fc.Arbitrary<Course> = fc.oneof(
  fc.constant({ kind: 'forward' as const }),
  fc.record({ kind: fc.constantFrom('abort' as const, 'rollback' as const), since: time, because: sentence }),
);

const roll: fc.Arbitrary<Roll> = fc.record(
  {
    imageIds: fc.uniqueArray(imageId, { minLength: 1, maxLength: MOST_IMAGES }),
    startedAt: beginning,
    exact: fc.boolean(),
    forceBefore: time,
    previous,
    unsteady,
    canary,
    course,
    changes,
  },
  { requiredKeys: ['imageIds', 'startedAt', 'exact', 'previous', 'unsteady', 'canary', 'course', 'changes'] },
);

const groupName = fc.string({ minLength: 1, maxLength: 255 });
const mark: fc.Arbitrary<Mark> = fc
  .record(
    { group: groupName, detachStartedAt: time, drainStartedAt: time, drainGivenUpAt: time },
    { requiredKeys: ['group', 'detachStartedAt'] },
  )
  .filter(
    ({ detachStartedAt: chosen, drainStartedAt: started = chosen, drainGivenUpAt: givenUp = started }) =>
      chosen <= started && started <= givenUp,
  );

const groupTags = (recorded: Roll) => ({
  ...rollTags('web', recorded),
  ...changesTags('web', recorded.changes),
  ...canaryTags(recorded.canary, recorded.imageIds.length),
  ...(recorded.course.kind !== 'forward' && courseTags(recorded.course)),
});

describe('the tags of a group', () => {
  test('say all of a roll', () => {
    fc.assert(
      fc.property(roll, (recorded) => {
        expect(readRoll(groupTags(recorded), 'web', NOW)).toEqual(recorded);
      }),
    );
  });

  test('are a roll of no cluster but their own', () => {
    fc.assert(
      fc.property(roll, (recorded) => {
        expect(readRoll(groupTags(recorded), 'jobs', NOW)).toBeUndefined();
      }),
    );
    expect(readRoll({}, 'web', NOW)).toBeUndefined();
  });

  test('are such as AWS takes', () => {
    fc.assert(
      fc.property(roll, (recorded) => {
        for (const [key, value] of Object.entries(groupTags(recorded))) {
          expect(ROLL_TAG_KEYS).toContain(key);
          expect(value).toMatch(/^[A-Za-z0-9 _.:/=+@-]{1,224}$/);
        }
      }),
    );
  });

  const recorded: Roll = {
    imageIds: ['ami-1', 'ami-2'],
    startedAt: new Date(0),
    exact: false,
    previous: [{ kind: 'launch-template', templateId: 'lt-1', version: 7, imageId: 'ami-2' }],
    unsteady: [{ name: 'api', runningCount: 1 }],
    canary: { kind: 'passed' },
    course: { kind: 'abort', since: new Date(0), because: { code: 'recorded', text: 'it fails' } as const },
    changes: { ...NO_CHANGES, suspended: ['AZRebalance'] },
  };
  const read = (spoilt: Tags) => readRoll({ ...groupTags(recorded), ...spoilt }, 'web', NOW);

  test('say none of what we neither suspend nor hold', () => {
    const tags = changesTags('web', NO_CHANGES);
    expect(tags).toMatchObject({ [GROUP_TAGS.suspended]: 'none', [GROUP_TAGS.addedSizes]: '+0/+0' });
    expect(readRoll({ ...rollTags('web', recorded), ...tags }, 'web', NOW)?.changes).toEqual(NO_CHANGES);
    expect(readRoll(rollTags('web', recorded), 'web', NOW)?.changes).toEqual(NO_CHANGES);
  });

  test.each(SPOILT)('with the time %j spoilt begin anew', (text) => {
    expect(read({ [GROUP_TAGS.startedAt]: text })?.startedAt).toBe(NOW);
  });

  test.each(SPOILT)('ask with the time %j spoilt for what is older than the roll', (text) => {
    const begun = { [GROUP_TAGS.startedAt]: '2026-11-01T00:00:00.000Z' };
    const spoilt = read({ ...begun, [GROUP_TAGS.forceBefore]: text });
    expect(spoilt?.forceBefore).toEqual(spoilt?.startedAt);
  });

  test('name images alone, as others would stand for many in EC2', () => {
    const text = 'ami-* ami-1 jobs ami-';
    expect(read({ [GROUP_TAGS.image]: text })?.imageIds).toEqual(['ami-1']);
    expect(readRejection({ [GROUP_TAGS.rejected]: text })?.imageIds).toEqual(['ami-1']);
    expect(readRejection({ [GROUP_TAGS.rejected]: 'every' })).toBeUndefined();
  });

  test.each(['', 'none', ' none  '])('name no image in %j, and hold on to what is ours', (text) => {
    expect(read({ [GROUP_TAGS.image]: text })).toMatchObject({ imageIds: [], changes: recorded.changes });
  });

  test.each(['True', 'false', ''])('ask for no exact image by %j', (text) => {
    expect(read({ [GROUP_TAGS.exact]: text })?.exact).toBe(false);
  });

  test.each([
    '',
    'none',
    '2/0',
    '+2',
    '+-2/+0',
    '+2/+0',
    '+2/+0 6/8',
    '+2/+0 6/8 to 8/8',
    '+2/+0 6/8 to 8/8 of 2 marked, or so',
    '+1.5/+0',
  ])('hold nothing by %j', (text) => {
    expect(read({ [GROUP_TAGS.addedSizes]: text })?.changes).toEqual(recorded.changes);
  });
});

describe('what a group launched from before, and its unsteady services', () => {
  const BARE: Roll = {
    imageIds: ['ami-1'],
    startedAt: new Date(0),
    exact: false,
    previous: [],
    unsteady: [],
    canary: { kind: 'pending' },
    course: { kind: 'forward' },
    changes: NO_CHANGES,
  };
  const readBack = (parts: Partial<Roll>, spoilt: Tags = {}) =>
    readRoll({ ...rollTags('web', { ...BARE, ...parts }), ...spoilt }, 'web', NOW);
  const template = (index: number): PreviousLaunchSpec => ({
    kind: 'launch-template',
    templateId: `lt-${String(index).padStart(17, '0')}`,
    version: 7,
    imageId: 'ami-00000000000000002',
  });

  test('are written a word each', () => {
    const previous: PreviousLaunchSpec[] = [
      { kind: 'launch-configuration', name: 'my config' },
      { kind: 'launch-template', templateId: 'lt-1', version: 7, imageId: 'ami-2' },
      { kind: 'override', before: 'ami-1', imageId: 'ami-2' },
    ];
    const unsteady = [
      { name: 'api', runningCount: 1 },
      { name: 'jobs', runningCount: 0 },
    ];
    expect(rollTags('web', { ...BARE, previous, unsteady })).toMatchObject({
      'ecs-ami-deploy-previous': '=my=20config lt-1:7/ami-2 ami-1/ami-2',
      'ecs-ami-deploy-unsteady-services': 'api=1 jobs=0',
    });
  });

  test('are written over the same tags, however few they are, so that nothing older is left', () => {
    const keys = (roll: Roll) => Object.keys(rollTags('web', roll));
    const most = Array.from({ length: MOST_TEMPLATES }, (_, index) => template(index));
    expect(keys({ ...BARE, previous: most })).toEqual(keys(BARE));
    expect(rollTags('web', BARE)).toMatchObject({
      'ecs-ami-deploy-previous': 'none',
      'ecs-ami-deploy-previous-2': 'none',
      'ecs-ami-deploy-previous-5': 'none',
      'ecs-ami-deploy-unsteady-services-3': 'none',
    });
  });

  test('are left out as whole words where there are too many', () => {
    const previous = Array.from({ length: 50 }, (_, index) => template(index));
    const read = readBack({ previous })?.previous ?? [];
    expect(read.length).toBeGreaterThanOrEqual(MOST_TEMPLATES);
    expect(read).toEqual(previous.slice(0, read.length));
  });

  test.each([
    '=%',
    '=ab=ZZ',
    '=',
    'lt-1:0/ami-2',
    'lt-1/ami-2',
    'lt-1:7',
    '/ami-2',
    'ami-*/ami-2',
    'soon',
    '+lost',
    '',
    'none',
  ])('are none by %j', (text) => {
    expect(readBack({}, { [GROUP_TAGS.previous]: text })?.previous).toEqual([]);
  });

  test.each(['api', '=1', 'api=', 'api=-1', 'api=1=2', 'none', ''])('are no service by %j', (text) => {
    expect(readBack({}, { [GROUP_TAGS.unsteady]: text })?.unsteady).toEqual([]);
  });

  test.each(['', 'soon', '7', 'Passed', 'none'])('begin the trial anew with the canary %j', (text) => {
    expect(readBack({}, { [GROUP_TAGS.canary]: text })?.canary).toEqual({ kind: 'pending' });
  });

  test('go forward unless they say otherwise, as somebody may by hand', () => {
    expect(readBack({})?.course).toEqual({ kind: 'forward' });
    expect(readBack({}, { [GROUP_TAGS.course]: 'back' })?.course).toEqual({ kind: 'forward' });
    const because = { code: 'asked-by-tag' };
    const said = { [GROUP_TAGS.course]: 'rollback', [GROUP_TAGS.because]: 'it fails' };
    expect(readBack({}, said)?.course).toEqual({ kind: 'rollback', since: NOW, because });
  });
});

describe('a reason', () => {
  const EPOCH = new Date(0);

  test('is cut and rid of what no tag takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const because = { code: 'recorded', text } as const;
        const written = courseTags({ kind: 'abort', since: EPOCH, because })[GROUP_TAGS.because];
        expect(written).toMatch(/^[A-Za-z0-9+\-=._:/@ ]{1,224}$/);
        expect(written?.trim()).toBe(written);
      }),
    );
  });

  test('keeps its words', () => {
    const because = { code: 'recorded', text: '2 tasks of service api (exit code 1), "why?"' } as const;
    const written = courseTags({ kind: 'rollback', since: EPOCH, because })[GROUP_TAGS.because];
    expect(written).toBe('2 tasks of service api: exit code 1 why');
  });
});

describe('a pause', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(time, (since) => {
        expect(readPausedSince(pausedTags(since), NOW)).toEqual(since);
      }),
    );
  });

  test.each([
    [undefined, undefined],
    ['false', undefined],
    ['true', NOW],
    ['', NOW],
  ])('written as %j is since %s', (text, since) => {
    expect(readPausedSince(text === undefined ? {} : { [GROUP_TAGS.paused]: text }, NOW)).toBe(since);
  });
});

describe('a rejection', () => {
  const rejection: fc.Arbitrary<Rejection> = fc.record({
    imageIds: fc.uniqueArray(imageId, { minLength: 1, maxLength: MOST_IMAGES }),
    because: sentence,
  });

  test('is read as it was written, and can be cleared', () => {
    fc.assert(
      fc.property(rejection, (rejected) => {
        const tags = rejectionTags(rejected);
        expect(readRejection(tags)).toEqual(rejected);
        expect(Object.keys(tags)).toEqual(REJECTION_TAG_KEYS);
      }),
    );
  });

  test('that names no image is none', () => {
    expect(readRejection({})).toBeUndefined();
    expect(readRejection({ [GROUP_TAGS.rejected]: 'none' })).toBeUndefined();
  });
});

test('what outlasts a roll is not among its tags, and everything else of ours is', () => {
  const lasting = [GROUP_TAGS.paused, GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause];
  const single = Object.values(GROUP_TAGS).filter((key) => !lasting.some((each) => each === key));
  expect(ROLL_TAG_KEYS).toEqual(expect.arrayContaining(single));
  expect(ROLL_TAG_KEYS).toHaveLength(single.length + TAG_PARTS.previous + TAG_PARTS.unsteady - 2);
  for (const key of lasting) expect(ROLL_TAG_KEYS).not.toContain(key);
});

describe('whether the tags of a group still say so', () => {
  test('is so of what was written, and of nothing else', () => {
    fc.assert(
      fc.property(changes, changes, (written, other) => {
        const tags = changesTags('web', written);
        expect(recordsChanges(tags, written)).toBe(true);
        const isSame = JSON.stringify(written) === JSON.stringify(other);
        expect(recordsChanges(tags, other)).toBe(isSame);
      }),
    );
  });

  test.each<Tags>([{}, { [GROUP_TAGS.addedSizes]: 'spoilt', [GROUP_TAGS.suspended]: '' }])(
    'is so of nothing where %j is there',
    (tags) => {
      expect(recordsChanges(tags, NO_CHANGES)).toBe(true);
    },
  );
});

test('all tags of a roll fit into one call, which takes 25', () => {
  expect(ROLL_TAG_KEYS.length).toBeLessThanOrEqual(25);
});

describe('the tags of an instance', () => {
  test('tell no turn from before the mark, clocks aside, which was of another roll', () => {
    const chosen = new Date(NOW.getTime() - 1000_000);
    const earlier = (seconds: number) => new Date(chosen.getTime() - seconds * 1000);
    const read = (drainStartedAt: Date, drainGivenUpAt: Date) =>
      readMark(
        markTags('web', { group: 'web', detachStartedAt: chosen, drainStartedAt, drainGivenUpAt }),
        NOW,
      );
    expect(read(earlier(60), earlier(60))).toEqual({ group: 'web', detachStartedAt: chosen });
    expect(read(earlier(59), earlier(58))).toMatchObject({
      drainStartedAt: earlier(59),
      drainGivenUpAt: earlier(58),
    });
  });

  test('say all of a mark', () => {
    fc.assert(
      fc.property(mark, (marked) => {
        expect(readMark(markTags('web', marked), NOW)).toEqual(marked);
      }),
    );
  });

  const tags = markTags('web', { group: 'web', detachStartedAt: new Date(0), drainStartedAt: new Date(0) });

  test.each<Tags>([
    { [INSTANCE_TAGS.group]: '' },
    { [INSTANCE_TAGS.terminate]: 'false' },
    { [INSTANCE_TAGS.terminate]: 'True' },
    { [INSTANCE_TAGS.terminate]: '' },
  ])('are no mark with %j', (spoilt) => {
    expect(readMark({ ...tags, ...spoilt }, NOW)).toBeUndefined();
  });

  test.each(SPOILT)('with the times %j spoilt let the limits begin anew', (text) => {
    const spoilt = { [INSTANCE_TAGS.detachStartedAt]: text, [INSTANCE_TAGS.drainStartedAt]: text };
    expect(readMark({ ...tags, ...spoilt }, NOW)).toEqual({
      group: 'web',
      detachStartedAt: NOW,
      drainStartedAt: NOW,
    });
  });

  test('say no more that a drain was given up once another turn has begun, or when that is spoilt', () => {
    const heldAt = (drainGivenUpAt: string) =>
      readMark({ ...tags, [INSTANCE_TAGS.drainGivenUpAt]: drainGivenUpAt }, NOW);
    expect(heldAt('1969-12-31T23:59:59.000Z')).not.toHaveProperty('drainHeldAt');
    expect(heldAt(new Date(0).toISOString())?.drainGivenUpAt).toEqual(new Date(0));
    for (const text of SPOILT) expect(heldAt(text)).not.toHaveProperty('drainHeldAt');
  });
});
