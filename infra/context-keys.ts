import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { type Parser, yesOrNo } from '../lambda/settings/parsers.ts';
import { keysOf, ROLLOUT_TABLE, type RolloutSetting, TABLE } from '../lambda/settings/table.ts';
import { MetricDetail, TopicEvents } from './choices.ts';
import {
  EVENT_BUS_NAME,
  GROUP_NAME,
  KEY_ARN,
  ROLE_ARN,
  TEMPLATE_ID,
  TERMINATION_TIMEOUT,
  TOPIC_ARN,
} from './faults.ts';
import { MEMBER_NAME, MEMBER_NAME_MAY_BE, TABLE_ARN } from './membership.ts';
import { ALARM_AGES, type AlarmAge } from './monitoring.ts';
import type { EcsAmiDeployProps } from './props.ts';

// Values in cdk.json have JSON types; values given with `-c key=value` are text.
const number = () =>
  z.union([
    z.number(),
    z
      .string()
      .trim()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ]);
const boolean = () =>
  z.union([
    z.boolean(),
    z
      .string()
      .trim()
      .refine((value) => yesOrNo.read(value) !== undefined)
      .transform((value) => yesOrNo.read(value) === true),
  ]);
const text = () => z.union([z.string(), z.number().transform(String)]);
// In a list a number in cdk.json can only be an account id.
const part = () => z.union([z.string(), z.number().min(1e11).max(999_999_999_999).transform(String)]);
const list = () => z.union([z.array(part()), part().transform(separated)]);
const listOf = (pattern: RegExp) => list().pipe(z.array(z.string().regex(pattern)));

function separated(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const OF_KIND = { number, boolean, text, list } satisfies Record<Parser<unknown>['kind'], () => z.ZodType>;

/** These check the kind of value only; the function's own rules check its range. */
const SETTINGS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  keysOf(ROLLOUT_TABLE).map((setting) => {
    const { kind, may } = ROLLOUT_TABLE[setting].parser;
    return [setting, OF_KIND[kind]().describe(may)];
  }),
);

/** A key of the context that sets one of the deployment's own props. */
interface DeploymentKey {
  readonly prop: keyof EcsAmiDeployProps;
  readonly schema: z.ZodType;
  /** The prop, from a well-formed value. */
  read(scope: Construct, value: unknown): Partial<EcsAmiDeployProps>;
}

const DAYS_KEPT = Object.values(RetentionDays)
  .filter((days) => typeof days === 'number')
  .filter((days) => days !== RetentionDays.INFINITE);

const AMOUNTS = {
  minutes: (time: Duration) => time.toMinutes({ integral: false }),
  hours: (time: Duration) => time.toHours({ integral: false }),
  days: (time: Duration) => time.toDays({ integral: false }),
} as const;

