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
        maxSurge: '0%',
        drainConcurrency: 'two',
        pollSeconds: 1000,
        topicArns: ['images'],
        reserveConcurrency: 'yes',
        logRetentionDays: 8,
        rolloutAlarmAfterHours: 0,
        maxsurge: '50%',
      }),
    ).toEqual([
      expect.stringMatching(/^maxsurge is no setting; there are clusters, image, /),
      'drainConcurrency was "two"; it may be a number of instances',
      'schedule was "every day"; it may be rate(<number> minutes|hours|days) or cron(<six fields>), such as rate(1 day)',
      'reserveConcurrency was "yes"; it may be true or false',
      'rolloutAlarmAfterHours was 0; it may be a number of hours above 0',
      expect.stringMatching(
        /^logRetentionDays was 8; it may be a number of days that CloudWatch Logs knows: 1, 3, /,
      ),
      expect.stringMatching(/^clusters was "web,no cluster"; it may be /),
      expect.stringMatching(/^image was "newest"; it may be /),
      expect.stringMatching(/^maxSurge was "0%"; it may be /),
      expect.stringMatching(/^pollSeconds was "1000"; it may be /),
      expect.stringMatching(/^topicArns contains "images"; each may be /),
    ]);
  });

  test('tells a malformed key once', () => {
    expect(faults({ clusters: 5 })).toEqual([expect.stringMatching(/^clusters was 5; it may be the names/)]);
  });

  test("leaves the CDK's own keys alone", () => {
    const own = { '@aws-cdk/core:x': true, 'aws:cdk:y': 1, 'availability-zones:account=1': [] };
    expect(faults({ clusters: ['web'], ...own })).toEqual([]);
  });
});
