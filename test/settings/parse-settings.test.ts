import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseSettings } from '../../lambda/settings/parse-settings.ts';
import { EVERY_SETTING, EVERY_VARIABLE } from './every-setting.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

const PARAMETER_ARN = 'arn:aws:ssm:eu-central-1:123456789012:parameter/images/ecs';
const CLUSTER_ARN = 'arn:aws:ecs:eu-west-1:123456789012:cluster/web';
const ALARM_ARN = 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:api';
const HOOK_ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:ask-first';
const PUBLIC_ARN = 'arn:aws-us-gov:ssm:us-gov-west-1::parameter/aws/service/bottlerocket/aws-ecs-2/image_id';

describe('settings', () => {
  test('CLUSTERS alone is enough', () => {
    expect(parseSettings({ CLUSTERS: 'web' })).toEqual({
      clusters: ['web'],
      groups: [],
      groupConcurrency: 1,
      changeCalendars: [],
      hookTimeoutMinutes: 60,
      mode: 'roll',
      announceMinutes: 0,
      metrics: 'none',
      image: { kind: 'auto' },
      imageOwner: 'amazon',
      minImageAgeDays: 0,
      drift: ['image'],
      maxSurge: { kind: 'percent', percent: 100 },
      raiseMaxSize: false,
      standby: 'skip',
      stateKey: 'alias/ecs-ami-deploy',
      stateKeyGeneration: 1,
      terminateHooks: 'skip',
      sharedTemplates: 'block',
      canary: 1,
      bakeSeconds: 120,
      alarmTimeoutSeconds: 300,
      drainConcurrency: 1,
      pollSeconds: 10,
      stableSeconds: 30,
      readyTimeoutSeconds: 900,
      drainTimeoutSeconds: 1800,
      onDrainTimeout: 'hold',
      standaloneTasks: 'wait',
      keepLaunchSpecs: 5,
      tagSettings: [],
      tagImages: [],
      tagImageOwners: [],
    });
  });

  test('each has the value that its text says', () => {
    const every = Object.fromEntries(EVERY_SETTING.map(({ setting, value }) => [setting, value]));
    expect(parseSettings(EVERY_VARIABLE)).toMatchObject(every);
  });

  test('clusters come by name or ARN, each once', () => {
    const CLUSTERS = 'web, arn:aws:ecs:eu-west-1:123456789012:cluster/jobs ,web';
    expect(parseSettings({ CLUSTERS, AWS_REGION: 'eu-west-1' }).clusters).toEqual(['web', 'jobs']);
  });

  test.each<[variable: string, text: string, expected: object]>([
    ['IMAGE', 'auto', { image: { kind: 'auto' } }],
    ['IMAGE', 'ami-0123456789abcdef0', { image: { kind: 'id', imageId: 'ami-0123456789abcdef0' } }],
    ...['/my/image', '/my/image:3', 'image:tested', PARAMETER_ARN, `${PARAMETER_ARN}:3`, PUBLIC_ARN].map(
      (parameter): [string, string, object] => [
        'IMAGE',
        `ssm:${parameter}`,
        { image: { kind: 'parameter', parameter } },
      ],
    ),
    ['IMAGE', 'name:my-image-*', { image: { kind: 'name', pattern: 'my-image-*' } }],
    ['MAX_SURGE', '3', { maxSurge: { kind: 'count', count: 3 } }],
    ['MAX_SURGE', '25%', { maxSurge: { kind: 'percent', percent: 25 } }],
    ['MAX_SURGE', '0', { maxSurge: { kind: 'count', count: 0 } }],
    ['POLL_SECONDS', '0.25', { pollSeconds: 0.25 }],
    ['GROUP_CONCURRENCY', '10', { groupConcurrency: 10 }],
    ['RAISE_MAX_SIZE', 'False', { raiseMaxSize: false }],
    ['BEFORE_BATCH', `${HOOK_ARN}:live`, { beforeBatch: `${HOOK_ARN}:live` }],
    ['HOOK_TIMEOUT_MINUTES', '1', { hookTimeoutMinutes: 1 }],
    ['ANNOUNCE_MINUTES', '10080', { announceMinutes: 10_080 }],
    [
      'CHANGE_CALENDARS',
      'arn:aws:ssm:eu-west-1:111122223333:document/freeze, arn:aws:ssm:eu-west-1:111122223333:document/b.c-d',
      {
        changeCalendars: [
          'arn:aws:ssm:eu-west-1:111122223333:document/freeze',
          'arn:aws:ssm:eu-west-1:111122223333:document/b.c-d',
        ],
      },
    ],
    [
      'WINDOWS',
      '0 2 * * MON-FRI 4h Europe/Berlin,30 22 1,15 */2 6,7 1h30m , 0 0 1 jan * 168h',
      {
        windows: [
          [
            { cron: '0 2 * * MON-FRI', minutes: 240, timeZone: 'Europe/Berlin' },
            { cron: '30 22 1,15 */2 6,7', minutes: 90, timeZone: 'UTC' },
            { cron: '0 0 1 jan *', minutes: 10_080, timeZone: 'UTC' },
          ],
        ],
      },
    ],
    ['CANARY', '0', { canary: 0 }],
    ['ALARM_NAMES', 'api errors, jobs/late:5xx ,api errors', { alarmNames: ['api errors', 'jobs/late:5xx'] }],
    ['ALARM_TIMEOUT_SECONDS', '0.5', { alarmTimeoutSeconds: 0.5 }],
    ['DRAIN_CONCURRENCY', '10', { drainConcurrency: 10 }],
    ['DRAIN_CONCURRENCY', 'auto', { drainConcurrency: 'auto' }],
    ['MIN_IMAGE_AGE_DAYS', '1.5', { minImageAgeDays: 1.5 }],
    ['DRIFT', 'launch-spec, image ,launch-spec', { drift: ['launch-spec', 'image'] }],
  ])('%s may be %s', (variable, text, expected) => {
    expect(parseSettings({ CLUSTERS: 'web', [variable]: text })).toMatchObject(expected);
  });

  test('what is empty counts as not given', () => {
    expect(parseSettings({ CLUSTERS: 'web', IMAGE: ' ' }).image).toEqual({ kind: 'auto' });
  });

  test('every fault is reported at once, with its value and what is allowed', () => {
    expect(
      faultsOf({
        IMAGE: 'latest',
        IMAGE_OWNER: 'me',
        MAX_SURGE: 'all',
        DRAIN_CONCURRENCY: '1.5',
        POLL_SECONDS: 'fast',
        STABLE_SECONDS: '900',
        KEEP_LAUNCH_SPECS: '-1',
        GROUPS: 'a:b:c',
        GROUP_CONCURRENCY: '0',
        MIN_IMAGE_AGE_DAYS: '366',
        DRIFT: 'cpu',
        MAX_INSTANCE_AGE_DAYS: '0.5',
        RAISE_MAX_SIZE: 'yes',
        STANDBY: 'wait',
        SHARED_TEMPLATES: 'copy',
        CANARY: '0.5',
        BAKE_SECONDS: '86401',
        ALARM_NAMES: 'api,,late',
        ALARM_TIMEOUT_SECONDS: '-1',
        ON_DRAIN_TIMEOUT: 'skip',
        STANDALONE_TASKS: 'kill',
      }),
    ).toEqual([
      'CLUSTERS is missing; it is the names or ARNs of the ECS clusters to roll',
      'GROUPS was "a:b:c"; it may be the names of Auto Scaling groups, separated by commas, each <group> or <cluster>:<group>',
      'GROUP_CONCURRENCY was "0"; it may be a whole number from 1 to 10',
      'POLL_SECONDS was "fast"; it may be a number of seconds from 0.01 to 60, such as 10 or 1.5',
      'IMAGE was "latest"; it may be auto, ssm:<parameter>, name:<pattern> or ami-<id>',
      'IMAGE_OWNER was "me"; it may be amazon, self, aws-marketplace or an account id of 12 digits',
      'MIN_IMAGE_AGE_DAYS was "366"; it may be a number of days from 0 to 365, such as 10 or 1.5',
      'DRIFT was "cpu"; it may be one or more of image, launch-spec, age, separated by commas',
      'MAX_INSTANCE_AGE_DAYS was "0.5"; it may be a number of days from 1 to 3650, such as 10 or 1.5',
      'MAX_SURGE was "all"; it may be a number of instances or a percentage from 0% to 100%',
      'RAISE_MAX_SIZE was "yes"; it may be true or false',
      'STANDBY was "wait"; it may be skip or replace',
      'SHARED_TEMPLATES was "copy"; it may be block or update',
      'CANARY was "0.5"; it may be a whole number from 0 to 1000',
      'BAKE_SECONDS was "86401"; it may be a number of seconds from 0 to 86400, such as 10 or 1.5',
      'ALARM_NAMES was "api,,late"; it may be the names, not the ARNs, of CloudWatch alarms, separated by commas',
      'ALARM_TIMEOUT_SECONDS was "-1"; it may be a number of seconds from 0 to 86400, such as 10 or 1.5',
      'DRAIN_CONCURRENCY was "1.5"; it may be auto or a whole number from 1 to 10',
      'STABLE_SECONDS was "900"; it may be a number of seconds from 0 to 300, such as 10 or 1.5',
      'ON_DRAIN_TIMEOUT was "skip"; it may be hold or force',
      'STANDALONE_TASKS was "kill"; it may be wait or stop',
      'KEEP_LAUNCH_SPECS was "-1"; it may be a whole number from 0 to 100',
    ]);
  });

  test.each(
    Object.entries({
      CLUSTERS: ['web,', 'a/b', 'arn:aws:ecs:eu-west-1:1:cluster/web', ','],
      MAX_SURGE: ['101%', '-1', '0.5', '1e3', '5 %', ''.padEnd(6, '9')],
      IMAGE: ['ami-xyz', 'ssm:', 'ssm:/a b', 'ssm:arn:aws:s3:::a', `ssm:${PARAMETER_ARN}/`, 'name:', 'AUTO'],
      ALARM_NAMES: [',', 'api,', 'a\nb', ''.padEnd(256, 'a'), ALARM_ARN, `api,${ALARM_ARN}`],
      GROUPS: ['blue,', ',', 'web:', ':blue', 'web:a:b', `${CLUSTER_ARN}:blue`, ''.padEnd(256, 'a')],
    }).flatMap(([variable, texts]) => texts.map((text) => [variable, text] as const)),
  )('%s may not be %j', (variable, text) => {
    expect(faultsOf({ CLUSTERS: 'web', [variable]: text })).toEqual([
      expect.stringMatching(new RegExp(`^${variable} was `)),
    ]);
  });

  test('a cluster of another Region would never be found', () => {
    const CLUSTERS = 'arn:aws:ecs:us-east-1:123456789012:cluster/web';
    expect(faultsOf({ CLUSTERS, AWS_REGION: 'eu-west-1' })).toEqual([
      `CLUSTERS names ${CLUSTERS} of us-east-1; the function runs in eu-west-1 and reaches only that`,
    ]);
  });
});