/** The keys of the deployment: the prop, what the value may be, and how it becomes the prop. */
export const DEPLOYMENT: Readonly<Record<string, DeploymentKey>> = {
  schedule: key(
    'schedule',
    z.string(),
    'text: rate(<number> minutes|hours|days) or cron(<six fields>), such as cron(0 3 * * ? *)',
    (_, expression) => Schedule.expression(expression),
  ),
  topicArns: key('topics', listOf(TOPIC_ARN), 'the ARNs of SNS topics, separated by commas', (scope, arns) =>
    arns.map((arn, index) => Topic.fromTopicArn(scope, `Topic${index + 1}`, arn)),
  ),
  autoScalingGroupNames: key(
    'autoScalingGroups',
    listOf(GROUP_NAME),
    'names of Auto Scaling groups, separated by commas',
    (scope, names) =>
      names.map((name, index) =>
        AutoScalingGroup.fromAutoScalingGroupName(scope, `AllowedGroup${index + 1}`, name),
      ),
  ),
  terminations: flag('drainTerminations'),
  terminationTimeoutMinutes: time('terminationTimeout', 'minutes', TERMINATION_TIMEOUT),
  instanceRoleArns: key(
    'instanceRoles',
    listOf(ROLE_ARN),
    'ARNs of IAM roles, separated by commas',
    (scope, arns) =>
      arns.map((arn, index) => Role.fromRoleArn(scope, `InstanceRole${index + 1}`, arn, { mutable: false })),
  ),
  launchTemplateIds: key(
    'launchTemplates',
    listOf(TEMPLATE_ID),
    'ids of launch templates, separated by commas',
    (scope, ids) =>
      ids.map((launchTemplateId, index) =>
        LaunchTemplate.fromLaunchTemplateAttributes(scope, `LaunchTemplate${index + 1}`, {
          launchTemplateId,
        }),
      ),
  ),
  imageParameterNames: key(
    'imageParameterNames',
    list(),
    'names or ARNs of Systems Manager parameters, separated by commas',
    (_, names) => names,
  ),
  stateKeyArn: key(
    'stateKey',
    z.string().regex(KEY_ARN),
    'the ARN of a KMS key, not of an alias',
    (scope, arn) => Key.fromKeyArn(scope, 'StateKey', arn),
  ),
  stateKeyGeneration: key(
    'stateKeyGeneration',
    number(),
    TABLE.stateKeyGeneration.parser.may,
    (_, generation) => generation,
  ),
  sequenceTableArn: key(
    'sequenceTableArn',
    z.string().regex(TABLE_ARN),
    'the ARN of a DynamoDB table',
    (_, arn) => arn,
  ),
  sequenceStackName: key(
    'sequenceStackName',
    z.string().regex(MEMBER_NAME),
    MEMBER_NAME_MAY_BE,
    (_, name) => name,
  ),
  acceptRevert: flag('acceptRevert'),
  reserveConcurrency: flag('reserveConcurrency'),
  rolloutAlarmAfterHours: age('rolloutAlarmAfter', 'hours'),
  heldBackDays: age('heldBackAfter', 'days'),
  imageAgeAlarmDays: age('imageAgeAlarmAfter', 'days'),
  metricDetail: key('metricDetail', z.enum(['function', 'group']), 'function or group', (_, detail) =>
    detail === 'group' ? MetricDetail.GROUP : MetricDetail.FUNCTION,
  ),
  dashboard: flag('dashboard'),
  alarmTopicArn: topic('alarmTopic', 'AlarmTopic'),
  events: flag('events'),
  eventBusName: key(
    'eventBus',
    z.string().regex(EVENT_BUS_NAME),
    'the name of an EventBridge event bus',
    (scope, name) => EventBus.fromEventBusName(scope, 'EventBus', name),
  ),
  eventTopicArn: topic('eventTopic', 'EventTopic'),
  chatTopicArn: topic('chatTopic', 'ChatTopic'),
  topicEvents: key(
    'topicEvents',
    z.enum(['all', 'beginning-and-end']),
    'all or beginning-and-end',
    (_, which) => (which === 'all' ? TopicEvents.ALL : TopicEvents.BEGINNING_AND_END),
  ),
  historyRetentionDays: daysKept('historyRetention'),
  logRetentionDays: daysKept('logRetention'),
  logRemovalPolicy: key(
    'logRemovalPolicy',
    z.enum(['retain', 'destroy']),
    'retain or destroy',
    (_, policy) => (policy === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY),
  ),
};

function key<P extends keyof EcsAmiDeployProps, Value>(
  prop: P,
  schema: z.ZodType<Value>,
  may: string,
  toProp: (scope: Construct, value: Value) => EcsAmiDeployProps[P],
): DeploymentKey {
  return {
    prop,
    schema: schema.describe(may),
    read: (scope, value) => ({ [prop]: toProp(scope, schema.parse(value)) }),
  };
}

type Flag = 'acceptRevert' | 'dashboard' | 'drainTerminations' | 'events' | 'reserveConcurrency';

function flag(prop: Flag): DeploymentKey {
  return key(prop, boolean(), yesOrNo.may, (_, value) => value);
}

function topic(prop: 'alarmTopic' | 'eventTopic' | 'chatTopic', id: string): DeploymentKey {
  return key(prop, z.string().regex(TOPIC_ARN), 'the ARN of an SNS topic of the same Region', (scope, arn) =>
    Topic.fromTopicArn(scope, id, arn),
  );
}

function age(prop: AlarmAge, unit: 'hours' | 'days'): DeploymentKey {
  return time(prop, unit, ALARM_AGES[prop]);
}

function time(
  prop: AlarmAge | 'terminationTimeout',
  unit: keyof typeof AMOUNTS,
  { least, most }: { readonly least: Duration; readonly most: Duration },
): DeploymentKey {
  const amountIn = AMOUNTS[unit];
  const [from, to] = [amountIn(least), amountIn(most)];
  const within = number().pipe(z.number().min(from).max(to));
  return key(prop, within, `a number of ${unit} from ${from} to ${to}`, (_, amount) =>
    Duration[unit](amount),
  );
}

function daysKept(prop: 'historyRetention' | 'logRetention'): DeploymentKey {
  const may = `a number of days that CloudWatch Logs knows: ${DAYS_KEPT.join(', ')}`;
  return key(prop, number().pipe(z.literal(DAYS_KEPT)), may, (_, days) => days);
}

/** Every context key that the stack reads: one for each setting and each other prop of the construct. */
export const CONTEXT: Readonly<Record<string, z.ZodType>> = {
  ...SETTINGS,
  ...Object.fromEntries(Object.entries(DEPLOYMENT).map(([name, { schema }]) => [name, schema])),
};

/** Settings as text, one for each item of a list. */
export type SettingItems = Readonly<Partial<Record<RolloutSetting, readonly string[]>>>;

/** The settings among well-formed keys. */
export function settingsIn(values: Readonly<Record<string, unknown>>): SettingItems {
  const given = Object.entries(SETTINGS).filter(([key]) => key in values);
  return Object.fromEntries(
    given.map(([key, schema]) => [key, [schema.parse(values[key])].flat().map(String)]),
  );
}
