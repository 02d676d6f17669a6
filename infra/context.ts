import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { allowed, isSetting } from './environment.ts';
import { DeploymentError, KEY_ARN, MOST_GENERATIONS, propFaults, TOPIC_ARN } from './faults.ts';
import { LEAST_ROLLOUT_ALARM_AFTER, MOST_HELD_BACK_DAYS, MOST_ROLLOUT_ALARM_AFTER } from './monitoring.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { unknownKeys } from './unknown-keys.ts';

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
// An account id in cdk.json may well be a number.
const accountOrWord = () => z.union([z.string(), z.number().transform(String)]);
const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');
const LEAST_HOURS = LEAST_ROLLOUT_ALARM_AFTER.toHours({ integral: false });
const MOST_HOURS = MOST_ROLLOUT_ALARM_AFTER.toHours();
const DAYS_KEPT = RETENTION_DAYS.filter((days) => days !== RetentionDays.INFINITE);

/**
 * The context that the stack reads, one key for each prop of the construct. A description is what a fault tells, where
 * the function doesn't say itself what the setting may be.
 */
const CONTEXT = z.object({
  clusters: list().default([]),
  groups: list().optional(),
  groupConcurrency: number().optional(),
  image: z.string().optional(),
  imageOwner: accountOrWord().optional(),
  minImageAgeDays: number().optional(),
  drift: list()
    .pipe(z.array(z.enum(['image', 'launch-spec', 'age'])))
    .optional(),
  maxInstanceAgeDays: number().optional(),
  maxSurge: z.union([z.number(), z.string()]).optional(),
  raiseMaxSize: boolean().optional(),
  standby: z.enum(['skip', 'replace']).optional(),
  terminateHooks: z.enum(['skip', 'run']).optional(),
  sharedTemplates: z.enum(['block', 'update']).optional(),
  canary: number().optional(),
  bakeSeconds: number().optional(),
  alarmNames: list().optional(),
  alarmTimeoutSeconds: number().optional(),
  drainConcurrency: number().optional(),
  pollSeconds: number().optional(),
  stableSeconds: number().optional(),
  readyTimeoutSeconds: number().optional(),
  drainTimeoutSeconds: number().optional(),
  onDrainTimeout: z.enum(['hold', 'force']).optional(),
  standaloneTasks: z.enum(['wait', 'stop']).optional(),
  keepLaunchSpecs: number().optional(),
  tagSettings: list().optional(),
  tagImages: list().optional(),
  tagImageOwners: z
    .union([list(), z.array(accountOrWord()), accountOrWord().transform(separated)])
    .optional(),
  schedule: z
    .string()
    .optional()
    .describe('text: rate(<number> minutes|hours|days) or cron(<six fields>), such as rate(1 day)'),
  topicArns: list().optional().describe('the ARNs of SNS topics, in a list or separated by commas'),
  autoScalingGroupNames: list()
    .optional()
    .describe('names of Auto Scaling groups, in a list or separated by commas'),
  instanceRoleArns: list().optional().describe('ARNs of IAM roles, in a list or separated by commas'),
  imageParameterNames: list()
    .optional()
    .describe('names or ARNs of Systems Manager parameters, in a list or separated by commas'),
  stateKeyArn: z.string().regex(KEY_ARN).optional().describe('the ARN of a KMS key, not of an alias'),
  stateKeyGeneration: number().optional().describe(`a whole number from 1 to ${MOST_GENERATIONS}`),
  reserveConcurrency: boolean().optional().describe('true or false'),
  rolloutAlarmAfterHours: number()
    .pipe(z.number().min(LEAST_HOURS).max(MOST_HOURS))
    .optional()
    .describe(`a number of hours from ${LEAST_HOURS} to ${MOST_HOURS}`),
  heldBackDays: number().optional().describe(`a number of days from 1 to ${MOST_HELD_BACK_DAYS}`),
  alarmTopicArn: z
    .string()
    .regex(TOPIC_ARN)
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
    ...unknownKeys(Object.keys(given), KEYS),
    ...malformed.map((key) => malformedFault(key, given[key])),
    ...propFaults(scope, props)
      // The props with other names than their keys that may be at fault where the key is well-formed.
      .map((fault) => fault.replace(/^(alarmTopic|stateKey) /, '$1Arn '))
      .filter((fault) => !malformed.some((key) => names(fault, key))),
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
  const description = Object.entries(CONTEXT.shape).find(([name]) => name === key)?.[1].description;
  const may = isSetting(key) ? inContext(allowed(key)) : `it may be ${description}`;
  return `${key} was ${JSON.stringify(was)}; ${may}`;
}

/** Where the environment has text only, the context may have a list too. */
function inContext(may: string): string {
  return may.replace('separated by commas', 'in a list or separated by commas');
}

/** Without the malformed key its neighbours may look wrong too, as an age without the word for it. */
function names(fault: string, key: string): boolean {
  return new RegExp(`\\b${key}\\b`).test(fault);
}

function toProps(scope: Construct, context: z.infer<typeof CONTEXT>): EcsAmiDeployProps {
  const { schedule, stateKeyArn, alarmTopicArn, logRetentionDays, logRemovalPolicy, ...others } = context;
  const { rolloutAlarmAfterHours, ...same } = others;
  return {
    ...same,
    schedule: mapped(schedule, Schedule.expression),
    stateKey: mapped(stateKeyArn, (arn) => Key.fromKeyArn(scope, 'StateKey', arn)),
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
