import { describe, expect, test } from 'vitest';
import { isExcluded, parseOverrides, parseSettings } from '../lambda/config.ts';
import { EXCLUDE_TAG, SETTING_TAG_PREFIX } from '../lambda/contract.ts';

const stack = parseSettings({ CLUSTERS: 'web' });

const tag = (setting: string) => SETTING_TAG_PREFIX + setting;

const tags = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(settings).map(([setting, text]) => [tag(setting), text]));

const EVERYTHING = {
  image: 'name:my-image-*',
  'image-owner': 'self',
  'min-image-age-days': '7',
  drift: 'launch-spec,age',
  'max-instance-age-days': '30',
  'max-surge': ' 0% ',
  'raise-max-size': 'true',
  standby: 'replace',
  'terminate-hooks': 'run',
  'shared-templates': 'update',
  canary: '2',
  'bake-seconds': '0',
  'alarm-names': 'api errors,late',
  'alarm-timeout-seconds': '60',
  'drain-concurrency': '2',
  'stable-seconds': '60',
  'ready-timeout-seconds': '600',
  'drain-timeout-seconds': '3600',
  'on-drain-timeout': 'force',
  'standalone-tasks': 'stop',
  'keep-launch-specs': '0',
};

describe('the tags of a group', () => {
  test('say nothing where none is ours', () => {
    const given = { Name: 'web', 'ecs-ami-deploy-cluster': 'web', 'ECS-AMI-DEPLOY:image': 'x' };
    expect(parseOverrides(given, stack)).toEqual({ settings: {}, excluded: false, faults: [] });
  });

  test('may set everything that is of a group', () => {
    expect(parseOverrides({ ...tags(EVERYTHING), [EXCLUDE_TAG]: 'true' }, stack)).toEqual({
      settings: {
        image: { kind: 'name', pattern: 'my-image-*' },
        imageOwner: 'self',
        minImageAgeDays: 7,
        drift: ['launch-spec', 'age'],
        maxInstanceAgeDays: 30,
        maxSurge: { kind: 'count', count: 0 },
        raiseMaxSize: true,
        standby: 'replace',
        terminateHooks: 'run',
        sharedTemplates: 'update',
        canary: 2,
        bakeSeconds: 0,
        alarmNames: ['api errors', 'late'],
        alarmTimeoutSeconds: 60,
        drainConcurrency: 2,
        stableSeconds: 60,
        readyTimeoutSeconds: 600,
        drainTimeoutSeconds: 3600,
        onDrainTimeout: 'force',
        standaloneTasks: 'stop',
        keepLaunchSpecs: 0,
      },
      excluded: true,
      faults: [],
    });
  });

  test.each(['clusters', 'groups', 'group-concurrency', 'poll-seconds', 'Image', 'max_surge', ''])(
    'may not set "%s"',
    (setting) => {
      expect(parseOverrides({ [tag(setting)]: '1' }, stack).faults).toEqual([
        `${tag(setting)} is no setting of a group; there are ecs-ami-deploy:image, ecs-ami-deploy:image-owner, \
ecs-ami-deploy:min-image-age-days, ecs-ami-deploy:drift, ecs-ami-deploy:max-instance-age-days, \
ecs-ami-deploy:max-surge, ecs-ami-deploy:raise-max-size, ecs-ami-deploy:standby, ecs-ami-deploy:terminate-hooks, \
ecs-ami-deploy:shared-templates, \
ecs-ami-deploy:canary, ecs-ami-deploy:bake-seconds, ecs-ami-deploy:alarm-names, ecs-ami-deploy:alarm-timeout-seconds, \
ecs-ami-deploy:drain-concurrency, ecs-ami-deploy:stable-seconds, ecs-ami-deploy:ready-timeout-seconds, \
ecs-ami-deploy:drain-timeout-seconds, ecs-ami-deploy:on-drain-timeout, ecs-ami-deploy:standalone-tasks, \
ecs-ami-deploy:keep-launch-specs, ecs-ami-deploy:exclude`,
      ]);
    },
  );

  test.each(Object.keys(EVERYTHING))('may set %s by the rules of its variable', (setting) => {
    const variable = setting.toUpperCase().replaceAll('-', '_');
    const [fault] = parseOverrides({ [tag(setting)]: '::,' }, stack).faults;
    expect(() => parseSettings({ CLUSTERS: 'web', [variable]: '::,' })).toThrow(
      expect.objectContaining({ faults: expect.arrayContaining([fault?.replace(tag(setting), variable)]) }),
    );
  });

  test('tell every fault at once and then set nothing', () => {
    const given = {
      [tag('max-surge')]: 'all',
      [tag('drift')]: 'age',
      [tag('standby')]: 'replace',
      [tag('max-sruge')]: '1',
      [EXCLUDE_TAG]: 'yes',
    };
    expect(parseOverrides(given, stack)).toEqual({
      settings: {},
      excluded: false,
      faults: [
        expect.stringMatching(/^ecs-ami-deploy:max-sruge is no setting of a group; there are /),
        'ecs-ami-deploy:max-surge was "all"; it may be a number of instances or a percentage from 0% to 100%',
        'ecs-ami-deploy:drift names age, which needs ecs-ami-deploy:max-instance-age-days',
        'ecs-ami-deploy:exclude was "yes"; it may be true or false',
      ],
    });
  });

  test('may not name alarms by their ARNs', () => {
    const given = { [tag('alarm-names')]: 'late, arn:aws:cloudwatch:eu-west-1:123456789012:alarm:api' };
    expect(parseOverrides(given, stack).faults).toEqual([
      expect.stringMatching(/ it may be the names, not the ARNs, of CloudWatch alarms, separated by commas$/),
    ]);
  });

  test('exclude the group whatever else is wrong with them', () => {
    const { excluded, faults } = parseOverrides({ [tag('drift')]: '?', [EXCLUDE_TAG]: ' TRUE ' }, stack);
    expect({ excluded, faults: faults.length }).toEqual({ excluded: true, faults: 1 });
  });

  test('that are empty count as not given, but for the one that excludes', () => {
    expect(parseOverrides({ [tag('drift')]: ' ' }, stack)).toMatchObject({ settings: {}, faults: [] });
    expect(parseOverrides({ [EXCLUDE_TAG]: '' }, stack).faults).toEqual([
      'ecs-ami-deploy:exclude was ""; it may be true or false',
    ]);
  });

  test.each([
    [
      "an image of the stack's owner",
      { image: 'name:mine-*' },
      { image: { kind: 'name', pattern: 'mine-*' } },
    ],
    ["the stack's image of another owner", { 'image-owner': 'amazon' }, { imageOwner: 'amazon' }],
  ])('may name %s', (_, given: Record<string, string>, expected) => {
    const byName = parseSettings({ CLUSTERS: 'web', IMAGE: 'name:ours', IMAGE_OWNER: 'self' });
    expect(parseOverrides(tags(given), byName).settings).toEqual(expected);
  });

  test('may take away a name, and leave everything else', () => {
    const byName = parseSettings({ CLUSTERS: 'web', IMAGE: 'name:ours' });
    expect(parseOverrides({ [tag('image')]: 'auto' }, byName).settings).toEqual({ image: { kind: 'auto' } });
    expect(parseOverrides({ [tag('standby')]: 'skip' }, byName).settings).toEqual({ standby: 'skip' });
  });

  describe('and drift by age', () => {
    const byAge = parseSettings({ CLUSTERS: 'web', DRIFT: 'age', MAX_INSTANCE_AGE_DAYS: '30' });

    test("may go with the stack's age, or its word for it", () => {
      expect(parseOverrides({ [tag('drift')]: 'image,age' }, byAge).faults).toEqual([]);
      expect(parseOverrides({ [tag('max-instance-age-days')]: '7' }, byAge).settings).toEqual({
        maxInstanceAgeDays: 7,
      });
    });

    test("may do without, whatever the stack's age", () => {
      expect(parseOverrides({ [tag('drift')]: 'image' }, byAge)).toMatchObject({
        settings: { drift: ['image'] },
        faults: [],
      });
    });

    test('may not set an age of no effect', () => {
      const given = { [tag('max-instance-age-days')]: '7' };
      const fault =
        'ecs-ami-deploy:max-instance-age-days was "7"; it has no effect unless ecs-ami-deploy:drift names age';
      expect(parseOverrides(given, stack).faults).toEqual([fault]);
      expect(parseOverrides({ ...given, [tag('drift')]: 'image' }, byAge).faults).toEqual([fault]);
    });
  });
});

describe('an instance', () => {
  test.each(['true', ' True '])('is left alone by the tag "%s"', (value) => {
    expect(isExcluded({ [EXCLUDE_TAG]: value })).toBe(true);
  });

  test.each(['false', '', 'yes', '1', undefined])('is not by "%s"', (value) => {
    expect(isExcluded(value === undefined ? {} : { [EXCLUDE_TAG]: value })).toBe(false);
  });
});
