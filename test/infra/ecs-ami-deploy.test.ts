import { inspect } from 'node:util';
import { Aws, CfnParameter, Duration, RemovalPolicy, Stack, TimeZone } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Alarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, test } from 'vitest';
import {
  DrainConcurrency,
  DriftCause,
  EcsAmiDeploy,
  ImageSource,
  MaintenanceWindow,
  Surge,
} from '../../infra/ecs-ami-deploy.ts';
import { SETTING_PROPS } from '../../infra/setting-props.ts';
import { EVERY_SETTING, EVERY_VARIABLE } from '../settings/every-setting.ts';
import {
  CODE,
  deployment,
  faultsOf,
  HOME,
  quickApp,
  template,
  templateFrom,
  variablesIn,
} from './deployment.ts';
import {
  alarms,
  autoScalingGroup,
  autoScalingGroups,
  cluster,
  clusters,
  launchTemplates,
  topics,
} from './imported.ts';
import { policiesIn } from './role-policies.ts';

const FUNCTION = 'AWS::Lambda::Function';
const RULE = 'AWS::Events::Rule';
const ALARM = 'AWS::CloudWatch::Alarm';
const THE_FUNCTION = { Ref: Match.stringLikeRegexp('RolloutFunction') };
const THE_QUEUE = { 'Fn::GetAtt': [Match.stringLikeRegexp('Failures'), 'QueueName'] };
/** Of whose metrics an alarm is. */
const OURS = { Namespace: 'ecs-ami-deploy', Dimensions: [{ Name: 'service', Value: THE_FUNCTION }] };
const OF_LAMBDA = { Namespace: 'AWS/Lambda', Dimensions: [{ Name: 'FunctionName', Value: THE_FUNCTION }] };
const OF_QUEUE = { Namespace: 'AWS/SQS', Dimensions: [{ Name: 'QueueName', Value: THE_QUEUE }] };

/** A cluster whose name only CloudFormation knows. */
function late(stack: Stack, parameter: string) {
  return CfnCluster.fromClusterName(stack, 'Late', new CfnParameter(stack, parameter).valueAsString);
}

const standard = template();
/** All its rules are schedules. */
const quiet = template({ events: false });
const OWN_KEY = { 'Fn::GetAtt': [expect.stringMatching('StateKey'), 'Arn'] };

describe('the function', () => {
  test('runs on Node 24, ARM, for as long as Lambda lets it', () => {
    standard.hasResourceProperties(FUNCTION, {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Timeout: 900,
      Handler: 'index.handler',
    });
  });

  test('is invoked once at a time', () => {
    standard.hasResourceProperties(FUNCTION, { ReservedConcurrentExecutions: 1 });
  });

  test('reserves nothing where the account does not allow it', () => {
    template({ reserveConcurrency: false }).hasResourceProperties(FUNCTION, {
      ReservedConcurrentExecutions: Match.absent(),
    });
  });

  test('gets events that waited out a whole invocation, none twice, and leaves failed ones in the queue', () => {
    standard.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumEventAgeInSeconds: 20 * 60,
      MaximumRetryAttempts: 0,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('Failures'), 'Arn'] } },
      },
    });
  });

  test('gets only settings that were set, so that its own defaults apply', () => {
    const { EVENT_BUS, HISTORY_LOG_GROUP, ORDERS_FUNCTION, ...others } = variablesIn(standard);
    expect(others).toEqual({ CLUSTERS: 'web', METRICS: 'function', STATE_KEY: OWN_KEY });
  });

  test('gets every setting', () => {
    const settings = Object.fromEntries(
      EVERY_SETTING.map(({ setting, prop }) => [SETTING_PROPS[setting].prop, prop]),
    );
    expect(variablesIn(template(settings))).toMatchObject({ STATE_KEY: OWN_KEY, ...EVERY_VARIABLE });
  });

  test('is told of no surge, and of what is not to be', () => {
    expect(variablesIn(template({ maxSurge: Surge.instances(0), raiseMaxSize: false }))).toMatchObject({
      CLUSTERS: 'web',
      MAX_SURGE: '0',
      RAISE_MAX_SIZE: 'false',
    });
  });

  test('gets alarms of the CDK by name', () => {
    const { stack } = deployment((stack) => {
      const metric = new Metric({ namespace: 'api', metricName: 'Errors' });
      const errors = new Alarm(stack, 'ApiErrors', { metric, threshold: 1, evaluationPeriods: 1 });
      return { alarms: [errors, Alarm.fromAlarmName(stack, 'Late', 'jobs-late')] };
    });
    expect(variablesIn(Template.fromStack(stack))).toMatchObject({
      ALARM_NAMES: { 'Fn::Join': ['', [{ Ref: expect.stringMatching('ApiErrors') }, ',jobs-late']] },
    });
  });

  test('logs JSON to a group that is kept for three months and outlives the stack, unless making it failed', () => {
    standard.hasResource('AWS::Logs::LogGroup', {
      Properties: { RetentionInDays: 90 },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    const groups = Object.values(
      templateFrom({ logRemovalPolicy: 'retain' }).findResources('AWS::Logs::LogGroup'),
    );
    expect(groups.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
      'RetainExceptOnCreate',
      'RetainExceptOnCreate',
    ]);
    standard.hasResourceProperties(FUNCTION, {
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('Log') } },
    });
  });

  test('keeps its log as long as configured', () => {
    const props = { logRetention: RetentionDays.ONE_YEAR, logRemovalPolicy: RemovalPolicy.DESTROY };
    template(props).hasResource('AWS::Logs::LogGroup', {
      Properties: { RetentionInDays: 365 },
      DeletionPolicy: 'Delete',
    });
  });
});

