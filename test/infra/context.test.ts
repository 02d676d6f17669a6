import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { DeploymentError } from '../../infra/faults.ts';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { CODE, HOME, quickApp } from './deployment.ts';

type Context = Readonly<Record<string, unknown>>;

function stack(context: Context): Template {
  return Template.fromStack(
    new EcsAmiDeployStack(quickApp(context), 'EcsAmiDeploy', { ...HOME, code: CODE }),
  );
}

function faults(context: Context): readonly string[] {
  try {
    stack(context);
  } catch (error) {
    if (error instanceof DeploymentError) return error.faults;
    throw error;
  }
  return [];
}

test('the stack tells the name to invoke the function by', () => {
  stack({ clusters: ['web'] }).hasOutput('FunctionName', {
    Value: { Ref: Match.stringLikeRegexp('Function') },
  });
});

describe('the context', () => {
  test('may be what cdk.json holds', () => {
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

  test('may be text, as it comes from the command line', () => {
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

  const rollout = {
    CLUSTERS: 'web',
    GROUPS: 'blue,at night',
    GROUP_CONCURRENCY: '2',
    MIN_IMAGE_AGE_DAYS: '1.5',
    DRIFT: 'launch-spec,age',
    MAX_INSTANCE_AGE_DAYS: '30',
    MAX_SURGE: '0',
    RAISE_MAX_SIZE: 'true',
    STANDBY: 'replace',
    SHARED_TEMPLATES: 'update',
  };

  test.each([
    [
      'what cdk.json holds',
      {
        groups: ['blue', 'at night'],
        groupConcurrency: 2,
        minImageAgeDays: 1.5,
        drift: ['launch-spec', 'age'],
        maxInstanceAgeDays: 30,
        maxSurge: 0,
        raiseMaxSize: true,
      },
    ],
    [
      'text',
      {
        groups: 'blue, at night',
        groupConcurrency: '2',
        minImageAgeDays: '1.5',
        drift: 'launch-spec, age',
        maxInstanceAgeDays: '30',
        maxSurge: '0',
        raiseMaxSize: 'true',
      },
    ],
  ])('sets how groups are rolled, as %s', (_, context) => {
    stack({
      clusters: ['web'],
      standby: 'replace',
      sharedTemplates: 'update',
      ...context,
    }).hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: rollout } });
  });

  test.each([{}, { clusters: [] }, { clusters: '' }])(
    'without a cluster says how to set it: %j',
    (context) => {
      expect(() => stack(context)).toThrow(/clusters is missing; .*\n.*cdk\.json.*-c clusters=web,jobs/);
    },
  );

  test('is refused with every fault at once: the key, what it was, what it may be', () => {
    expect(
      faults({
        clusters: ['web', 'no cluster'],
        schedule: 'every day',
        image: 'newest',
        maxSurge: '101%',
        standby: 'wait',
        sharedTemplates: 'copy',
        groupConcurrency: 11,
        minImageAgeDays: 'a week',
        drainConcurrency: 'two',
        pollSeconds: 1000,
        topicArns: ['images'],
        reserveConcurrency: 'yes',
        logRetentionDays: 8,
        rolloutAlarmAfterHours: 0,
        maxsurge: '50%',
      }),
    ).toEqual([
      expect.stringMatching(/^maxsurge is no setting; there are clusters, groups, groupConcurrency, image, /),
      'minImageAgeDays was "a week"; it may be a number of days',
      'standby was "wait"; it may be skip or replace',
      'sharedTemplates was "copy"; it may be block or update',
      'drainConcurrency was "two"; it may be a number of instances',
      'schedule was "every day"; it may be rate(<number> minutes|hours|days) or cron(<six fields>), such as rate(1 day)',
      'reserveConcurrency was "yes"; it may be true or false',
      'rolloutAlarmAfterHours was 0; it may be a number of hours above 0',
      expect.stringMatching(
        /^logRetentionDays was 8; it may be a number of days that CloudWatch Logs knows: 1, 3, /,
      ),
      expect.stringMatching(/^clusters was "web,no cluster"; it may be /),
      'groupConcurrency was "11"; it may be a whole number from 1 to 10',
      expect.stringMatching(/^pollSeconds was "1000"; it may be /),
      expect.stringMatching(/^image was "newest"; it may be /),
      expect.stringMatching(/^maxSurge was "101%"; it may be /),
      expect.stringMatching(/^topicArns contains "images"; each may be /),
    ]);
  });

  test('tells a malformed key once', () => {
    expect(faults({ clusters: 5 })).toEqual([expect.stringMatching(/^clusters was 5; it may be the names/)]);
  });

  test.each([
    [{ drift: 'age,cpu', maxInstanceAgeDays: 30 }, /^drift was "age,cpu"; it may be one or more of image, /],
    [
      { drift: 'age', maxInstanceAgeDays: 'old' },
      /^maxInstanceAgeDays was "old"; it may be a number of days$/,
    ],
    [{ clusters: 5, groups: 'jobs:blue' }, /^clusters was 5; /],
  ])('tells nothing of what only looks wrong without a malformed key: %j', (context, fault) => {
    expect(faults({ clusters: ['web'], ...context })).toEqual([expect.stringMatching(fault)]);
  });

  test("leaves the CDK's own keys alone", () => {
    const own = { '@aws-cdk/core:x': true, 'aws:cdk:y': 1, 'availability-zones:account=1': [] };
    expect(faults({ clusters: ['web'], ...own })).toEqual([]);
  });
});