describe('groups that are named', () => {
  test('are of the only cluster, with spaces and slashes in their names', () => {
    const settings = parseSettings({ CLUSTERS: 'web', GROUPS: ' at night , eu/blue,web:green,green' });
    expect(settings.groups).toEqual([
      { cluster: 'web', group: 'at night' },
      { cluster: 'web', group: 'eu/blue' },
      { cluster: 'web', group: 'green' },
    ]);
  });

  test('come with their cluster if there are several', () => {
    const CLUSTERS = 'web,arn:aws:ecs:eu-west-1:123456789012:cluster/jobs';
    expect(parseSettings({ CLUSTERS, GROUPS: 'jobs : blue, web:blue' }).groups).toEqual([
      { cluster: 'web', group: 'blue' },
      { cluster: 'jobs', group: 'blue' },
    ]);
  });

  test.each([
    ['blue', 'web,jobs', 'web:blue or jobs:blue'],
    ['dev:blue', 'web,jobs', 'web:blue or jobs:blue'],
    ['dev:blue', 'web', 'web:blue'],
  ])('must be placed: %s in %s', (GROUPS, CLUSTERS, may) => {
    expect(faultsOf({ CLUSTERS, GROUPS })).toEqual([
      `GROUPS names "${GROUPS}"; of the clusters in CLUSTERS it may be ${may}`,
    ]);
  });

  test('are not looked at while the clusters cannot be read', () => {
    expect(faultsOf({ CLUSTERS: 'a/b', GROUPS: 'dev:blue' })).toEqual([
      expect.stringMatching(/^CLUSTERS was /),
    ]);
  });
});

