import type { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { CfnCluster, type IClusterRef } from 'aws-cdk-lib/aws-ecs';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { TopicEvents } from '../../infra/ecs-ami-deploy.ts';
import { BESIDE_ENVIRONMENT, EVENT_SOURCE } from '../../lambda/contract.ts';
import type { RollEventKind } from '../../lambda/core/model/roll-event.ts';
import type { TerminationEvent } from '../../lambda/core/terminations.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import { deployment, faultsOf, refused, template, templateFrom } from './deployment.ts';
import { rolePolicies } from './role-policies.ts';

const RULE = 'AWS::Events::Rule';
const FUNCTION = 'AWS::Lambda::Function';
/** Of the events of its own account and clusters: others tell the same bus. */
const PATTERN = { account: ['111122223333'], source: [EVENT_SOURCE], detail: { cluster: ['web'] } };
const HISTORY = { Ref: Match.stringLikeRegexp('History') };
const DEFAULT_BUS = 'arn:aws:events:eu-west-1:111122223333:event-bus/default';

/** An ARN whose partition only CloudFormation knows. */
const arn = (rest: string) => ({ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, rest]] });

const standard = template();

describe('by default', () => {
  test("the account's event bus is told", () => {
    const bus = arn(':events:eu-west-1:111122223333:event-bus/default');
    standard.hasResourceProperties(FUNCTION, {
      Handler: 'index.handler',
      Environment: { Variables: { EVENT_BUS: bus } },
    });
    standard.hasResourceProperties(FUNCTION, {
      Handler: 'index.orders',
      Environment: { Variables: { EVENT_BUS: Match.absent() } },
    });
  });

  test('its history is kept for ten years, whatever becomes of the stack', () => {
    standard.hasResource('AWS::Logs::LogGroup', {
      Properties: { RetentionInDays: 3653 },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    standard.hasResourceProperties(RULE, {
      EventPattern: PATTERN,
      EventBusName: 'default',
      Targets: [
        {
          Arn: {
            'Fn::Join': [
              '',
              ['arn:', { Ref: 'AWS::Partition' }, Match.stringLikeRegexp(':log-group:$'), HISTORY],
            ],
          },
          InputPath: Match.absent(),
        },
      ],
    });
  });

  test('the command line finds the history and the function for orders by the environment of the one that rolls', () => {
    standard.hasResourceProperties(FUNCTION, {
      Handler: 'index.handler',
      Environment: {
        Variables: {
          [BESIDE_ENVIRONMENT.history]: HISTORY,
          [BESIDE_ENVIRONMENT.orders]: { 'Fn::GetAtt': [Match.stringLikeRegexp('OrdersFunction'), 'Arn'] },
        },
      },
    });
  });

  test('no function is brought along that writes policies', () => {
    standard.resourceCountIs(FUNCTION, 2);
  });
});

describe('the role', () => {
  const home = { account: '111122223333', region: 'eu-west-1' };
  const may = (source: readonly string[], resource: string, more = {}) =>
    evaluate(rolePolicies(home, { clusters: 'web', ...more }), {
      action: 'events:PutEvents',
      resource,
      context: { 'events:source': source },
    }).kind;

  test('may tell that event bus, in its own name only', () => {
    expect(may([EVENT_SOURCE], DEFAULT_BUS)).toBe('allowed');
    expect(may([EVENT_SOURCE], `${DEFAULT_BUS}-other`)).toBe('denied');
    expect(may(['orders'], DEFAULT_BUS)).toBe('denied');
    expect(may([EVENT_SOURCE, 'orders'], DEFAULT_BUS)).toBe('denied');
  });

  test('may tell none if none is to be told', () => {
    expect(may([EVENT_SOURCE], DEFAULT_BUS, { events: false })).toBe('denied');
  });
});

describe('a bus that only the function may tell, as docs/events.md has it', () => {
  const { stack, construct } = deployment((owner) => ({ eventBus: new EventBus(owner, 'Rolls') }));
  const { eventBus, role } = construct;
  if (!(eventBus instanceof EventBus)) throw new Error('the stack makes its bus');
  eventBus.addToResourcePolicy(
    new PolicyStatement({
      sid: 'OnlyTheFunction',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['events:PutEvents'],
      resources: [eventBus.eventBusArn],
      conditions: { ArnNotEquals: { 'aws:PrincipalArn': role.roleArn } },
    }),
  );
  const BUS = 'arn:aws:events:eu-west-1:111122223333:event-bus/StackRolls';
  const ROLE = 'arn:aws:iam::111122223333:role/rollout';
  const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::Events::EventBusPolicy'));
  const filled = JSON.stringify(policy?.Properties.Statement)
    .replace(/\{"Fn::GetAtt":\["Rolls[^}]*\}/g, JSON.stringify(BUS))
    .replace(/\{"Fn::GetAtt":\["Rollout[^}]*\}/g, JSON.stringify(ROLE));
  const mayPut = (principal: string) =>
    evaluate([{ Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }], {
      action: 'events:PutEvents',
      resource: BUS,
      context: { 'aws:PrincipalArn': principal, 'events:source': [EVENT_SOURCE] },
      resourcePolicy: { Version: '2012-10-17', Statement: [JSON.parse(filled)] },
    });

  test('nobody else puts events on it, whatever they may', () => {
    expect(mayPut(ROLE).kind).toBe('allowed');
    const administrators = mayPut('arn:aws:iam::111122223333:role/administrators');
    expect(administrators).toMatchObject({ kind: 'denied', explicitly: true });
  });
});

test('without events there is neither bus nor history', () => {
  const { stack, construct } = deployment({ events: false });
  expect([construct.eventBus, construct.historyLogGroup]).toEqual([undefined, undefined]);
  expect(JSON.stringify(template({ events: false }))).not.toMatch(/EVENT_BUS|History/);
  expect(stack.node.tryFindChild('History')).toBeUndefined();
});

test('an event bus of its own gets the rules, and the history may be kept for less long', () => {
  const own = template((stack) => ({
    eventBus: new EventBus(stack, 'Bus'),
    historyRetention: RetentionDays.ONE_YEAR,
  }));
  own.hasResourceProperties(RULE, { EventBusName: { Ref: Match.stringLikeRegexp('^Bus') } });
  own.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 365 });
});

test("no rule hears of another account's events, even on a bus that it does not own", () => {
  const told = template((stack) => ({
    eventBus: EventBus.fromEventBusName(stack, 'Imported', 'rolls'),
    eventTopic: new Topic(stack, 'Told'),
    chatTopic: new Topic(stack, 'Chat'),
  }));
  const patterns = Object.values(told.findResources(RULE)).flatMap(
    ({ Properties }) => Properties.EventPattern ?? [],
  );
  expect(patterns).toEqual([PATTERN, PATTERN, PATTERN]);
});

test.each([
  ['eventTopic', '$.detail.text'],
  ['chatTopic', '$.detail.chat'],
] as const)('%s gets a part of each event', (prop, path) => {
  const told = template((stack) => ({ [prop]: new Topic(stack, 'Told') }));
  told.hasResourceProperties(RULE, {
    EventPattern: PATTERN,
    Targets: [{ Arn: { Ref: Match.stringLikeRegexp('^Told') }, InputPath: path }],
  });
  told.hasResourceProperties(FUNCTION, {
    Handler: 'index.handler',
    Environment: { Variables: { [BESIDE_ENVIRONMENT.topics]: { Ref: Match.stringLikeRegexp('^Told') } } },
  });
  told.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Action: 'sns:Publish', Principal: { Service: 'events.amazonaws.com' } }),
      ]),
    },
  });
});

