import { Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { RolloutSequence } from '../../infra/rollout-sequence.ts';
import type { RolloutSequenceProps } from '../../infra/sequence-props.ts';
import { PARTITIONS } from '../../lambda/contract.ts';
import { parseSequence } from '../../lambda/settings/parse-sequence.ts';
import { evaluate } from '../simulated-aws/iam/iam.ts';
import type { PolicyDocument } from '../simulated-aws/iam/policy.ts';
import { CODE, HOME, quickApp, refused, variablesIn } from './deployment.ts';
import { topics } from './imported.ts';
import { policiesIn, resolve } from './role-policies.ts';

const HUB = { account: '111122223333', region: 'eu-west-1' };
const ONE = '222233334444';
const OTHER = '333344445555';
const STRANGER = '444455556666';
const TABLE_ARN = `arn:aws:dynamodb:${HUB.region}:${HUB.account}:table/fleet`;
const TABLE = 'AWS::DynamoDB::Table';
const FUNCTION = 'AWS::Lambda::Function';
const ALARM = 'AWS::CloudWatch::Alarm';

type Change = Partial<RolloutSequenceProps>;

function sequenceIn(change: Change | ((stack: Stack) => Change) = {}) {
  const app = quickApp();
  const stack = new Stack(app, 'Stack', HOME);
  const stages = [
    { name: 'staging', members: [{ account: ONE }] },
    { name: 'production', members: [{ account: OTHER }] },
  ];
  const changed = typeof change === 'function' ? change(stack) : change;
  const construct = new RolloutSequence(stack, 'Fleet', { stages, code: CODE, ...changed });
  return { app, stack, construct };
}

const templateOf = (change?: Change | ((stack: Stack) => Change)) =>
  Template.fromStack(sequenceIn(change).stack);
const faultsOf = (change: Change) => refused(() => sequenceIn(change));
const variableIn = (synthesized: Template) => String(variablesIn(synthesized, 'sequence.sequence').SEQUENCE);
const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    String(100_000_000_000 + ((index * 548_271_773_917) % 900_000_000_000)),
  );

const standard = templateOf();