describe('drift by age', () => {
  test('comes with its age', () => {
    const environment = { CLUSTERS: 'web', DRIFT: 'image,age', MAX_INSTANCE_AGE_DAYS: '30.5' };
    expect(parseSettings(environment)).toMatchObject({ drift: ['image', 'age'], maxInstanceAgeDays: 30.5 });
  });

  test('needs one', () => {
    expect(faultsOf({ CLUSTERS: 'web', DRIFT: 'image,age' })).toEqual([
      'DRIFT names age, which needs MAX_INSTANCE_AGE_DAYS',
    ]);
  });

  test.each(['', 'image'])('may not be given an age unless it is named: "%s"', (DRIFT) => {
    expect(faultsOf({ CLUSTERS: 'web', DRIFT, MAX_INSTANCE_AGE_DAYS: '30' })).toEqual([
      'MAX_INSTANCE_AGE_DAYS was "30"; it has no effect unless DRIFT names age',
    ]);
  });

  test("reports one fault if either can't be parsed", () => {
    expect(faultsOf({ CLUSTERS: 'web', DRIFT: 'age', MAX_INSTANCE_AGE_DAYS: '0' })).toHaveLength(1);
    expect(faultsOf({ CLUSTERS: 'web', DRIFT: 'old', MAX_INSTANCE_AGE_DAYS: '30' })).toHaveLength(1);
  });
});
