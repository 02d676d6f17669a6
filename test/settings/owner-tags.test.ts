import { describe, expect, test } from 'vitest';
import { EXCLUDE_TAG, SETTING_TAG_PREFIX } from '../../lambda/contract.ts';
import { describeWarning } from '../../lambda/core/reasons/warnings.ts';
import { isExcluded, parseOverrides } from '../../lambda/settings/owner-tags.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { nameInTags } from '../../lambda/settings/table.ts';
import { EVERY_SETTING } from './every-setting.ts';

const stack = parseSettings({ CLUSTERS: 'web' });

const tag = (setting: string) => SETTING_TAG_PREFIX + setting;

const tags = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(settings).map(([setting, text]) => [tag(setting), text]));

const OF_GROUPS = EVERY_SETTING.filter(({ isOfGroup }) => isOfGroup);

/** Every setting of a group, each otherwise than by default. */
const EVERYTHING: Readonly<Record<string, string>> = Object.fromEntries(
  OF_GROUPS.map((each) => [nameInTags(each), each.text]),
);

/** Each by itself. */
const TEXTS: Readonly<Record<string, string>> = {
  ...EVERYTHING,
  drift: 'launch-spec',
  'max-instance-age-days': '',
};

/** Which of these is no less gentle than the stack has it. */
const GENTLY = [
  'mode',
  'announce-minutes',
  'windows',
  'stable-seconds',
  'alarm-names',
  'drain-timeout-seconds',
];

/** Lets the tags of groups set whatever they may be let. */
const FREE = {
  TAG_SETTINGS: Object.keys(EVERYTHING)
    .filter((setting) => !setting.startsWith('image'))
    .join(','),
  TAG_IMAGES: 'auto, name:my-image-*',
  TAG_IMAGE_OWNERS: 'self',
};
const free = parseSettings({ CLUSTERS: 'web', ...FREE });

/** What the tags of a group set, with warnings in words. */
function overridesIn(...given: Parameters<typeof parseOverrides>) {
  const overrides = parseOverrides(...given);
  return { ...overrides, ignored: overrides.ignored.map((each) => describeWarning(each)) };
}