describe('the table', () => {
  test('has the keys of its items, costs nothing at rest, and forgets what has expired', () => {
    standard.hasResourceProperties(TABLE, {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    });
  });

  test('outlives the stack, and can be brought back', () => {
    standard.hasResource(TABLE, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  test('is encrypted by a key that all accounts may use', () => {
    standard.hasResourceProperties(TABLE, { SSESpecification: { SSEEnabled: false } });
  });

  test('may have a name, by which other stacks of the app know it', () => {
    const { construct, stack } = sequenceIn({ tableName: 'fleet' });
    Template.fromStack(stack).hasResourceProperties(TABLE, { TableName: 'fleet' });
    expect(stack.resolve(construct.tableArn)).toEqual({ 'Fn::GetAtt': [expect.any(String), 'Arn'] });
  });
});

const [found] = Object.values(standard.findResources(TABLE));
const policy = resolve(found?.Properties.ResourcePolicy.PolicyDocument, HUB) as PolicyDocument;
const ADMINISTRATOR = [{ Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }] as const;

/** By the table's policy alone: whoever asks may do everything as far as its own account goes. */
const may = (account: string, operation: string, key: string | undefined) =>
  evaluate(ADMINISTRATOR, {
    action: `dynamodb:${operation}`,
    resource: TABLE_ARN,
    context: {
      'aws:PrincipalAccount': account,
      'aws:PrincipalArn': `arn:aws:iam::${account}:role/administrator`,
      ...(key !== undefined && { 'dynamodb:LeadingKeys': [key] }),
    },
    resourcePolicy: policy,
  }).kind === 'allowed';

describe("the table's policy", () => {
  test.each([ONE, OTHER])('lets account %s read its partitions, and write its statuses', (account) => {
    const [allowed, status] = [PARTITIONS.allowed(account), PARTITIONS.status(account)];
    for (const operation of ['GetItem', 'Query']) {
      expect(may(account, operation, allowed)).toBe(true);
      expect(may(account, operation, status)).toBe(true);
    }
    expect(may(account, 'PutItem', status)).toBe(true);
    expect(may(account, 'PutItem', allowed)).toBe(false);
  });

  test.each([PARTITIONS.status(OTHER), PARTITIONS.allowed(OTHER), PARTITIONS.sequence, undefined])(
    'keeps an administrator of another account out of %s',
    (key) => {
      for (const operation of ['GetItem', 'Query', 'PutItem']) expect(may(ONE, operation, key)).toBe(false);
    },
  );

  test.each([
    ...['Scan', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'BatchGetItem', 'PartiQLSelect'],
    ...['PartiQLUpdate', 'PutResourcePolicy', 'DeleteTable', 'UpdateTable', 'DescribeTable'],
  ])('lets nobody %s', (operation) => {
    expect(may(ONE, operation, PARTITIONS.status(ONE))).toBe(false);
    expect(may(ONE, operation, undefined)).toBe(false);
  });

  test('knows no account that no stage names', () => {
    expect(may(STRANGER, 'GetItem', PARTITIONS.allowed(STRANGER))).toBe(false);
  });

  test('has each account once, and room for nearly three hundred', () => {
    const named = accounts(290);
    const members = [...named, ...named].map((account) => ({ account }));
    const stages = [{ name: 'all', members }];
    const [table] = Object.values(templateOf({ stages }).findResources(TABLE));
    const { Statement } = table?.Properties.ResourcePolicy.PolicyDocument ?? {};
    expect(Statement).toHaveLength(2);
    expect(Statement[0].Principal.AWS).toHaveLength(290);
  });

  test('is told of at synth if it has no room, before AWS refuses it', () => {
    const stages = [{ name: 'all', members: accounts(320).map((account) => ({ account })) }];
    expect(faultsOf({ stages })).toEqual([
      expect.stringMatching(
        /^stages has 320 accounts, and the policy of a table has room for (29|30)\d: deploy a second sequence/,
      ),
    ]);
  });
});

describe("the function's role", () => {
  const policies = policiesIn(standard).map(
    ({ Properties }) => resolve(Properties.PolicyDocument, HUB) as PolicyDocument,
  );
  const [resource] = policies
    .flatMap(({ Statement }) => Statement)
    .filter(({ Action }) => [Action].flat().includes('dynamodb:Query'))
    .flatMap(({ Resource }) => Resource);
  const does = (operation: string, key: string | undefined) =>
    evaluate(policies, {
      action: `dynamodb:${operation}`,
      resource: resource ?? '',
      context: key === undefined ? {} : { 'dynamodb:LeadingKeys': [key] },
    }).kind === 'allowed';

  test('reads everything, by partition', () => {
    for (const key of [PARTITIONS.sequence, PARTITIONS.status(ONE), PARTITIONS.allowed(OTHER)])
      expect(does('Query', key)).toBe(true);
    expect(does('Query', undefined)).toBe(false);
  });

  test('writes what it decides, and speaks for no member', () => {
    expect(does('PutItem', PARTITIONS.sequence)).toBe(true);
    expect(does('PutItem', PARTITIONS.allowed(ONE))).toBe(true);
    expect(does('PutItem', PARTITIONS.status(ONE))).toBe(false);
    expect(does('PutItem', undefined)).toBe(false);
  });

  test.each(['DeleteItem', 'Scan', 'UpdateItem', 'BatchWriteItem', 'DeleteTable', 'UpdateTable'])(
    'does no %s',
    (operation) => {
      expect(does(operation, PARTITIONS.sequence)).toBe(false);
      expect(does(operation, PARTITIONS.allowed(ONE))).toBe(false);
    },
  );

  test('has no wildcard, and no right besides its log and the event bus', () => {
    const statements = policies.flatMap(({ Statement }) => Statement);
    expect(statements.flatMap(({ Resource }) => Resource).filter((each) => each.includes('*'))).toEqual([]);
    expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([
      'dynamodb:PutItem',
      'dynamodb:Query',
      'events:PutEvents',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
  });
});

describe('the function', () => {
  test('looks every five minutes, one at a time', () => {
    standard.hasResourceProperties(FUNCTION, {
      Handler: 'sequence.sequence',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      ReservedConcurrentExecutions: 1,
      Tags: [{ Key: 'ecs-ami-deploy:function', Value: 'sequence' }],
    });
    standard.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [
        Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^FleetFunction'), 'Arn'] } }),
      ],
    });
    templateOf({ reserveConcurrency: false }).hasResourceProperties(FUNCTION, {
      ReservedConcurrentExecutions: Match.absent(),
    });
  });

  test('is told its stages, table and event bus', () => {
    const { SEQUENCE_TABLE, EVENT_BUS } = variablesIn(standard, 'sequence.sequence');
    expect(SEQUENCE_TABLE).toEqual({ 'Fn::GetAtt': [expect.stringMatching('^FleetTable'), 'Arn'] });
    expect(JSON.stringify(EVENT_BUS)).toContain('event-bus/default');
    expect(JSON.parse(variableIn(standard))).toEqual({
      stages: [
        { name: 'staging', members: [{ account: ONE }] },
        { name: 'production', members: [{ account: OTHER }] },
      ],
    });
  });

  test('tells another bus, or none', () => {
    const bus = templateOf((stack) => ({ eventBus: EventBus.fromEventBusName(stack, 'Bus', 'fleet') }));
    expect(JSON.stringify(variablesIn(bus, 'sequence.sequence').EVENT_BUS)).toContain('event-bus/fleet');
    const none = templateOf({ events: false });
    expect(variablesIn(none, 'sequence.sequence')).not.toHaveProperty('EVENT_BUS');
    expect(JSON.stringify(policiesIn(none))).not.toContain('events:');
  });

  test('has room for all accounts that the policy has', () => {
    const stages = [{ name: 'all', members: accounts(290).map((account) => ({ account })) }];
    const variable = variableIn(templateOf({ stages }));
    expect(variable.length).toBeLessThan(3_800);
    expect(parseSequence(variable).stages[0]?.members).toEqual(stages[0]?.members);
  });
});

describe('the alarms', () => {
  const alarms = Object.entries(standard.findResources(ALARM));

  test('are those on which somebody has to act', () => {
    expect(alarms.map(([name]) => /^Fleet(\w+?Alarm)/.exec(name)?.[1]).sort()).toEqual([
      'ApprovalAlarm',
      'ErrorsAlarm',
      'HaltedAlarm',
      'IgnoredAlarm',
      'SilentAlarm',
      'StarvedAlarm',
    ]);
  });

  test('on what the function measures go by no statistic that negative values of others bring down', () => {
    const own = alarms.filter(([, { Properties }]) => Properties.Namespace === 'ecs-ami-deploy');
    expect(own.map(([, { Properties }]) => [Properties.MetricName, Properties.Statistic]).sort()).toEqual([
      ['AwaitedApprovals', 'Maximum'],
      ['HaltedStages', 'Maximum'],
      ['IgnoredItems', 'Maximum'],
      ['StarvedStages', 'Maximum'],
    ]);
  });

  test('take silence for a problem where it is one', () => {
    standard.hasResourceProperties(ALARM, {
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      Period: 1800,
      TreatMissingData: 'breaching',
    });
  });

  test('notify the topic, which CloudWatch may publish to', () => {
    const synthesized = templateOf((stack) => ({ alarmTopic: new Topic(stack, 'OnCall') }));
    for (const { Properties } of Object.values(synthesized.findResources(ALARM)))
      expect(Properties.AlarmActions).toEqual([{ Ref: expect.stringMatching('^OnCall') }]);
    synthesized.resourceCountIs('AWS::SNS::TopicPolicy', 1);
  });
});

describe('people', () => {
  const grantedBy = (grant: (construct: RolloutSequence, role: Role) => unknown) => {
    const { stack, construct } = sequenceIn();
    const role = new Role(stack, 'People', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    grant(construct, role);
    const wanted = stack.resolve(role.roleName);
    const policies = policiesIn(Template.fromStack(stack))
      .filter(({ Properties }) => JSON.stringify(Properties.Roles) === JSON.stringify([wanted]))
      .map(({ Properties }) => resolve(Properties.PolicyDocument, HUB) as PolicyDocument);
    const [resource = ''] = policies
      .flatMap(({ Statement }) => Statement)
      .flatMap(({ Resource }) => Resource);
    return (operation: string, key: string) =>
      evaluate(policies, {
        action: `dynamodb:${operation}`,
        resource,
        context: { 'dynamodb:LeadingKeys': [key] },
      }).kind === 'allowed';
  };

  test('may be let look', () => {
    const looks = grantedBy((construct, role) => construct.grantLook(role));
    expect(looks('Query', PARTITIONS.status(ONE))).toBe(true);
    expect(looks('PutItem', PARTITIONS.sequence)).toBe(false);
  });

  test('may be let order, and neither speak for members nor allow them anything', () => {
    const orders = grantedBy((construct, role) => construct.grantOrder(role));
    expect(orders('Query', PARTITIONS.allowed(ONE))).toBe(true);
    expect(orders('PutItem', PARTITIONS.sequence)).toBe(true);
    for (const key of [PARTITIONS.status(ONE), PARTITIONS.allowed(ONE)])
      expect(orders('PutItem', key)).toBe(false);
    expect(orders('DeleteItem', PARTITIONS.sequence)).toBe(false);
  });
});

describe('the faults', () => {
  test('name props, all at once', () => {
    const [topic] = topics('arn:aws:sns:us-east-1:111122223333:on-call');
    expect(
      faultsOf({
        stages: [
          { name: 'staging', members: [], soakTime: Duration.days(400) },
          { name: 'staging', members: [{ account: 'me' }], completeWithin: Duration.minutes(1), quorum: 2 },
        ],
        silentAfter: Duration.minutes(10),
        tableName: 'a b',
        ...(topic && { alarmTopic: topic }),
      }),
    ).toEqual([
      'stages[0].members was []; it may be one or more objects, each with account, regions, stacks',
      'stages[0].soakTime was 9600; it may be a number of hours from 0 to 8760',
      'stages[1].members[0].account was "me"; it may be an account id of 12 digits, in quotes',
      expect.stringMatching(
        /^stages\[1\]\.completeWithin was 0\.01\d+; it may be a number of hours from 1 to 8760$/,
      ),
      expect.stringMatching(/^silentAfter was 0\.16\d+; it may be a number of hours from 1 to 720$/),
      'stages[1].name was "staging"; it may be another than that of stages[0]',
      'tableName was "a b"; it may be 3 to 255 letters, digits, hyphens, dots and underscores',
      'alarmTopic was "arn:aws:sns:us-east-1:111122223333:on-call"; it may be a topic in eu-west-1: an alarm can only notify its own Region',
    ]);
  });

  test('are none where a setting comes to nothing: synth warns of it', () => {
    const stages = [{ name: 'all', members: [{ account: ONE }], maxConcurrent: 5, tolerate: 1 }];
    Annotations.fromStack(sequenceIn({ stages }).stack).hasWarning(
      '/Stack/Fleet',
      Match.stringLikeRegexp('maxConcurrent 5, but with tolerate 1 no more than 2 roll at once'),
    );
    Annotations.fromStack(sequenceIn().stack).hasNoWarning('*', Match.anyValue());
  });
});

test("cdk-nag's AWS Solutions pack finds nothing", () => {
  const { app } = sequenceIn();
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
});

test('each metric is that of the function', () => {
  const { construct, stack } = sequenceIn();
  const service = stack.resolve(construct.function.functionName);
  for (const metric of [construct.metricLateMembers(), construct.metricFailedMembers()])
    expect(stack.resolve(metric.dimensions)).toEqual({ service });
  const ofStage = { dimensionsMap: { service: construct.function.functionName, stage: 'staging' } };
  expect(construct.metricHaltedStages(ofStage).dimensions).toMatchObject({ stage: 'staging' });
});
