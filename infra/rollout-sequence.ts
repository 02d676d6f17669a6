import { Annotations, Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { type IEventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import {
  AccountPrincipal,
  Grant,
  type IGrantable,
  type IRole,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { SEQUENCE_ENVIRONMENT, TABLE_EXPIRY, TABLE_KEYS } from '../lambda/contract.ts';
import { DIMENSIONS, METRIC_NAMESPACE, SEQUENCE_METRICS } from '../lambda/metric-names.ts';
import { elsewhereFaults } from './elsewhere.ts';
import { eventBusFor } from './events.ts';
import { refuse } from './faults.ts';
import { createSequenceFunction } from './functions.ts';
import { alarm, notify } from './monitoring.ts';
import { most } from './pack.ts';
import type { Permission } from './permissions/permission.ts';
import { accountPermissions, lookPermissions, sequenceOrderPermissions } from './permissions/sequence.ts';
import { jsonLength, USUAL } from './policy-length.ts';
import { createSequenceRole } from './roles.ts';
import type { RolloutSequenceProps } from './sequence-props.ts';
import { idleSettings, stagesFaults, variableOf } from './stages.ts';

/** How often the function looks at the table. */
const PASS_EVERY = Duration.minutes(5);

/** So that each period has a pass, even after one that failed. */
const PERIOD = Duration.minutes(15);

/**
 * Lets a release go from stage to stage: a table in which stacks say what they run and read what they may
 * roll, and a function that decides. Each stack rolls by itself; see the prop `sequenceTableArn` of
 * `EcsAmiDeploy`.
 */
export class RolloutSequence extends Construct {
  /** What stacks say, and what they may. It outlives the construct. */
  readonly table: ITable;
  /** The table's ARN, for `sequenceTableArn` of its members. */
  readonly tableArn: string;
  /** Decides every five minutes. */
  readonly function: LambdaFunction;
  /** The function's role: it reads the table and writes what members may roll, nothing else. */
  readonly role: IRole;
  /** The function's log, as JSON lines. */
  readonly logGroup: LogGroup;
  /** The event bus that is told of stages; undefined if none is. */
  readonly eventBus?: IEventBus;
  /** Goes off when one pass after the other fails. */
  readonly errorsAlarm: Alarm;
  /** Goes off when there was no pass for half an hour: no release gets on then. */
  readonly silentAlarm: Alarm;
  /** Goes off while a release is halted that a stage has taken. */
  readonly haltedAlarm: Alarm;
  /** Goes off while the first stage gets no release through. */
  readonly starvedAlarm: Alarm;
  /** Goes off while a stage waits for an approval. */
  readonly approvalAlarm: Alarm;
  /** Goes off while items of the table count for nothing, such as those of a stack that no stage names. */
  readonly ignoredAlarm: Alarm;

  /** @throws DeploymentError with every fault of the props at once */
  constructor(scope: Construct, id: string, props: RolloutSequenceProps) {
    super(scope, id);
    const faults = sequenceFaults(scope, props);
    if (faults.length > 0) refuse(faults);
    for (const text of idleSettings(props))
      Annotations.of(this).addWarningV2('ecs-ami-deploy:idleConcurrency', text);

    this.logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention ?? RetentionDays.THREE_MONTHS,
      removalPolicy: props.logRemovalPolicy ?? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.table = createTable(this, props);
    this.tableArn = this.table.tableArn;
    this.eventBus = eventBusFor(this, { clusters: [], ...props });
    this.role = createSequenceRole(this, this.tableArn);
    const { sequence, table } = SEQUENCE_ENVIRONMENT;
    const variables = { [sequence]: variableOf(props), [table]: this.tableArn };
    this.function = createSequenceFunction(this, this.role, variables, props);
    new Rule(this, 'Schedule', {
      description: 'Decides which stage may roll which release (ecs-ami-deploy)',
      schedule: Schedule.rate(PASS_EVERY),
      targets: [new FunctionTarget(this.function, { maxEventAge: Duration.minutes(1) })],
    });

    const alarms = watch(this, props);
    this.errorsAlarm = alarms.errorsAlarm;
    this.silentAlarm = alarms.silentAlarm;
    this.haltedAlarm = alarms.haltedAlarm;
    this.starvedAlarm = alarms.starvedAlarm;
    this.approvalAlarm = alarms.approvalAlarm;
    this.ignoredAlarm = alarms.ignoredAlarm;
  }

  /**
   * How many stages have taken a release that is halted. Of one stage, give `dimensionsMap` with `service`
   * (the function's name) and `stage`.
   * @default - maximum over 15 minutes
   */
  metricHaltedStages(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.halted, props);
  }

  /**
   * How many stages wait for an approval; as for `metricHaltedStages` also of one stage.
   * @default - maximum over 15 minutes
   */
  metricAwaitedApprovals(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.awaited, props);
  }

  /**
   * How many stacks can't begin a release that is under way, or are silent; also of one stage.
   * @default - maximum over 15 minutes
   */
  metricLateMembers(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.late, props);
  }

  /**
   * How many stacks failed at a release that is under way; also of one stage.
   * @default - maximum over 15 minutes
   */
  metricFailedMembers(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.failed, props);
  }

  /**
   * How many first stages get no release through.
   * @default - maximum over 15 minutes
   */
  metricStarvedStages(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.starved, props);
  }

  /**
   * How many items of the table count for nothing.
   * @default - maximum over 15 minutes
   */
  metricIgnoredItems(props?: MetricOptions): Metric {
    return this.told(SEQUENCE_METRICS.ignored, props);
  }

  /** Lets somebody of the table's account read the whole sequence. */
  grantLook(grantee: IGrantable): Grant {
    return grant(grantee, lookPermissions(this.tableArn));
  }

  /**
   * Lets somebody of the table's account read the sequence and give it orders, such as a halt or an approval.
   * They can also change what the sequence remembers: IAM can't tell the two apart.
   */
  grantOrder(grantee: IGrantable): Grant {
    return grant(grantee, [...lookPermissions(this.tableArn), ...sequenceOrderPermissions(this.tableArn)]);
  }

  private told(metricName: string, props?: MetricOptions): Metric {
    const dimensionsMap = { [DIMENSIONS.function]: this.function.functionName };
    const options = { period: PERIOD, statistic: 'Maximum', dimensionsMap, ...props };
    return new Metric({ namespace: METRIC_NAMESPACE, metricName, ...options }).attachTo(this);
  }
}

