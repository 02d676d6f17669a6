import { describe, expect, test } from 'vitest';
import type { Image } from '../../lambda/core/model/launch.ts';
import type { Allowed, Permit } from '../../lambda/core/model/permit.ts';
import type { GroupSettings } from '../../lambda/core/model/settings.ts';
import type { ImageCatalog, ImageCriteria } from '../../lambda/look/image-catalog.ts';
import type { FoundSource } from '../../lambda/look/launch.ts';
import { goesBack, lineOf, permitted, standingOf } from '../../lambda/look/permitted-image.ts';
import { NEWER, NOW, OLD, PLACE, SETTINGS, TARGET } from '../core/builders.ts';

const LINE = 'amazon-linux-2023/x86_64';
const GOLDEN: readonly Image[] = ['1', '2', '3'].map((version) => ({
  ...TARGET,
  imageId: `ami-${version}`,
  name: `golden-${version}`,
  ownerId: '111111111111',
  createdAt: new Date(`2026-11-0${version}`),
}));
const ALL = [OLD, TARGET, NEWER, ...GOLDEN];

/** The newest of Amazon's is in its parameter, and `*` in a name matches everything, as EC2 has it. */
function catalogOf(images: readonly Image[]): Partial<ImageCatalog> {
  const matches = (name: string, image: Image) =>
    new RegExp(`^${name.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(image.name);
  return {
    async trace(imageId) {
      return images.find((each) => each.imageId === imageId);
    },
    async inParameter() {
      return { image: NEWER };
    },
    async find({ name, imageIds }) {
      return images.filter(
        (image) => matches(name ?? '*', image) && (imageIds?.includes(image.imageId) ?? true),
      );
    },
    async typesOf() {
      return new Map([['m5.large', { architectures: ['x86_64'], bootModes: [] }]]);
    },
  };
}

function criteria(
  permit: Permit | undefined,
  settings: Partial<GroupSettings> = {},
  images: readonly Image[] = ALL,
): ImageCriteria {
  return {
    images: { known: new Map(), ...catalogOf(images) } as ImageCatalog,
    settings: { ...SETTINGS, ...settings },
    now: NOW,
    rejected: [],
    runners: new Map(),
    ...(permit && { permit }),
  };
}

const launching = (imageId = OLD.imageId): FoundSource => ({
  place: PLACE,
  imageId,
  devices: [],
  instanceTypes: ['m5.large'],
});
const allowing = (allowed: Allowed, line = LINE): Permit => ({
  kind: 'read',
  lines: new Map([[line, allowed]]),
});
const NOTHING: Permit = { kind: 'read', lines: new Map() };
const about = { line: LINE, newest: NEWER.name };
const of = (permit: Permit | undefined, settings?: Partial<GroupSettings>, images?: readonly Image[]) =>
  permitted(NEWER, launching(), criteria(permit, settings, images));

describe('a sequence only takes away', () => {
  test('whoever is in none gets the newest', async () => {
    expect(await of(undefined)).toEqual({ image: NEWER });
  });

  test('nothing while it allows nothing, or its table is silent', async () => {
    expect(await of(NOTHING)).toEqual({ inSequence: about });
    expect(await of(allowing({ release: NEWER.name }, 'another/line'))).toEqual({ inSequence: about });
    const unread: Permit = { kind: 'unread', because: 'down' };
    expect(await of(unread)).toEqual({ inSequence: { ...about, unread: 'down' } });
  });

  test('the newest if that is what it allows, or the older one that it names', async () => {
    const newest = { release: NEWER.name };
    expect(await of(allowing(newest))).toEqual({ image: NEWER, inSequence: { ...about, ...newest } });
    const older = { release: TARGET.name };
    expect(await of(allowing(older))).toEqual({ image: TARGET, inSequence: { ...about, ...older } });
  });

  test.each<[string, string, Partial<GroupSettings>, readonly Image[]]>([
    ['is not there yet', 'al2023-ami-ecs-hvm-2023.0.20261105-kernel-6.1-x86_64', {}, ALL],
    ['is of another line', 'golden-2', {}, ALL],
    ['is a pattern', '*', {}, ALL],
    ['is disabled', TARGET.name, {}, [OLD, { ...TARGET, state: 'disabled' }, NEWER]],
    ['is another owner’s', TARGET.name, {}, [OLD, { ...TARGET, ownerId: '666666666666' }, NEWER]],
    ['is newer than what the settings choose', TARGET.name, {}, [OLD, { ...TARGET, createdAt: NOW }, NEWER]],
    ['is too young', TARGET.name, { minImageAgeDays: 30 }, ALL],
    ['is older than what it launches', OLD.name, {}, [{ ...OLD }, TARGET, NEWER]],
    ['is not the one that is pinned', TARGET.name, { image: { kind: 'id', imageId: NEWER.imageId } }, ALL],
  ])('nothing where the image that it names %s', async (_, release, settings, images) => {
    const launches = launching(release === OLD.name ? TARGET.imageId : OLD.imageId);
    const found = await permitted(NEWER, launches, criteria(allowing({ release }), settings, images));
    expect(found).toEqual({ inSequence: { ...about, unfound: release } });
  });

  test('an older one only if it says that it goes back, which no tag can', async () => {
    const back = allowing({ release: OLD.name, isBack: true });
    const found = await permitted(NEWER, launching(TARGET.imageId), criteria(back));
    expect(found).toMatchObject({ image: OLD, inSequence: { isBack: true } });
    expect(await goesBack(launching(), criteria(back))).toBe(true);
    expect(await goesBack(launching(), criteria(allowing({ release: OLD.name })))).toBe(false);
    expect(await goesBack(launching(), criteria(undefined))).toBe(false);
  });
});

describe('a roll that has begun', () => {
  const standing = (permit: Permit, hasBegun: boolean) =>
    standingOf(TARGET, launching(), criteria(permit), hasBegun).then(({ inSequence }) => inSequence);

  test('goes on whatever the sequence says, but for a halt of its release', async () => {
    for (const permit of [NOTHING, { kind: 'unread', because: 'down' } as const])
      expect(await standing(permit, true)).toMatchObject({ release: TARGET.name });
    expect(await standing(allowing({ release: TARGET.name, stops: true }), true)).toMatchObject({
      stops: true,
    });
    expect(await standing(allowing({ release: NEWER.name, stops: true }), true)).not.toHaveProperty('stops');
  });

  test('stays stopped while the table is silent, if that was what it said last', async () => {
    const before = new Map([[LINE, { release: TARGET.name, stops: true } as const]]);
    const silent: Permit = { kind: 'unread', because: 'down', before };
    expect(await standing(silent, true)).toMatchObject({ release: TARGET.name, stops: true });
    expect(await standing({ ...silent, before: new Map() }, true)).not.toHaveProperty('stops');
  });

  test('is another matter than what an alias launches by itself', async () => {
    expect(await standing(NOTHING, false)).not.toHaveProperty('release');
    expect(await standing(allowing({ release: TARGET.name }), false)).toMatchObject({ release: TARGET.name });
  });
});

describe('the line of a place', () => {
  test.each<[string, string, GroupSettings['image'], string]>([
    ['its family and architecture', OLD.imageId, { kind: 'auto' }, LINE],
    ['the same where it is pinned', OLD.imageId, { kind: 'id', imageId: 'ami-1' }, LINE],
    ['its image, of which nothing is known', 'ami-g0ne', { kind: 'auto' }, 'ami-g0ne'],
    ['its parameter', OLD.imageId, { kind: 'parameter', parameter: '/golden' }, '/golden'],
    ['its pattern and architecture', OLD.imageId, { kind: 'name', pattern: 'golden-*' }, 'golden-*/x86_64'],
  ])('is %s', async (_, imageId, image, line) => {
    expect(await lineOf(launching(imageId), criteria(NOTHING, { image }))).toBe(line);
  });

  test('of an owner’s images: the one that it names, of those that match his pattern', async () => {
    const [first, second, third] = GOLDEN as [Image, Image, Image];
    const image = { kind: 'name', pattern: 'golden-*' } as const;
    const permit = allowing({ release: second.name }, 'golden-*/x86_64');
    const found = await permitted(
      third,
      launching(first.imageId),
      criteria(permit, { image, imageOwner: 'self' }),
    );
    expect(found.image).toBe(second);
  });
});