describe('the tags of a group', () => {
  test('say nothing if none is ours', () => {
    const given = { Name: 'web', 'ecs-ami-deploy-cluster': 'web', 'ECS-AMI-DEPLOY:image': 'x' };
    expect(overridesIn(given, stack)).toEqual({ settings: {}, excluded: false, faults: [], ignored: [] });
  });

  test('may set everything that is of a group, where the stack lets them', () => {
    const spaced = Object.fromEntries(Object.entries(EVERYTHING).map(([name, text]) => [name, ` ${text} `]));
    expect(overridesIn({ ...tags(spaced), [EXCLUDE_TAG]: 'true' }, free)).toEqual({
      settings: Object.fromEntries(OF_GROUPS.map(({ setting, value }) => [setting, value])),
      excluded: true,
      faults: [],
      ignored: [],
    });
  });

  test.each(['clusters', 'groups', 'group-concurrency', 'poll-seconds', 'Image', 'max_surge', ''])(
    'may not set "%s"',
    (setting) => {
      expect(overridesIn({ [tag(setting)]: '1' }, stack).faults).toEqual([
        `${tag(setting)} is no setting of a group; there are ${[...Object.keys(EVERYTHING), 'exclude'].map(tag).join(', ')}`,
      ]);
    },
  );

  test.each(Object.keys(EVERYTHING).filter((setting) => !setting.startsWith('image')))(
    'may set %s by the rules of its variable',
    (setting) => {
      const variable = setting.toUpperCase().replaceAll('-', '_');
      const [fault] = overridesIn({ [tag(setting)]: '::,' }, free).faults;
      expect(() => parseSettings({ CLUSTERS: 'web', [variable]: '::,' })).toThrow(
        expect.objectContaining({ faults: expect.arrayContaining([fault?.replace(tag(setting), variable)]) }),
      );
    },
  );

  test('report every fault at once and then set nothing', () => {
    const given = {
      [tag('max-surge')]: 'all',
      [tag('drift')]: 'age',
      [tag('standby')]: 'replace',
      [tag('max-sruge')]: '1',
    };
    expect(overridesIn(given, free)).toEqual({
      settings: {},
      excluded: false,
      ignored: [],
      faults: [
        expect.stringMatching(/^ecs-ami-deploy:max-sruge is no setting of a group; there are /),
        'ecs-ami-deploy:max-surge was "all"; it may be a number of instances or a percentage from 0% to 100%',
        'ecs-ami-deploy:drift names age, which needs ecs-ami-deploy:max-instance-age-days',
      ],
    });
  });

  test('may not name alarms by their ARNs', () => {
    const given = { [tag('alarm-names')]: 'late, arn:aws:cloudwatch:eu-west-1:123456789012:alarm:api' };
    expect(overridesIn(given, stack).faults).toEqual([
      expect.stringMatching(/ it may be the names, not the ARNs, of CloudWatch alarms, separated by commas$/),
    ]);
  });

  test('exclude the group whatever else is wrong with them', () => {
    const { excluded, faults } = overridesIn({ [tag('drift')]: '?', [EXCLUDE_TAG]: ' TRUE ' }, free);
    expect({ excluded, faults: faults.length }).toEqual({ excluded: true, faults: 1 });
  });

  test('that are empty count as not given, but for the one that excludes', () => {
    expect(overridesIn({ [tag('drift')]: ' ' }, free)).toMatchObject({ settings: {}, faults: [] });
    expect(overridesIn({ [EXCLUDE_TAG]: '' }, free)).toMatchObject({ excluded: true, faults: [] });
  });

  test.each(['maybe', 'yes', '', ' tru'])(
    'leave it alone by exclude = "%s", and that is reported',
    (text) => {
      expect(overridesIn({ [EXCLUDE_TAG]: text }, stack)).toEqual({
        settings: {},
        excluded: true,
        faults: [],
        ignored: [
          `ecs-ami-deploy:exclude of the group was "${text}", which leaves it alone; it may be true or false`,
        ],
      });
    },
  );

  describe('that the stack lets set nothing', () => {
    test.each(Object.entries(EVERYTHING).filter(([setting]) => !GENTLY.includes(setting)))(
      'have no effect by %s = %s, which is told',
      (setting, text) => {
        const told = overridesIn({ [tag(setting)]: text }, stack);
        expect(told).toMatchObject({ settings: {}, excluded: false, faults: [] });
        expect(told.ignored).toEqual([
          expect.stringMatching(
            new RegExp(
              `^ecs-ami-deploy:${setting} = ".*" is ignored: .*(${setting} in TAG_SETTINGS|in TAG_IMAGE(_OWNER)?S)$`,
            ),
          ),
        ]);
      },
    );

    test.each(['drift', 'max-instance-age-days', 'keep-launch-specs', 'image'])(
      'have none by a %s that nobody can read',
      (setting) => {
        expect(overridesIn({ [tag(setting)]: '::,' }, stack)).toMatchObject({ settings: {}, faults: [] });
      },
    );

    test.each(Object.keys(EVERYTHING))('may say what the stack has: %s', (setting) => {
      const text = TEXTS[setting] ?? '';
      const has = parseSettings({ CLUSTERS: 'web', [setting.toUpperCase().replaceAll('-', '_')]: text });
      expect(overridesIn({ [tag(setting)]: text }, has)).toMatchObject({ faults: [], ignored: [] });
    });

    test('may say what is gentler', () => {
      const given = { image: 'auto', 'image-owner': 'amazon', canary: '1', 'max-surge': '3' };
      expect(overridesIn(tags(given), stack)).toMatchObject({
        settings: {
          image: { kind: 'auto' },
          imageOwner: 'amazon',
          canary: 1,
          maxSurge: { kind: 'least', of: [{ count: 3 }, { percent: 100 }] },
        },
        ignored: [],
      });
    });

    test('set the one and not the other', () => {
      const given = { 'stable-seconds': '60', 'drain-concurrency': '10', 'keep-launch-specs': '0' };
      const told = overridesIn(tags(given), stack);
      expect(told.settings).toEqual({ stableSeconds: 60 });
      expect(told.ignored).toEqual([
        'ecs-ami-deploy:drain-concurrency = "10" is ignored: it is less gentle than the stack, and needs drain-concurrency in TAG_SETTINGS',
        'ecs-ami-deploy:keep-launch-specs = "0" is ignored: it needs keep-launch-specs in TAG_SETTINGS',
      ]);
    });
  });

  describe('that name an image and its owner', () => {
    test.each([
      [{ image: 'name:my-image-*', 'image-owner': '111122223333' }],
      [{ image: 'name:my-*', 'image-owner': 'self' }],
      [{ image: 'ami-0123456789abcdef0', 'image-owner': 'self' }],
    ])('are taken at their word for both or for none: %o', (given: Record<string, string>) => {
      const { settings, faults, ignored } = overridesIn(tags(given), free);
      expect({ settings, faults, ignored: ignored.length }).toEqual({ settings: {}, faults: [], ignored: 2 });
    });

    test('say which of the two it is for', () => {
      const given = { image: 'name:my-image-*', 'image-owner': '111122223333' };
      expect(overridesIn(tags(given), free).ignored).toEqual([
        'ecs-ami-deploy:image-owner = "111122223333" is ignored: it needs to be in TAG_IMAGE_OWNERS',
        'ecs-ami-deploy:image = "name:my-image-*" is ignored: it goes with that',
      ]);
    });
  });

  test.each([
    [
      "an image of the stack's owner",
      { image: 'name:mine-*' },
      { image: { kind: 'name', pattern: 'mine-*' } },
    ],
    ["the stack's image of another owner", { 'image-owner': 'amazon' }, { imageOwner: 'amazon' }],
  ])('may name %s', (_, given: Record<string, string>, expected) => {
    const lists = { TAG_IMAGES: 'name:mine-*', TAG_IMAGE_OWNERS: 'amazon' };
    const byName = parseSettings({ CLUSTERS: 'web', IMAGE: 'name:ours', IMAGE_OWNER: 'self', ...lists });
    expect(overridesIn(tags(given), byName).settings).toEqual(expected);
  });

  test('may take away a name, and leave everything else', () => {
    const byName = parseSettings({ CLUSTERS: 'web', IMAGE: 'name:ours', TAG_IMAGES: 'auto' });
    expect(overridesIn({ [tag('image')]: 'auto' }, byName).settings).toEqual({ image: { kind: 'auto' } });
    expect(overridesIn({ [tag('standby')]: 'skip' }, byName).settings).toEqual({ standby: 'skip' });
  });

  describe('and drift by age', () => {
    const byAge = parseSettings({ CLUSTERS: 'web', DRIFT: 'age', MAX_INSTANCE_AGE_DAYS: '30', ...FREE });

    test("may go with the stack's age, or its word for it", () => {
      expect(overridesIn({ [tag('drift')]: 'image,age' }, byAge).faults).toEqual([]);
      expect(overridesIn({ [tag('max-instance-age-days')]: '7' }, byAge).settings).toEqual({
        maxInstanceAgeDays: 7,
      });
    });

    test("may do without, whatever the stack's age", () => {
      expect(overridesIn({ [tag('drift')]: 'image' }, byAge)).toMatchObject({
        settings: { drift: ['image'] },
        faults: [],
      });
    });

    test('may not set an age of no effect', () => {
      const given = { [tag('max-instance-age-days')]: '7' };
      const fault =
        'ecs-ami-deploy:max-instance-age-days was "7"; it has no effect unless ecs-ami-deploy:drift names age';
      expect(overridesIn(given, free).faults).toEqual([fault]);
      expect(overridesIn({ ...given, [tag('drift')]: 'image' }, byAge).faults).toEqual([fault]);
    });
  });
});

describe('an instance', () => {
  test.each(['true', ' True ', '', 'yes', 'maybe', '1'])('is left alone by the tag "%s"', (value) => {
    expect(isExcluded({ [EXCLUDE_TAG]: value })).toBe(true);
  });

  test.each(['false', ' False', undefined])('is not by "%s"', (value) => {
    expect(isExcluded(value === undefined ? {} : { [EXCLUDE_TAG]: value })).toBe(false);
  });
});
