import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { DeploymentError, propFaults } from './faults.ts';
import type { EcsAmiDeployProps } from './props.ts';

// What stands in cdk.json has JSON's types; what comes by `-c key=value` is text.
const number = () =>
  z.union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ]);
const boolean = () => z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const list = () => z.union([z.array(z.string()), z.string().transform(separated)]);
const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');
const DAYS_KEPT = RETENTION_DAYS.filter((days) => days !== RetentionDays.INFINITE);

/** The context that the stack reads, one key for each prop of the construct; a description is what a fault tells. */
const CONTEXT = z.object({
  clusters: list()
    .default([])
    .describe('the names or ARNs of ECS clusters, in a list or separated by commas'),
  groups: list()
    .optional()
    .describe('groups, each <group> or <cluster>:<group>, in a list or separated by commas'),
  groupConcurrency: number().optional().describe('a number of groups'),
  image: z.string().optional().describe('auto, ssm:<parameter>, name:<pattern> or ami-<id>'),
  imageOwner: z.string().optional().describe('an account id (as text), amazon, self or aws-marketplace'),
  minImageAgeDays: number().optional().describe('a number of days'),
  drift: list()
    .pipe(z.array(z.enum(['image', 'launch-spec', 'age'])))
    .optional()
    .describe('one or more of image, launch-spec, age, in a list or separated by commas'),
  maxInstanceAgeDays: number().optional().describe('a number of days'),
  maxSurge: z
    .union([z.number(), z.string()])
    .optional()
    .describe('a number of instances or a percentage, such as "50%"'),
  raiseMaxSize: boolean().optional().describe('true or false'),
  standby: z.enum(['skip', 'replace']).optional().describe('skip or replace'),
  sharedTemplates: z.enum(['block', 'update']).optional().describe('block or update'),
  drainConcurrency: number().optional().describe('a number of instances'),
  pollSeconds: number().optional().describe('a number of seconds'),
  stableSeconds: number().optional().describe('a number of seconds'),
  readyTimeoutSeconds: number().optional().describe('a number of seconds'),
  drainTimeoutSeconds: number().optional().describe('a number of seconds'),
  keepLaunchSpecs: number().optional().describe('a number of launch configurations or template versions'),
  schedule: z
    .string()
    .regex(/^(rate\([1-9]\d* (minutes?|hours?|days?)\)|cron\(\S+( \S+){5}\))$/)
    .optional()
    .describe('rate(<number> minutes|hours|days) or cron(<six fields>), such as rate(1 day)'),
  topicArns: list().optional().describe('the ARNs of SNS topics, in a list or separated by commas'),
  autoScalingGroupNames: list()
    .optional()
    .describe('names of Auto Scaling groups, in a list or separated by commas'),
  instanceRoleArns: list().optional().describe('ARNs of IAM roles, in a list or separated by commas'),
  imageParameterNames: list()
    .optional()
    .describe('names or ARNs of Systems Manager parameters, in a list or separated by commas'),
  reserveConcurrency: boolean().optional().describe('true or false'),
  rolloutAlarmAfterHours: number()
    .pipe(z.number().positive())
    .optional()
    .describe('a number of hours above 0'),
  alarmTopicArn: z
    .string()
    .startsWith('arn:')
    .optional()
    .describe('the ARN of an SNS topic of the same Region'),
  logRetentionDays: number()
    .pipe(z.literal(DAYS_KEPT))
    .optional()
    .describe(`a number of days that CloudWatch Logs knows: ${DAYS_KEPT.join(', ')}`),
  logRemovalPolicy: z.enum(['retain', 'destroy']).optional().describe('retain or destroy'),
});

const HOW_TO_SET =
  'Set these in the context of cdk.json, or for once by -c, as in `npx cdk deploy -c clusters=web,jobs`.';

const KEYS = Object.keys(CONTEXT.shape);

/**
 * The construct's props as the context has them.
 * @throws DeploymentError with every fault at once: malformed and unknown keys, and what the construct would refuse
 */
export function propsFromContext(scope: Construct): EcsAmiDeployProps {
  const given = givenContext(scope);
  const malformed = malformedKeys(given);
  const wellFormed = Object.entries(given).filter(([key]) => KEYS.includes(key) && !malformed.includes(key));
  const props = toProps(scope, CONTEXT.parse(Object.fromEntries(wellFormed)));
  const faults = [
    ...unknownKeys(given).map((key) => `${key} is no setting; there are ${KEYS.join(', ')}`),
    ...malformed.map((key) => malformedFault(key, given[key])),
    ...propFaults(scope, props).filter((fault) => !malformed.some((key) => names(fault, key))),
  ];
  if (faults.length > 0) throw new DeploymentError(faults, HOW_TO_SET);
  return props;
}

type Context = Readonly<Record<string, unknown>>;

function givenContext(scope: Construct): Context {
  const context: Context = scope.node.getAllContext();
  return Object.fromEntries(
    Object.entries(context).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function malformedKeys(given: Context): string[] {
  const issues = CONTEXT.safeParse(given).error?.issues ?? [];
  return [...new Set(issues.map(({ path }) => String(path[0])))];
}

function malformedFault(key: string, was: unknown): string {
  const may = Object.entries(CONTEXT.shape).find(([name]) => name === key)?.[1].description;
  return `${key} was ${JSON.stringify(was)}; it may be ${may}`;
}

/** Without the malformed key its neighbours may look wrong too, as an age without the word for it. */
function names(fault: string, key: string): boolean {
  return new RegExp(`\\b${key}\\b`).test(fault);
}

/** A mistyped key would be ignored silently. The CDK's own keys have a colon, a slash or a hyphen in them. */
function unknownKeys(given: Context): string[] {
  return Object.keys(given).filter((key) => /^\w+$/.test(key) && !KEYS.includes(key));
}

function toProps(scope: Construct, context: z.infer<typeof CONTEXT>): EcsAmiDeployProps {
  const { schedule, rolloutAlarmAfterHours, alarmTopicArn, logRetentionDays, logRemovalPolicy, ...same } =
    context;
  return {
    ...same,
    schedule: mapped(schedule, Schedule.expression),
    rolloutAlarmAfter: mapped(rolloutAlarmAfterHours, Duration.hours),
    alarmTopic: mapped(alarmTopicArn, (arn) => Topic.fromTopicArn(scope, 'AlarmTopic', arn)),
    logRetention: logRetentionDays,
    logRemovalPolicy: mapped(logRemovalPolicy, (policy) =>
      policy === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ),
  };
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value);
}

function separated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
