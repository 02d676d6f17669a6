import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { keysOf, ROLLOUT_TABLE } from '../../lambda/settings/table.ts';
import { EVERY_SETTING, EVERY_VARIABLE } from '../settings/every-setting.ts';
import { CODE, HOME, quickApp, refused, variablesIn } from './deployment.ts';

type Context = Readonly<Record<string, unknown>>;

function stack(context: Context): Template {
  return Template.fromStack(
    new EcsAmiDeployStack(quickApp(context), 'EcsAmiDeploy', { ...HOME, code: CODE }),
  );
}

function faults(context: Context): readonly string[] {
  return refused(() => stack(context));
}

test('the stack outputs the name of the function to invoke', () => {
  stack({ clusters: ['web'] }).hasOutput('FunctionName', {
    Value: { Ref: Match.stringLikeRegexp('Function') },
  });
});

describe('the context', () => {
  test('may come from cdk.json', () => {
    const template = stack({
      clusters: ['web', 'jobs'],
      schedule: 'cron(0 3 * * ? *)',
      image: 'ssm:/images/ecs',
      maxSurge: 2,
      pollSeconds: 0.5,
      topicArns: ['arn:aws:sns:eu-west-1:111122223333:images'],
      reserveConcurrency: false,
      rolloutAlarmAfterHours: 2,
      alarmTopicArn: 'arn:aws:sns:eu-west-1:111122223333:on-call',
      logRetentionDays: 30,
      logRemovalPolicy: 'destroy',
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      ReservedConcurrentExecutions: Match.absent(),
      Environment: {
        Variables: { CLUSTERS: 'web,jobs', IMAGE: 'ssm:/images/ecs', MAX_SURGE: '2', POLL_SECONDS: '0.5' },
      },
    });
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'cron(0 3 * * ? *)' });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Threshold: 7200,
      AlarmActions: ['arn:aws:sns:eu-west-1:111122223333:on-call'],
    });
    template.hasResource('AWS::Logs::LogGroup', {
      Properties: { RetentionInDays: 30 },
      DeletionPolicy: 'Delete',
    });
    template.resourceCountIs('AWS::SNS::Subscription', 1);
  });

  test('may be text from the command line', () => {
    stack({
      clusters: 'web, jobs',
      drainConcurrency: '2',
      reserveConcurrency: 'false',
      logRetentionDays: '7',
    }).hasResourceProperties('AWS::Lambda::Function', {
      ReservedConcurrentExecutions: Match.absent(),
      Environment: { Variables: { CLUSTERS: 'web,jobs', DRAIN_CONCURRENCY: '2' } },
    });
  });

  test.each([111122223333, '111122223333'])(
    'may have the account %j for the owner of images',
    (imageOwner) => {
      expect(variablesIn(stack({ clusters: 'web', imageOwner }))).toMatchObject({
        IMAGE_OWNER: '111122223333',
      });
    },
  );

  test('may have numbers for accounts in a list of owners', () => {
    const tagImageOwners = ['self', 111122223333];
    expect(variablesIn(stack({ clusters: 'web', tagImageOwners }))).toMatchObject({
      TAG_IMAGE_OWNERS: 'self,111122223333',
    });
  });

  const IN_FILE = {
    text: String,
    number: Number,
    boolean: (text: string) => text === 'true',
    list: (text: string) => text.split(','),
  };

  test.each([
    ['what cdk.json holds', ({ kind, text }) => IN_FILE[kind](text)],
    ['text', ({ text }) => text.replaceAll(',', ', ')],
  ] satisfies [string, (each: (typeof EVERY_SETTING)[number]) => unknown][])(
    'has every setting, as %s',
    (_, given) => {
      const context = Object.fromEntries(EVERY_SETTING.map((each) => [each.setting, given(each)]));
      expect(variablesIn(stack(context))).toMatchObject(EVERY_VARIABLE);
    },
  );

  test.each([{}, { clusters: [] }, { clusters: '' }])(
    'without a cluster says how to set it: %j',
    (context) => {
      expect(() => stack(context)).toThrow(/clusters is missing; .*\n.*cdk\.json.*-c clusters=web,jobs/);
    },
  );

  test('is refused with every fault at once: the key, its value and what it may be', () => {
    expect(
      faults({
        clusters: ['web', 'no cluster'],
        schedule: 'every day',
        standby: 'wait',
        canary: 'one',
        alarmNames: 5,
        pollSeconds: 1000,
        topicArns: ['images'],
        reserveConcurrency: 'yes',
        logRetentionDays: 8,
        rolloutAlarmAfterHours: 0,
        maxsurge: '50%',
      }),
    ).toEqual([
      "maxsurge isn't a setting; did you mean maxSurge?",
      'canary was "one"; it may be a whole number from 0 to 1000',
      'alarmNames was 5; it may be the names, not the ARNs, of CloudWatch alarms, in a list or separated by commas',
      'topicArns was ["images"]; it may be the ARNs of SNS topics, in a list or separated by commas',
      'reserveConcurrency was "yes"; it may be true or false',
      'rolloutAlarmAfterHours was 0; it may be a number of hours from 0.25 to 8760',
      expect.stringMatching(
        /^logRetentionDays was 8; it may be a number of days that CloudWatch Logs knows: 1, 3, /,
      ),
      expect.stringMatching(/^clusters was "web,no cluster"; it may be .* in a list or separated by commas/),
      expect.stringMatching(/^pollSeconds was "1000"; it may be /),
      'standby was "wait"; it may be skip or replace',
      expect.stringMatching(/^schedule was "every day"; it may be rate\(.*\) or cron\(.*\), such as cron\(/),
    ]);
  });

  const inList = 'in a list or separated by commas';
  const hours = 'a number of hours from 0.25 to 8760';
  const days = 'a number of days from 1 to 365';
  const topic = 'the ARN of an SNS topic of the same Region';

  test.each<[key: string, was: unknown, may: string]>([
    ['canary', '-1', 'a whole number from 0 to 1000'],
    ['bakeSeconds', '1e9', 'a number of seconds from 0 to 86400, such as 10 or 1.5'],
    ['minImageAgeDays', '-1', 'a number of days from 0 to 365, such as 10 or 1.5'],
    ['drift', 'cpu', `one or more of image, launch-spec, age, ${inList}`],
    ['maxSurge', true, 'a number of instances or a percentage from 0% to 100%'],
    ['instanceRoleArns', ['instances'], `ARNs of IAM roles, ${inList}`],
    ['autoScalingGroupNames', ['web*'], `names of Auto Scaling groups, ${inList}`],
    ['launchTemplateIds', ['web'], `ids of launch templates, ${inList}`],
    ...[0, 366].map((was): [string, unknown, string] => ['heldBackDays', was, days]),
    ...[0.0001, '0.2', 8761, '1e3', -1].map((was): [string, unknown, string] => [
      'rolloutAlarmAfterHours',
      was,
      hours,
    ]),
    ...['on-call', 'arn:foo', 'arn:aws:sqs:eu-west-1:111122223333:on-call', 'arn:aws:sns:eu-west-1:1:x'].map(
      (was): [string, unknown, string] => ['alarmTopicArn', was, topic],
    ),
  ])('says what %s may be, which was %j', (key, was, may) => {
    expect(faults({ clusters: ['web'], [key]: was })).toEqual([
      `${key} was ${JSON.stringify(was)}; it may be ${may}`,
    ]);
  });

  test.each(keysOf(ROLLOUT_TABLE))('says about %s what the function says about its variable', (key) => {
    const { variable } = ROLLOUT_TABLE[key];
    const [fault = ''] = faults({ clusters: ['web'], [key]: {} });
    expect(fault).toMatch(new RegExp(`^${key} was {}; it may be `));
    const told = fault.replace(`${key} was {}`, `${variable} was "::,"`).replace('in a list or ', '');
    expect(() => parseSettings({ CLUSTERS: 'web', [variable]: '::,' })).toThrow(
      expect.objectContaining({ faults: expect.arrayContaining([told]) }),
    );
  });

  test.each(['arn:aws:cloudwatch:eu-west-1:111122223333:alarm:api', ['late', 'arn:aws:cloudwatch:x']])(
    'may not name alarms by their ARNs: %j',
    (alarmNames) => {
      expect(faults({ clusters: ['web'], alarmNames })).toEqual([
        `alarmNames was "${alarmNames}"; it may be the names, not the ARNs, of CloudWatch alarms, in a list or separated by commas`,
      ]);
    },
  );

  test.each(['TRUE', 'True', ' true', true])(
    'may have %j for true, as the environment and the tags',
    (raiseMaxSize) => {
      expect(variablesIn(stack({ clusters: 'web', raiseMaxSize }))).toMatchObject({ RAISE_MAX_SIZE: 'true' });
    },
  );

  test('says how tags write a setting', () => {
    expect(faults({ clusters: 'web', tagSettings: 'maxSurge,drift' })).toEqual([
      expect.stringMatching(/^tagSettings was "maxSurge,drift"; it may be one or more of .*max-surge/),
      'tagSettings contains "maxSurge"; did you mean max-surge?',
    ]);
  });

  test.each(['', ',', []])('may not narrow the role by nothing: %j', (none) => {
    expect(
      faults({
        clusters: 'web',
        groups: 'a',
        autoScalingGroupNames: none,
        instanceRoleArns: none,
        launchTemplateIds: none,
      }),
    ).toEqual([
      'autoScalingGroupNames was []; it may be one or more Auto Scaling groups, or left out to allow all',
      'instanceRoleArns was []; it may be one or more IAM roles, or left out to allow all',
      'launchTemplateIds was []; it may be one or more launch templates, or left out to allow all',
    ]);
  });

  test("reports a setting's fault even if it mentions a malformed key", () => {
    expect(faults({ clusters: 'web', image: {}, tagImages: 'newest', drift: 'image-2' })).toEqual([
      expect.stringMatching(/^image was {}; /),
      expect.stringMatching(/^drift was "image-2"; it may be one or more of image, /),
      expect.stringMatching(/^tagImages was "newest"; /),
    ]);
  });

  test('reports a malformed key once', () => {
    expect(faults({ clusters: 5 })).toEqual([expect.stringMatching(/^clusters was 5; it may be the names/)]);
  });

  test.each([
    [{ drift: 'age,cpu', maxInstanceAgeDays: 30 }, /^drift was "age,cpu"; it may be one or more of image, /],
    [
      { drift: 'age', maxInstanceAgeDays: 'old' },
      /^maxInstanceAgeDays was "old"; it may be a number of days from 1 to 3650, such as 10 or 1.5$/,
    ],
    [{ clusters: 5, groups: 'jobs:blue' }, /^clusters was 5; /],
  ])('reports nothing that only looks wrong because a key is malformed: %j', (context, fault) => {
    expect(faults({ clusters: ['web'], ...context })).toEqual([expect.stringMatching(fault)]);
  });

  test('names groups with their clusters, and refuses those that the role may not change by the name of the key', () => {
    const groups = ['web:blue', 'jobs:green'];
    expect(variablesIn(stack({ clusters: 'web,jobs', groups }))).toMatchObject({
      GROUPS: 'web:blue,jobs:green',
    });
    expect(faults({ clusters: 'web,jobs', groups, autoScalingGroupNames: 'blue' })).toEqual([
      `groups contains "green", which autoScalingGroupNames doesn't: the role may not change it`,
    ]);
  });

  test.each(['auto', 2, '2'])('may have %j instances drain at once', (drainConcurrency) => {
    expect(variablesIn(stack({ clusters: 'web', drainConcurrency }))).toMatchObject({
      DRAIN_CONCURRENCY: String(drainConcurrency),
    });
  });

  test('refuses an alarm topic in another Region, by the name of the key', () => {
    const alarmTopicArn = 'arn:aws:sns:us-east-1:111122223333:on-call';
    expect(faults({ clusters: ['web'], alarmTopicArn })).toEqual([
      `alarmTopicArn was "${alarmTopicArn}"; it may be a topic in eu-west-1: an alarm can only notify its own Region`,
    ]);
  });

  test.each([
    ['alarm-topic-arn', 'alarmTopicArn'],
    ['max-surge', 'maxSurge'],
    ['MAX_SURGE', 'maxSurge'],
    ['cluster', 'clusters'],
    ['clsuters', 'clusters'],
    ['bake', 'bakeSeconds'],
    ['rolloutAlarmAfter', 'rolloutAlarmAfterHours'],
    ['ecs-ami-deploy:drain-timeout-seconds', 'drainTimeoutSeconds'],
    ['EcsAmiDeploy.canary', 'canary'],
  ])('suggests the nearest key for the unknown %s', (key, meant) => {
    expect(faults({ clusters: ['web'], [key]: '1' })).toEqual([
      `${key} isn't a setting; did you mean ${meant}?`,
    ]);
  });

  test.each(['colour', 'ecs-ami-deploy:colour'])(
    'reports the unknown key %s, which is close to none',
    (key) => {
      expect(faults({ clusters: ['web'], [key]: 'red' })).toEqual([
        `${key} isn't a setting; docs/settings.md lists them all`,
      ]);
    },
  );

  test("leaves the CDK's own keys alone", () => {
    const own = {
      '@aws-cdk/core:x': true,
      'aws:cdk:y': 1,
      'availability-zones:account=1': [],
      'acknowledged-issue-numbers': [1],
      'ami:image': 'ami-1',
    };
    expect(faults({ clusters: ['web'], ...own })).toEqual([]);
  });
});
