import { describe, expect, test } from 'vitest';
import { heldBackDays } from '../../lambda/core/days-behind.ts';
import type { InSequence } from '../../lambda/core/model/permit.ts';
import {
  launching,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
} from './builders.ts';

const daysSince = (date: Date) => (NOW.getTime() - date.getTime()) / 86_400_000;
const SINCE_TARGET = daysSince(TARGET.createdAt);

/** Of a group whose roll hasn't begun. */
function days(
  scene: Scene,
  members: readonly Sketch[] = [old('i-1')],
  kind: 'paused' | 'planned' | 'skipped' = 'skipped',
): number | undefined {
  const observation = observe(members, { roll: null, launch: launching(PLACE), ...scene });
  const [group] = observation.groups;
  if (group === undefined) throw new Error('there is a group');
  return heldBackDays({ group, observation }, { kind, reason: { code: 'no-roll-begun' } });
}

const ALONE = { launch: { obstacle: { code: 'group-left-out' } }, offered: launching(PLACE) } as const;

const inSequence = (standing: InSequence): Scene => ({
  launch: {
    sources: [{ place: PLACE, imageId: OLD.imageId, target: OLD, inSequence: standing }],
    mixed: false,
  },
});

const STRANGER = {
  kind: 'stranger',
  reason: {
    code: 'belongs-elsewhere',
    cluster: 'web',
    registered: [],
    members: 1,
    because: { kind: 'not-named' },
  },
} as const;

describe('how long a newer image has been kept from a group', () => {
  test.each<[string, () => number | undefined]>([
    ['paused', () => days({}, undefined, 'paused')],
    ['only planned', () => days({}, undefined, 'planned')],
    ['left out by its tag', () => days({ ...ALONE, excluded: true })],
    ['taken for another cluster’s', () => days({ ...ALONE, notOurs: STRANGER })],
    [
      'rejected',
      () =>
        days({
          launch: {
            sources: [{ place: PLACE, imageId: OLD.imageId, target: OLD, rejected: TARGET.imageId }],
            mixed: false,
          },
        }),
    ],
    [
      'in a sequence that allows nothing newer',
      () => days(inSequence({ line: 'family', newest: TARGET.name })),
    ],
    [
      'in a sequence that allows one between, which they run',
      () => days(inSequence({ line: 'family', newest: TARGET.name, release: OLD.name })),
    ],
    ['some member left out', () => days({}, [old('i-1', { excluded: true }), old('i-2')])],
  ])('%s', (_, told) => {
    expect(told()).toBeCloseTo(SINCE_TARGET);
  });

  test('is unset if nothing is kept from it', () => {
    expect(days({})).toBeUndefined();
    expect(days(inSequence({ line: 'family', newest: OLD.name, release: OLD.name }))).toBeUndefined();
  });

  test('is unset if its members run the image', () => {
    expect(days({ ...ALONE, excluded: true }, [old('i-1', { image: TARGET })])).toBe(0);
    expect(days({ ...ALONE, excluded: true }, [old('i-1', { image: NEWER })])).toBe(0);
  });

  test("is unset if it can't be known", () => {
    expect(days({ ...ALONE, offered: undefined, excluded: true })).toBe(0);
    const undated = launching(PLACE, OLD, { ...TARGET, createdAt: new Date('') });
    expect(days({ ...ALONE, offered: undated, excluded: true })).toBe(0);
  });

  test('is that of those left out alone, of what runs in it', () => {
    const excluded = { excluded: true, image: TARGET };
    expect(days({}, [old('i-1', excluded), old('i-2')])).toBe(0);
    expect(days({}, [old('i-1', { excluded: true }), old('i-2', excluded)])).toBeCloseTo(SINCE_TARGET);
    for (const gone of [old('i-1', { alive: false }), old('i-1', { member: null })])
      expect(days({ ...ALONE, excluded: true }, [gone])).toBeUndefined();
  });

  test('counts an image rejected for one of its places', () => {
    const source = { place: PLACE, imageId: OLD.imageId, target: OLD };
    const sources = [source, { ...source, rejected: TARGET.imageId }];
    expect(days({ launch: { sources, mixed: true } })).toBeCloseTo(SINCE_TARGET);
  });

  test('is unset for a group of which nobody knows what it launches, and that nothing holds', () => {
    expect(days({ ...ALONE, offered: undefined })).toBeUndefined();
  });

  test('leaves out images for other architectures, and takes one that is gone for one of the same', () => {
    const arm = launching(PLACE, OLD, { ...TARGET, architecture: 'arm64' });
    expect(days({ ...ALONE, offered: arm, excluded: true })).toBe(0);
    const image = { ...OLD, imageId: 'ami-0ff' };
    expect(days({ ...ALONE, offered: arm, excluded: true }, [old('i-1', { image })])).toBeCloseTo(
      SINCE_TARGET,
    );
  });

  test('is never negative for an image from the future', () => {
    const future = launching(PLACE, OLD, { ...TARGET, createdAt: new Date('2099-01-01') });
    expect(days({ ...ALONE, offered: future, excluded: true })).toBe(0);
  });
});