describe('the function for orders', () => {
  test('has no reserved concurrency and a short timeout', () => {
    standard.hasResourceProperties(FUNCTION, {
      Handler: 'index.orders',
      ReservedConcurrentExecutions: Match.absent(),
      Timeout: 120,
    });
  });

  test('runs the same code with a role of its own', () => {
    const [role, ordersRole] = ['index.handler', 'index.orders'].map((handler) => {
      const [found] = Object.values(standard.findResources(FUNCTION, { Properties: { Handler: handler } }));
      return found?.Properties;
    });
    expect(ordersRole.Code).toEqual(role.Code);
    expect(ordersRole.Role).not.toEqual(role.Role);
  });

  test('gets only the clusters, the groups and the key', () => {
    const groups = [{ autoScalingGroup: autoScalingGroup('blue') }];
    const variables = variablesIn(template({ groups, maxSurge: Surge.instances(1) }), 'index.orders');
    expect(variables).toEqual({ CLUSTERS: 'web', GROUPS: 'blue', STATE_KEY: OWN_KEY });
  });

  test('leaves orders it could not take within a minute in the failure queue, and takes none twice', () => {
    standard.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('OrdersFunction') },
      MaximumEventAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('Failures'), 'Arn'] } },
      },
    });
  });
});

describe('a recurring trigger', () => {
  test('is dropped when it fails, as nobody needs to look at it', () => {
    standard.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      // The name in the alias's ARN.
      Qualifier: { 'Fn::Select': [7, Match.anyValue()] },
      MaximumEventAgeInSeconds: 20 * 60,
      MaximumRetryAttempts: 0,
      DestinationConfig: Match.absent(),
    });
    const toAlias = { Ref: Match.stringLikeRegexp('Scheduled') };
    quiet.allResourcesProperties(RULE, { Targets: [Match.objectLike({ Arn: toAlias })] });
    template({ topics: topics('arn:aws:sns:eu-west-1:111122223333:images') }).hasResourceProperties(
      'AWS::SNS::Subscription',
      { Endpoint: toAlias },
    );
  });
});

describe('the schedule', () => {
  test('looks for an image once a day, at an hour: a rate would start when it is deployed', () => {
    standard.hasResourceProperties(RULE, {
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Targets: [Match.objectLike({ Input: Match.absent() })],
    });
  });

  test('looks often enough for windows, unless one is given', () => {
    const windows = [MaintenanceWindow.cron('0 2 * * *', { duration: Duration.minutes(30) })];
    const expects = (expression: string) => ({
      ScheduleExpression: expression,
      Targets: [Match.objectLike({ Input: Match.absent() })],
    });
    template({ windows }).hasResourceProperties(RULE, expects('cron(0/10 * * * ? *)'));
    const schedule = Schedule.rate(Duration.hours(1));
    template({ windows, schedule }).hasResourceProperties(RULE, expects('rate(1 hour)'));
  });

  test('that is a rate starts when it is deployed: synth warns of it, and of no other', () => {
    const warnings = (schedule?: Schedule) =>
      Annotations.fromStack(deployment(schedule && { schedule }).stack)
        .findWarning('*', Match.stringLikeRegexp('rateStarts'))
        .map(({ entry }) => entry.data);
    expect(warnings(Schedule.rate(Duration.hours(1)))).toEqual([
      expect.stringMatching(/^The schedule rate\(1 hour\) starts when EventBridge creates the rule/),
    ]);
    expect(warnings(Schedule.cron({ hour: '3', minute: '0' }))).toEqual([]);
    expect(warnings()).toEqual([]);
  });

  test('is as configured', () => {
    template({ schedule: Schedule.cron({ hour: '4', minute: '0' }) }).hasResourceProperties(RULE, {
      ScheduleExpression: 'cron(0 4 * * ? *)',
    });
  });

  test('continues a roll every five minutes', () => {
    standard.hasResourceProperties(RULE, {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ Input: '{"action":"continue"}' })],
    });
  });

  test('drops an event that cannot be delivered within a minute', () => {
    quiet.allResourcesProperties(RULE, {
      Targets: [Match.objectLike({ RetryPolicy: { MaximumEventAgeInSeconds: 60 } })],
    });
  });
});

