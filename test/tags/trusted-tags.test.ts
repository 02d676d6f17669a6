import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tags } from '../../lambda/contract.ts';
import { AWS_GROUP_TAG, GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { REJECTION_TAG_KEYS, ROLL_TAG_KEYS } from '../../lambda/tags/roll-tags.ts';
import {
  createSeal,
  openGroupTags,
  openInstanceTags,
  SEAL_OVERHEAD,
  sealGroupTags,
  sealInstanceTags,
} from '../../lambda/tags/trusted-tags.ts';

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const seal = createSeal([keyOf(1)]);
const other = createSeal([keyOf(2)]);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'aA0 -_='), maxLength: 60 }),
);
const context = fc.array(text, { minLength: 1, maxLength: 5 });

/** Another text, by one character that is changed, added or taken away. */
function changed(given: string, at: number, by: string): string[] {
  const index = at % (given.length + 1);
  const [before, after] = [given.slice(0, index), given.slice(index)];
  return [before + by + after, before + by + after.slice(1), before + after.slice(1)].filter(
    (each) => each !== given,
  );
}

const character = fc.oneof(
  fc.constantFrom(...'aA0 -_=\n\0"'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

describe('a sealed text', () => {
  test('says what it said, then a space and 22 characters that every tag takes', () => {
    fc.assert(
      fc.property(text, context, (said, by) => {
        const sealed = seal.seal(said, by);
        expect(sealed.slice(0, -SEAL_OVERHEAD)).toBe(said);
        expect(sealed.slice(-SEAL_OVERHEAD)).toMatch(/^ [A-Za-z0-9_-]{22}$/);
        expect(seal.open(sealed, by)).toBe(said);
      }),
    );
  });

  test('opens to nothing once a character of it, of its seal or of its context is another', () => {
    fc.assert(
      fc.property(text, context, fc.nat(), fc.nat(), character, (said, by, at, part, character) => {
        const sealed = seal.seal(said, by);
        for (const forged of changed(sealed, at, character)) expect(seal.open(forged, by)).toBeUndefined();
        const index = part % by.length;
        for (const forged of changed(by[index] ?? '', at, character))
          expect(seal.open(sealed, by.with(index, forged))).toBeUndefined();
      }),
    );
  });

  test('opens to nothing where its parts are put together in another way', () => {
    const sealed = seal.seal('b c', ['group', 'a']);
    for (const by of [['group', 'a', 'b'], ['groupa'], ['group'], ['group', 'a', ''], ['a', 'group']])
      expect(seal.open(sealed, by)).toBeUndefined();
    expect(seal.open(seal.seal('', ['group', '","']), ['group', '', ''])).toBeUndefined();
  });

  test('opens to nothing by another key, and by that of the generation before', () => {
    const by = ['group'];
    expect(other.open(seal.seal('text', by), by)).toBeUndefined();
    const rotated = createSeal([keyOf(2), keyOf(1)]);
    expect(rotated.open(seal.seal('text', by), by)).toBe('text');
    expect(rotated.seal('text', by)).toBe(other.seal('text', by));
    expect(createSeal([keyOf(3), keyOf(2)]).open(seal.seal('text', by), by)).toBeUndefined();
  });

  test('keeps words at its end that look like a seal', () => {
    const said = seal.seal('text', ['group']);
    expect(seal.open(seal.seal(said, ['group']), ['group'])).toBe(said);
    expect(seal.open(`${said} ${'A'.repeat(22)}`, ['group'])).toBeUndefined();
  });

  test.each(['', ' ', 'text', 'A'.repeat(22), ` ${'A'.repeat(22)}`, `text ${'A'.repeat(22)}`])(
    'is not %j, which bears no seal of ours',
    (forged) => {
      expect(seal.open(forged, ['group'])).toBeUndefined();
    },
  );

  test('has a seal of one spelling: the bits that its last character has to spare say nothing', () => {
    const sealed = seal.seal('text', ['group']);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const opened = [...alphabet].filter((last) => seal.open(sealed.slice(0, -1) + last, ['group']));
    expect(opened).toEqual([sealed.at(-1)]);
  });
});

const UUID = '11111111-2222-4333-8444-555555555555';
const GROUP = { cluster: 'web', uuid: UUID, begun: new Date('2026-11-21T00:00:00Z') };
const ALL: Tags = Object.fromEntries(
  [...ROLL_TAG_KEYS, ...REJECTION_TAG_KEYS, GROUP_TAGS.paused].map((key) => [key, `says ${key}`]),
);
const WRITTEN: Tags = { ...ALL, [GROUP_TAGS.cluster]: 'web', team: 'a' };
const SEALED = sealGroupTags(seal, GROUP, WRITTEN);
const opened = (tags: Tags, uuid = UUID, clusters: readonly string[] = ['jobs', 'web']) =>
  openGroupTags(seal, uuid, tags, clusters);
const REJECTION = REJECTION_TAG_KEYS.map((key) => [key, ALL[key]]);

describe('the tags of a group', () => {
  test('are sealed each by itself, but for those that others go by and a pause', () => {
    const plain = Object.keys(SEALED).filter((key) => SEALED[key] === WRITTEN[key]);
    expect(plain.sort()).toEqual([GROUP_TAGS.cluster, GROUP_TAGS.paused, 'team'].sort());
    expect(opened(SEALED)).toEqual({ tags: WRITTEN, untrusted: [] });
  });

  test.each(ROLL_TAG_KEYS.filter((key) => key !== GROUP_TAGS.cluster))(
    'are none with a changed %s, and the others stay, with the beginning that each of them bears',
    (key) => {
      const { [key]: _, ...rest } = WRITTEN;
      const tags = key === GROUP_TAGS.startedAt ? { ...rest, [key]: GROUP.begun.toISOString() } : rest;
      expect(opened({ ...SEALED, [key]: `${SEALED[key]}x` })).toEqual({ tags, untrusted: [key] });
    },
  );

  describe('of an earlier roll, put back', () => {
    const minutesOn = (minutes: number) => new Date(GROUP.begun.getTime() + minutes * 60_000);
    const later = (minutes: number, cluster = 'web') =>
      sealGroupTags(
        seal,
        { ...GROUP, cluster, begun: minutesOn(minutes) },
        { ...WRITTEN, [GROUP_TAGS.cluster]: cluster },
      );

    test.each(ROLL_TAG_KEYS.filter((key) => key !== GROUP_TAGS.cluster))('are none: %s', (key) => {
      const { [key]: _, ...rest } = WRITTEN;
      const tags = key === GROUP_TAGS.startedAt ? { ...rest, [key]: minutesOn(6).toISOString() } : rest;
      expect(opened({ ...later(6), [key]: `${SEALED[key]}` })).toEqual({ tags, untrusted: [key] });
    });

    test('are none beside a single one of the later, even of another cluster', () => {
      const [one] = ROLL_TAG_KEYS.filter((key) => key === GROUP_TAGS.image);
      const { tags } = opened({ ...SEALED, [`${one}`]: `${later(6, 'jobs')[GROUP_TAGS.image]}` });
      expect(tags).toEqual({
        ...Object.fromEntries(REJECTION),
        team: 'a',
        [GROUP_TAGS.paused]: ALL[GROUP_TAGS.paused],
        [GROUP_TAGS.cluster]: 'jobs',
        [GROUP_TAGS.startedAt]: minutesOn(6).toISOString(),
        [GROUP_TAGS.image]: ALL[GROUP_TAGS.image],
      });
    });

    test('count if two invocations have begun the same roll at once', () => {
      const key = GROUP_TAGS.addedSizes;
      expect(opened({ ...later(4), [key]: `${SEALED[key]}` })).toEqual({ tags: WRITTEN, untrusted: [] });
    });
  });

  test('that nobody can have written are none, where nobody can check seals', () => {
    const unchecked = { ...seal, open: (sealed: string) => sealed };
    for (const forged of ['x', 'x ', 'x 1234567', 'x 123456789', 'x ZZZZZZZZ', ''])
      expect(openGroupTags(unchecked, UUID, { [GROUP_TAGS.image]: forged }, ['web']).tags).toEqual({});
  });

  test('are none on another group, on one of the same name, or under another key', () => {
    const untrusted = Object.keys(SEALED).filter((key) => key !== 'team' && key !== GROUP_TAGS.paused);
    const tags = { team: 'a', [GROUP_TAGS.paused]: ALL[GROUP_TAGS.paused] };
    const none = { tags, untrusted: expect.arrayContaining(untrusted) };
    expect(opened(SEALED, '99999999-2222-4333-8444-555555555555')).toEqual(none);
    expect(openGroupTags(other, UUID, SEALED, ['web'])).toEqual(none);
  });

  test('are for the cluster under which they were sealed, whatever its tag says', () => {
    for (const [cluster, clusters] of [
      ['jobs', ['jobs', 'web']],
      ['', ['web']],
    ] as const)
      expect(opened({ ...SEALED, [GROUP_TAGS.cluster]: cluster }, UUID, clusters)).toEqual({
        tags: WRITTEN,
        untrusted: [GROUP_TAGS.cluster],
      });
    const { [GROUP_TAGS.cluster]: _, ...nameless } = SEALED;
    expect(opened(nameless)).toEqual({ tags: WRITTEN, untrusted: [GROUP_TAGS.cluster] });
  });

  test('of a cluster that the stack doesn’t know, with its name changed, are none but for the rejection', () => {
    const { tags } = opened({ ...SEALED, [GROUP_TAGS.cluster]: 'jobs' }, UUID, ['jobs']);
    expect(tags).toEqual({
      team: 'a',
      [GROUP_TAGS.paused]: ALL[GROUP_TAGS.paused],
      ...Object.fromEntries(REJECTION),
    });
  });

  test('that came too late, once the roll was over, are no roll', () => {
    const course = { [GROUP_TAGS.course]: 'abort 2026-11-22', [GROUP_TAGS.because]: 'it fails' };
    expect(opened(sealGroupTags(seal, GROUP, course)).tags).toEqual(course);
  });

  test('name a cluster by a plain tag alone to nobody', () => {
    expect(opened({ [GROUP_TAGS.cluster]: 'web' })).toEqual({ tags: {}, untrusted: [GROUP_TAGS.cluster] });
  });

  test.each(['rollback', 'abort'])('may ask for %s without a seal, and for nothing else', (word) => {
    const { tags, untrusted } = opened({ ...SEALED, [GROUP_TAGS.course]: word });
    expect(tags[GROUP_TAGS.course]).toBe(word);
    expect(untrusted).toEqual([]);
    for (const forged of [`${word} `, `${word} 2026-11-22T05:10:00.000Z`, 'forward', word.toUpperCase(), ''])
      expect(opened({ ...SEALED, [GROUP_TAGS.course]: forged })).toMatchObject({
        untrusted: [GROUP_TAGS.course],
      });
  });

  test('of its owner stay as they are', () => {
    const tags = { team: 'a', 'ecs-ami-deploy:exclude': 'true', 'ecs-ami-deploy-notes': 'mine' };
    expect(opened(tags)).toEqual({ tags, untrusted: [] });
  });
});

const MARK: Tags = {
  ...markTags('web', {
    group: 'web-ecs',
    detachStartedAt: new Date(0),
    drainStartedAt: new Date(1),
    drainGivenUpAt: new Date(2),
    shortServices: ['api'],
  }),
  team: 'a',
};
const MARKED = sealInstanceTags(seal, 'i-1', MARK);
const OURS = Object.values<string>(INSTANCE_TAGS);

describe('the tags of an instance', () => {
  test('are a mark as they were written', () => {
    expect(openInstanceTags(seal, 'i-1', MARKED)).toEqual({ tags: MARK, untrusted: [] });
  });

  test('are none on another instance, or under another key', () => {
    const none = { tags: { team: 'a' }, untrusted: expect.arrayContaining(OURS) };
    expect(openInstanceTags(seal, 'i-2', MARKED)).toEqual(none);
    expect(openInstanceTags(other, 'i-1', MARKED)).toEqual(none);
    expect(openInstanceTags(seal, 'i-1', MARK)).toEqual(none);
  });

  test.each([
    INSTANCE_TAGS.group,
    INSTANCE_TAGS.cluster,
    INSTANCE_TAGS.terminate,
    INSTANCE_TAGS.detachStartedAt,
  ])('are none with %s changed or gone', (key) => {
    const { [key]: _, ...rest } = MARKED;
    for (const forged of [{ ...MARKED, [key]: `${MARKED[key]}x` }, rest])
      expect(openInstanceTags(seal, 'i-1', forged).tags).toEqual({ team: 'a' });
  });

  test('are one of a member all the same, by another time that holds', () => {
    const { [INSTANCE_TAGS.detachStartedAt]: _, ...others } = MARK;
    const { [INSTANCE_TAGS.group]: group = '' } = MARK;
    const spoilt = { ...MARKED, [INSTANCE_TAGS.detachStartedAt]: 'x' };
    const member = { [AWS_GROUP_TAG]: group };
    expect(openInstanceTags(seal, 'i-1', { ...spoilt, ...member })).toEqual({
      tags: { ...others, ...member },
      untrusted: [INSTANCE_TAGS.detachStartedAt],
    });
    const ofAnother = { ...spoilt, [AWS_GROUP_TAG]: 'jobs' };
    expect(openInstanceTags(seal, 'i-1', ofAnother).tags).toEqual({ team: 'a', [AWS_GROUP_TAG]: 'jobs' });
  });

  test.each([INSTANCE_TAGS.drainStartedAt, INSTANCE_TAGS.drainGivenUpAt])(
    'say nothing by %s that does not hold, nor by that of another key',
    (key) => {
      const { [key]: _, ...rest } = MARK;
      const copied = MARKED[INSTANCE_TAGS.detachStartedAt] ?? '';
      for (const forged of ['2026-11-22T05:10:00.000Z', copied])
        expect(openInstanceTags(seal, 'i-1', { ...MARKED, [key]: forged })).toEqual({
          tags: rest,
          untrusted: [key],
        });
    },
  );
});