test('topics are told of beginning and end alone where they are to be, and the history of all', () => {
  const made = template((stack) => ({
    eventTopic: new Topic(stack, 'Told'),
    chatTopic: new Topic(stack, 'Chat'),
    topicEvents: TopicEvents.BEGINNING_AND_END,
  }));
  const kinds = Object.values(made.findResources(RULE)).flatMap(
    ({ Properties }) => Properties.EventPattern?.detail?.kind ?? [],
  );
  const told: (RollEventKind | TerminationEvent['kind'])[] = [
    ...(['begun', 'blocked', 'completed', 'aborted', 'rolled-back'] as const),
    'timed-out',
  ];
  expect(new Set(kinds)).toEqual(new Set(told));
  expect(kinds).toHaveLength(12);
  made.hasResourceProperties(RULE, { EventPattern: PATTERN });
  expect(refused(() => templateFrom({ clusters: 'web', topicEvents: 'ends' })).join()).toContain(
    'all or beginning-and-end',
  );
});

describe('of the clusters of other stacks, which tell the same bus, it hears nothing', () => {
  const clustersIn = (made: Template) =>
    Object.values(made.findResources(RULE))
      .map(({ Properties }) => Properties)
      .filter(({ Targets: [target] }) => JSON.stringify(target).includes('log-group'))
      .map(({ EventPattern }) => EventPattern.detail.cluster);
  const withClusters = (names: (stack: Stack) => readonly IClusterRef[], more = {}) =>
    template((stack) => ({ clusters: [...names(stack)], ...more }));
  const named = (names: readonly string[]) => (stack: Stack) =>
    names.map((name, index) => CfnCluster.fromClusterName(stack, `Named${index}`, name));

  test('by the names that are in events, however the clusters are named', () => {
    const arn = 'arn:aws:ecs:eu-west-1:111122223333:cluster/jobs';
    expect(clustersIn(withClusters(named(['web', arn])))).toEqual([['web', 'jobs']]);
    expect(clustersIn(templateFrom({ clusters: 'web, jobs' }))).toEqual([['web', 'jobs']]);
  });

  test('also by a name that only CloudFormation knows', () => {
    const made = withClusters((stack) => [new CfnCluster(stack, 'Own')]);
    expect(clustersIn(made)).toEqual([[{ Ref: 'Own' }]]);
  });

  test('by several rules if there are more than a pattern holds', () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'x'.repeat(100)}-${index}`);
    const made = withClusters(named(names));
    const clusters = clustersIn(made);
    expect(clusters.flat()).toEqual(names);
    for (const { Properties } of Object.values(made.findResources(RULE)))
      expect(JSON.stringify(Properties.EventPattern ?? {}).length).toBeLessThan(2048);
  });
});

test('all of it comes from the context, too', () => {
  const told = templateFrom({
    eventBusName: 'rolls',
    eventTopicArn: 'arn:aws:sns:eu-west-1:111122223333:told',
    chatTopicArn: 'arn:aws:sns:eu-west-1:111122223333:chat',
    historyRetentionDays: 30,
  });
  for (const InputPath of ['$.detail.text', '$.detail.chat'])
    told.hasResourceProperties(RULE, { EventBusName: 'rolls', Targets: [Match.objectLike({ InputPath })] });
  told.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
  expect(JSON.stringify(templateFrom({ events: false }))).not.toContain('EVENT_BUS');
});

test('cdk-nag finds nothing in it', () => {
  const { app } = deployment((stack) => ({ eventTopic: Topic.fromTopicArn(stack, 'Told', TOPIC) }));
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  expect(violations).toEqual([]);
});

const TOPIC = 'arn:aws:sns:eu-west-1:111122223333:told';

test('buses and topics out of reach are faults', () => {
  const place = 'us-east-1:111122223333';
  const faults = faultsOf((stack) => ({
    eventBus: EventBus.fromEventBusArn(stack, 'Bus', `arn:aws:events:${place}:event-bus/rolls`),
    eventTopic: Topic.fromTopicArn(stack, 'Told', `arn:aws:sns:${place}:told`),
    chatTopic: Topic.fromTopicArn(stack, 'Chat', `arn:aws:sns:${place}:chat`),
  }));
  expect(faults).toEqual([
    `eventTopic was "arn:aws:sns:${place}:told"; it may be a topic in eu-west-1: a rule can only notify its own Region`,
    `chatTopic was "arn:aws:sns:${place}:chat"; it may be a topic in eu-west-1: a rule can only notify its own Region`,
    `eventBus names arn:aws:events:${place}:event-bus/rolls in Region us-east-1; the function runs in Region eu-west-1 and reaches only that`,
  ]);
});