describe('notifications', () => {
  const ownRegion = 'arn:aws:sns:eu-west-1:111122223333:image-pipeline';
  const otherRegion = 'arn:aws:sns:us-east-1:137112412989:amazon-linux-2023-ami-updates';

  test.each([ownRegion, otherRegion])('are subscribed in the Region of the topic %s', (topicArn) => {
    const notified = template({ topics: topics(topicArn) });
    notified.hasResourceProperties('AWS::SNS::Subscription', {
      TopicArn: topicArn,
      Protocol: 'lambda',
      Region: topicArn.split(':')[3],
    });
    notified.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'sns.amazonaws.com',
      SourceArn: topicArn,
    });
  });

  test('of a topic in the same stack are subscribed without a Region', () => {
    const notified = template((stack) => ({ topics: [new Topic(stack, 'Pipeline')] }));
    notified.hasResourceProperties('AWS::SNS::Subscription', {
      TopicArn: { Ref: Match.stringLikeRegexp('Pipeline') },
      Region: Match.absent(),
    });
  });

  test('are not subscribed by default', () => {
    standard.resourceCountIs('AWS::SNS::Subscription', 0);
  });
});

describe('the alarms', () => {
  test.each([
    ['an event is in the failure queue', OF_QUEUE, 'ApproximateNumberOfMessagesVisible', 'Maximum', 1, 60, 1],
    ['an invocation fails', OF_LAMBDA, 'Errors', 'Sum', 1, 300, 1],
    ['a roll has lasted six hours', OURS, 'RollAgeSeconds', 'Maximum', 6 * 3600, 1800, 1],
    ['a group is blocked or paused whose roll has not begun', OURS, 'BlockedGroups', 'Maximum', 1, 3600, 26],
    ['a tag of the function bears no seal of its', OURS, 'UntrustedTags', 'Maximum', 1, 3600, 26],
    ['a course came by a tag', OURS, 'RequestsByTag', 'Maximum', 1, 1800, 1],
    ['a newer image has been kept from a group for 30 days', OURS, 'HeldBackDays', 'Maximum', 30, 3600, 26],
    ['members run an image that is 90 days old', OURS, 'ImageAgeDays', 'Maximum', 90, 3600, 26],
  ] as const)(
    'go off when %s, those on groups until the next daily look',
    (_, watched, metric, statistic, threshold, period, periods) => {
      standard.hasResourceProperties(ALARM, {
        ...watched,
        MetricName: metric,
        Statistic: statistic,
        Threshold: threshold,
        Period: period,
        EvaluationPeriods: periods,
        ...(periods > 1 && { DatapointsToAlarm: 1 }),
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test.each([
    ['RollAgeSeconds', { rolloutAlarmAfter: Duration.minutes(90) }, 5400],
    ['RollAgeSeconds', { rolloutAlarmAfter: Duration.hours(1.0001) }, 3600.36],
    ['ImageAgeDays', { imageAgeAlarmAfter: Duration.days(45) }, 45],
    ['HeldBackDays', { heldBackAfter: Duration.days(7) }, 7],
  ])('go off when %s is what is configured: %j', (metric, props, threshold) => {
    template(props).hasResourceProperties(ALARM, { MetricName: metric, Threshold: threshold });
  });

  test.each([
    [
      { imageAgeAlarmAfter: Duration.days(0) },
      'imageAgeAlarmAfter was 0 days; it may be from 1 day to 3650 days',
    ],
    [{ heldBackAfter: Duration.hours(23) }, 'heldBackAfter was 23 hours; it may be from 1 day to 365 days'],
    [
      { rolloutAlarmAfter: Duration.hours(0) },
      'rolloutAlarmAfter was 0 hours; it may be from 15 minutes to 365 days',
    ],
  ])('may not go off after %j', (props, fault) => {
    expect(faultsOf(props)).toEqual([fault]);
  });

  test('notify the topic', () => {
    const notifying = template((stack) => ({ alarmTopic: new Topic(stack, 'OnCall') }));
    notifying.resourceCountIs(ALARM, 10);
    notifying.allResourcesProperties(ALARM, { AlarmActions: [{ Ref: Match.stringLikeRegexp('OnCall') }] });
  });

  test('notify nobody without a topic', () => {
    standard.allResourcesProperties(ALARM, { AlarmActions: Match.absent() });
  });
});

describe('the construct in another app', () => {
  test('can be used twice in a stack', () => {
    const stack = new Stack(quickApp(), 'Platform');
    new EcsAmiDeploy(stack, 'Web', { clusters: clusters('web'), code: CODE });
    new EcsAmiDeploy(stack, 'Jobs', { clusters: clusters('jobs'), code: CODE });
    Template.fromStack(stack).resourceCountIs(FUNCTION, 4);
  });

  test('takes values that only CloudFormation knows', () => {
    const synthesized = template((stack) => ({
      clusters: [late(stack, 'Cluster')],
      image: ImageSource.imageId(new CfnParameter(stack, 'Image').valueAsString),
      drainConcurrency: DrainConcurrency.instances(
        new CfnParameter(stack, 'Draining', { type: 'Number' }).valueAsNumber,
      ),
      bakeTime: Duration.seconds(new CfnParameter(stack, 'Baking', { type: 'Number' }).valueAsNumber),
      topics: [Topic.fromTopicArn(stack, 'T', `arn:${Aws.PARTITION}:sns:eu-west-1:111122223333:images`)],
    }));
    expect(variablesIn(synthesized)).toMatchObject({
      CLUSTERS: { Ref: 'Cluster' },
      IMAGE: { Ref: 'Image' },
      DRAIN_CONCURRENCY: { Ref: 'Draining' },
      BAKE_SECONDS: { Ref: 'Baking' },
    });
  });

  test('names a time zone that there is not', () => {
    const zone = TimeZone.of('Europe/Berln');
    const windows = [MaintenanceWindow.cron('0 2 * * SUN', { duration: Duration.hours(4), timeZone: zone })];
    expect(() => deployment({ windows })).toThrow(/; there is no time zone Europe\/Berln$/);
  });

  test('says in an app without types which prop a misspelt one means', () => {
    expect(faultsOf({ maxSurg: 1, drainConcurency: 2 } as never)).toEqual([
      "maxSurg isn't a prop; did you mean maxSurge?",
      "drainConcurency isn't a prop; did you mean drainConcurrency?",
    ]);
  });

  test('takes no other object for misspelt whose props an app adds to ours', () => {
    const wrapper = {
      description: 'Rolls',
      tags: { team: 'web' },
      cluster: 'web',
      env: {},
      stackName: 'web',
    };
    expect(faultsOf(wrapper as never)).toEqual([]);
  });

  test.each([
    [['web'], '["web"]'],
    ['web', '"web"'],
    [null, 'null'],
    [[null], '[null]'],
    [undefined, '[]'],
  ])('says in an app without types that clusters may not be %j, beside all else', (clusters, was) => {
    const wrong = { ...JSON.parse('{}'), clusters, canary: 1.5 };
    expect(() => deployment(wrong)).toThrow(
      `clusters was ${was}; it may be one or more clusters of this app`,
    );
    expect(() => deployment(wrong)).toThrow('canary was "1.5"');
  });

  test('refuses them once, without a stack trace, in an app that catches nothing', () => {
    try {
      deployment({ clusters: [] });
      expect.unreachable();
    } catch (error) {
      const shown = inspect(error);
      expect(shown.match(/clusters was \[\]/g)).toHaveLength(1);
      expect(shown).not.toMatch(/^ +at /m);
    }
  });

  test('refuses props that the function would refuse, all at once and by their names', () => {
    const wrong = {
      clusters: [],
      image: ImageSource.expression('newest'),
      maxSurge: Surge.percent(200),
      topics: topics('arn:aws:sns:eu-west-1:111122223333:images.fifo'),
      canary: 1.5,
      bakeTime: Duration.days(2),
      alarms: alarms('late,later', 'api', 'api'),
      alarmTimeout: Duration.seconds(86_401),
      schedule: Schedule.expression('rate(1 days)'),
      rolloutAlarmAfter: Duration.hours(0),
    };
    expect(() => deployment(wrong)).toThrow(
      expect.objectContaining({
        name: 'DeploymentError',
        faults: [
          expect.stringMatching(/^clusters was \[\]; it may be .*CfnCluster\.fromClusterName/),
          expect.stringMatching(/^image was "newest"; it may be auto/),
          expect.stringMatching(/^maxSurge was "200%"; it may be/),
          'canary was "1.5"; it may be a whole number from 0 to 1000',
          expect.stringMatching(/^bakeTime was "172800"; it may be a number of seconds from 0 to 86400/),
          expect.stringMatching(/^alarmTimeout was "86401"; it may be a number of seconds/),
          'alarms contains "late,later"; each may be one alarm, with no comma in its name',
          'alarms contains "api" more than once',
          'schedule was "rate(1 days)"; it may be rate(1 day)',
          expect.stringMatching(/^topics contains "arn:.*fifo"; each may be/),
          'rolloutAlarmAfter was 0 hours; it may be from 15 minutes to 365 days',
        ],
      }),
    );
  });

  test('takes groups that only CloudFormation knows, or whose cluster only it knows', () => {
    const web = cluster('web');
    const synthesized = template((stack) => ({
      clusters: [web, late(stack, 'Cluster')],
      groups: [
        { cluster: cluster('jobs'), autoScalingGroup: autoScalingGroup('blue') },
        { cluster: web, autoScalingGroup: autoScalingGroup(new CfnParameter(stack, 'Group').valueAsString) },
      ],
    }));
    expect(variablesIn(synthesized)).toMatchObject({
      GROUPS: { 'Fn::Join': ['', ['jobs:blue,web:', { Ref: 'Group' }]] },
    });
  });

  test('refuses conflicting settings, by the names of the props', () => {
    const groups = [{ autoScalingGroup: autoScalingGroup('blue') }];
    const wrong = { clusters: clusters('web', 'jobs'), groups, drift: [DriftCause.AGE] };
    expect(faultsOf(wrong)).toEqual([
      'groups names "blue"; of the clusters in clusters it may be web:blue or jobs:blue',
      'drift names age, which needs maxInstanceAge',
    ]);
    expect(faultsOf({ maxInstanceAge: Duration.days(30) })).toEqual([
      'maxInstanceAge was "30"; it has no effect unless drift names age',
    ]);
  });

  test('refuses an empty list, and items with a comma in them', () => {
    const groups = autoScalingGroups('blue,green', 'red', 'red').map((group) => ({
      autoScalingGroup: group,
    }));
    expect(faultsOf({ drift: [], groups })).toEqual([
      'groups contains "blue,green"; each may be one group, with no comma in its name',
      'groups contains "red" more than once',
      'drift was []; it may be one or more of image, launch-spec, age',
    ]);
  });

  test('refuses a launch template without an id, by which alone IAM knows it, and one named twice', () => {
    const [known] = launchTemplates('lt-0123456789abcdef0');
    expect(
      faultsOf((stack) => ({
        launchTemplates: [
          LaunchTemplate.fromLaunchTemplateAttributes(stack, 'Named', { launchTemplateName: 'web' }),
          ...(known ? [known, known] : []),
        ],
      })),
    ).toEqual([
      'launchTemplates contains "web"; each may be a launch template with an id, such as lt-0123456789abcdef0',
      'launchTemplates contains "lt-0123456789abcdef0" more than once',
    ]);
  });

  test('takes a launch template of the app, whose id only CloudFormation knows', () => {
    const made = template((stack) => ({ launchTemplates: [new LaunchTemplate(stack, 'Own')] }));
    const policies = JSON.stringify(policiesIn(made));
    const [id] = Object.keys(made.findResources('AWS::EC2::LaunchTemplate'));
    expect(policies).toContain(`:launch-template/",{"Ref":"${id}"}`);
    expect(policies).not.toContain(':launch-template/*');
  });

  test('refuses groups that the role may not change', () => {
    const groups = autoScalingGroups('blue', 'eu/night', 'green', 'blue-2').map((group) => ({
      autoScalingGroup: group,
    }));
    const allowed = autoScalingGroups('blue', 'eu/night', 'red');
    expect(faultsOf({ groups, autoScalingGroups: allowed })).toEqual([
      `groups contains "green", which autoScalingGroups doesn't: the role may not change it`,
      `groups contains "blue-2", which autoScalingGroups doesn't: the role may not change it`,
    ]);
  });

  test('gives access to its function', () => {
    const { construct, stack } = deployment();
    construct.function.addEnvironment('AWS_ENDPOINT_URL_ECS', 'https://ecs.example.com');
    expect(variablesIn(Template.fromStack(stack))).toMatchObject({
      AWS_ENDPOINT_URL_ECS: 'https://ecs.example.com',
    });
    expect(stack.region).toBe(HOME.env?.region);
  });
});
