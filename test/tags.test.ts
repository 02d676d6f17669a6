import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../lambda/contract.ts';
import { NO_HOLD } from '../lambda/core/hold.ts';
import type { Hold, Mark, Rollout, Sizes } from '../lambda/core/model.ts';
import {
  holdTags,
  markTags,
  readMark,
  readRollout,
  rolloutTags,
  saysHold,
  type Tags,
} from '../lambda/tags.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SPOILT = ['', 'soon', '2026-13-01T00:00:00Z'];

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
/** A group's greatest size is 2³² - 1 to AWS's own API; a quota keeps it far below. */
const size = fc.nat({ max: 2 ** 32 - 1 });
const sizes: fc.Arbitrary<Sizes> = fc.record({ desiredCapacity: size, maxSize: size });
const image = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 17, maxLength: 17 });
const imageId = image.map((digits) => `ami-${digits}`);

/** All that a group has: https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html */
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

const hold: fc.Arbitrary<Hold> = fc.record({
  suspended: fc.shuffledSubarray(PROCESSES),
  held: fc.record(
    {
      desiredCapacity: size,
      maxSize: size,
      change: fc.record({ from: sizes, to: sizes, marked: size }),
    },
    { requiredKeys: ['desiredCapacity', 'maxSize'] },
  ),
});

/** Tags take 256 characters: so many images fit. */
const MOST_IMAGES = 11;

const rollout: fc.Arbitrary<Rollout> = fc.record(
  {
    imageIds: fc.uniqueArray(imageId, { minLength: 1, maxLength: MOST_IMAGES }),
    startedAt: time,
    exact: fc.boolean(),
    forceBefore: time,
    hold,
  },
  { requiredKeys: ['imageIds', 'startedAt', 'exact', 'hold'] },
);

const mark: fc.Arbitrary<Mark> = fc.record(
  { group: fc.string({ minLength: 1, maxLength: 255 }), detachStartedAt: time, drainStartedAt: time },
  { requiredKeys: ['group', 'detachStartedAt'] },
);

const groupTags = (recorded: Rollout) => ({
  ...rolloutTags('web', recorded),
  ...holdTags('web', recorded.hold),
});

describe('the tags of a group', () => {
  test('say all of a roll', () => {
    fc.assert(
      fc.property(rollout, (recorded) => {
        expect(readRollout(groupTags(recorded), 'web', NOW)).toEqual(recorded);
      }),
    );
  });

  test('are a roll of no cluster but their own', () => {
    fc.assert(
      fc.property(rollout, (recorded) => {
        expect(readRollout(groupTags(recorded), 'jobs', NOW)).toBeUndefined();
      }),
    );
    expect(readRollout({}, 'web', NOW)).toBeUndefined();
  });

  test('are such as AWS takes', () => {
    fc.assert(
      fc.property(rollout, (recorded) => {
        for (const [key, value] of Object.entries(groupTags(recorded))) {
          expect(Object.values(GROUP_TAGS)).toContain(key);
          expect(value).toMatch(/^[A-Za-z0-9 _.:/=+@-]{1,256}$/);
        }
      }),
    );
  });

  const recorded: Rollout = {
    imageIds: ['ami-1', 'ami-2'],
    startedAt: new Date(0),
    exact: false,
    hold: { ...NO_HOLD, suspended: ['AZRebalance'] },
  };
  const read = (spoilt: Tags) => readRollout({ ...groupTags(recorded), ...spoilt }, 'web', NOW);

  test('say none of what we neither suspend nor hold', () => {
    const tags = holdTags('web', NO_HOLD);
    expect(tags).toMatchObject({ [GROUP_TAGS.suspended]: 'none', [GROUP_TAGS.held]: '+0/+0' });
    expect(readRollout({ ...rolloutTags('web', recorded), ...tags }, 'web', NOW)?.hold).toEqual(NO_HOLD);
    expect(readRollout(rolloutTags('web', recorded), 'web', NOW)?.hold).toEqual(NO_HOLD);
  });

  test.each(SPOILT)('with the time %j spoilt begin anew', (text) => {
    expect(read({ [GROUP_TAGS.startedAt]: text })?.startedAt).toBe(NOW);
    expect(read({ [GROUP_TAGS.forceBefore]: text })?.forceBefore).toBe(NOW);
  });

  test.each(['', 'none', ' none  '])('name no image in %j, and hold on to what is ours', (text) => {
    expect(read({ [GROUP_TAGS.image]: text })).toMatchObject({ imageIds: [], hold: recorded.hold });
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
    '+2/+0 6/8',
    '+2/+0 6/8 to 8/8',
    '+2/+0 6/8 to 8/8 of 2 marked, or so',
    '+1.5/+0',
  ])('hold nothing by %j', (text) => {
    expect(read({ [GROUP_TAGS.held]: text })?.hold).toEqual(recorded.hold);
  });
});

describe('whether the tags of a group still say so', () => {
  test('is so of what was written, and of nothing else', () => {
    fc.assert(
      fc.property(hold, hold, (written, other) => {
        const tags = holdTags('web', written);
        expect(saysHold(tags, written)).toBe(true);
        const isSame = JSON.stringify(written) === JSON.stringify(other);
        expect(saysHold(tags, other)).toBe(isSame);
      }),
    );
  });

  test.each<Tags>([{}, { [GROUP_TAGS.held]: 'spoilt', [GROUP_TAGS.suspended]: '' }])(
    'is so of nothing where %j is there',
    (tags) => {
      expect(saysHold(tags, NO_HOLD)).toBe(true);
    },
  );
});

describe('the tags of an instance', () => {
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
});