/**
 * AWS's own key wouldn't do, as other accounts have no right to it. A deployment that fails can't take back
 * what is protected against deletion, so that the table stays then, too.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-considerations.html
 */
function createTable(scope: Construct, { tableName, ...props }: RolloutSequenceProps): Table {
  return new Table(scope, 'Table', {
    tableName,
    partitionKey: { name: TABLE_KEYS.partition, type: AttributeType.STRING },
    sortKey: { name: TABLE_KEYS.sort, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.DEFAULT,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    timeToLiveAttribute: TABLE_EXPIRY,
    resourcePolicy: policyFor(accountsIn(props)),
  });
}

function accountsIn({ stages }: Pick<RolloutSequenceProps, 'stages'>): string[] {
  const all = stages.flatMap(({ members }) => members.map(({ account }) => account));
  return [...new Set(all)].sort();
}

/** What the accounts' own policies may let their roles do here: no statement names an account by itself. */
function policyFor(accounts: readonly string[]): PolicyDocument {
  return new PolicyDocument({
    statements: accountPermissions().map(
      (permission) =>
        new PolicyStatement({
          ...statementProps(permission),
          principals: accounts.map((account) => new AccountPrincipal(account)),
        }),
    ),
  });
}

const statementProps = ({ actions, resources, conditions }: Permission) => ({
  actions: [...actions],
  resources: [...resources],
  conditions,
});

function grant(grantee: IGrantable, permissions: readonly Permission[]): Grant {
  const [first, ...more] = permissions.map(({ actions, resources, conditions }) =>
    Grant.addToPrincipal({
      grantee,
      actions: [...actions],
      resourceArns: [...resources],
      ...(conditions && { conditions: conditions as Record<string, Record<string, unknown>> }),
    }),
  );
  if (first === undefined) throw new Error('nothing is granted');
  return more.reduce((all, each) => all.combine(each), first);
}

/** "The maximum size supported for a resource-based policy document is 20 KB", white space included. */
const LONGEST_POLICY = 20 * 1024;

/** Everything wrong with the props: the prop, its value, and what it may be. */
export function sequenceFaults(scope: Construct, props: RolloutSequenceProps): string[] {
  const { alarmTopic, eventBus, tableName } = props;
  const faults = [
    ...stagesFaults(props),
    ...nameFaults(tableName),
    ...elsewhereFaults(scope, { clusters: [], alarmTopic, eventBus }),
  ];
  return faults.length > 0 ? faults : policyFaults(scope, accountsIn(props));
}

function nameFaults(tableName: string | undefined): string[] {
  if (tableName === undefined || Token.isUnresolved(tableName) || /^[\w.-]{3,255}$/.test(tableName))
    return [];
  return [`tableName was "${tableName}"; it may be 3 to 255 letters, digits, hyphens, dots and underscores`];
}

function policyFaults(scope: Construct, accounts: readonly string[]): string[] {
  const hasRoom = (count: number) =>
    jsonLength(Stack.of(scope).resolve(policyFor(accounts.slice(0, count))), USUAL) <= LONGEST_POLICY;
  if (hasRoom(accounts.length)) return [];
  const room = most(accounts.length, hasRoom);
  return [
    `stages has ${accounts.length} accounts, and the policy of a table has room for ${room}: deploy a second sequence for the others`,
  ];
}

/** Adds the alarms; they notify the topic if there is one. */
function watch(sequence: RolloutSequence, props: Pick<RolloutSequenceProps, 'alarmTopic'>) {
  const alarms = {
    errorsAlarm: alarm(sequence, 'ErrorsAlarm', {
      metric: sequence.function.metricErrors({ period: PERIOD, statistic: 'Sum' }),
      // The next pass makes up for one.
      threshold: 2,
      alarmDescription: 'One pass after the other failed: the log says why. No release gets on meanwhile.',
    }),
    silentAlarm: new Alarm(sequence, 'SilentAlarm', {
      metric: sequence.function.metricInvocations({ period: Duration.minutes(30), statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
      alarmDescription: 'There was no pass for half an hour: no release gets on.',
    }),
    haltedAlarm: alarm(sequence, 'HaltedAlarm', {
      metric: sequence.metricHaltedStages(),
      threshold: 1,
      alarmDescription: 'A release is halted: the log and the event name who failed, and why.',
    }),
    starvedAlarm: alarm(sequence, 'StarvedAlarm', {
      metric: sequence.metricStarvedStages(),
      threshold: 1,
      alarmDescription: 'The first stage gets no release through, so that none comes into the others.',
    }),
    approvalAlarm: alarm(sequence, 'ApprovalAlarm', {
      metric: sequence.metricAwaitedApprovals(),
      threshold: 1,
      alarmDescription: 'A stage waits until somebody approves a release.',
    }),
    ignoredAlarm: alarm(sequence, 'IgnoredAlarm', {
      metric: sequence.metricIgnoredItems(),
      threshold: 1,
      alarmDescription:
        'The table has items that count for nothing, such as those of a stack that no stage names: the log names them.',
    }),
  };
  notify(sequence, Object.values(alarms), props);
  return alarms;
}
