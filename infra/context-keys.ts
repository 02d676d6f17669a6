import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { type Parser, yesOrNo } from '../lambda/settings/parsers.ts';
import { keysOf, ROLLOUT_TABLE, type RolloutSetting, TABLE } from '../lambda/settings/table.ts';
import { EVENT_BUS_NAME, GROUP_NAME, KEY_ARN, ROLE_ARN, TEMPLATE_ID, TOPIC_ARN } from './faults.ts';
import {
  LEAST_HELD_BACK_AFTER,
  LEAST_IMAGE_AGE_ALARM_AFTER,
  LEAST_ROLLOUT_ALARM_AFTER,
  MOST_HELD_BACK_AFTER,
  MOST_IMAGE_AGE_ALARM_AFTER,
  MOST_ROLLOUT_ALARM_AFTER,
} from './monitoring.ts';

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

const LEAST_HOURS = LEAST_ROLLOUT_ALARM_AFTER.toHours({ integral: false });
const MOST_HOURS = MOST_ROLLOUT_ALARM_AFTER.toHours();
const LEAST_DAYS = LEAST_HELD_BACK_AFTER.toDays();
const MOST_DAYS = MOST_HELD_BACK_AFTER.toDays();
const LEAST_IMAGE_DAYS = LEAST_IMAGE_AGE_ALARM_AFTER.toDays();
const MOST_IMAGE_DAYS = MOST_IMAGE_AGE_ALARM_AFTER.toDays();
const DAYS_KEPT = Object.values(RetentionDays)
  .filter((days) => typeof days === 'number')
  .filter((days) => days !== RetentionDays.INFINITE);

/** The construct's other props. Each description says what the value may be. */
const DEPLOYMENT = z.object({
  schedule: z
    .string()
    .optional()
    .describe('text: rate(<number> minutes|hours|days) or cron(<six fields>), such as cron(0 3 * * ? *)'),
  topicArns: listOf(TOPIC_ARN).optional().describe('the ARNs of SNS topics, separated by commas'),
  autoScalingGroupNames: listOf(GROUP_NAME)
    .optional()
    .describe('names of Auto Scaling groups, separated by commas'),
  instanceRoleArns: listOf(ROLE_ARN).optional().describe('ARNs of IAM roles, separated by commas'),
  launchTemplateIds: listOf(TEMPLATE_ID).optional().describe('ids of launch templates, separated by commas'),
  imageParameterNames: list()
    .optional()
    .describe('names or ARNs of Systems Manager parameters, separated by commas'),
  stateKeyArn: z.string().regex(KEY_ARN).optional().describe('the ARN of a KMS key, not of an alias'),
  stateKeyGeneration: number().optional().describe(TABLE.stateKeyGeneration.parser.may),
  reserveConcurrency: boolean().optional().describe(yesOrNo.may),
  rolloutAlarmAfterHours: number()
    .pipe(z.number().min(LEAST_HOURS).max(MOST_HOURS))
    .optional()
    .describe(`a number of hours from ${LEAST_HOURS} to ${MOST_HOURS}`),
  heldBackDays: number()
    .pipe(z.number().min(LEAST_DAYS).max(MOST_DAYS))
    .optional()
    .describe(`a number of days from ${LEAST_DAYS} to ${MOST_DAYS}`),
  imageAgeAlarmDays: number()
    .pipe(z.number().min(LEAST_IMAGE_DAYS).max(MOST_IMAGE_DAYS))
    .optional()
    .describe(`a number of days from ${LEAST_IMAGE_DAYS} to ${MOST_IMAGE_DAYS}`),
  metricDetail: z.enum(['function', 'group']).optional().describe('function or group'),
  dashboard: boolean().optional().describe(yesOrNo.may),
  alarmTopicArn: z
    .string()
    .regex(TOPIC_ARN)
    .optional()
    .describe('the ARN of an SNS topic of the same Region'),
  events: boolean().optional().describe(yesOrNo.may),
  eventBusName: z.string().regex(EVENT_BUS_NAME).optional().describe('the name of an EventBridge event bus'),
  eventTopicArn: z
    .string()
    .regex(TOPIC_ARN)
    .optional()
    .describe('the ARN of an SNS topic of the same Region'),
  chatTopicArn: z.string().regex(TOPIC_ARN).optional().describe('the ARN of an SNS topic of the same Region'),
  historyRetentionDays: number()
    .pipe(z.literal(DAYS_KEPT))
    .optional()
    .describe(`a number of days that CloudWatch Logs knows: ${DAYS_KEPT.join(', ')}`),
  logRetentionDays: number()
    .pipe(z.literal(DAYS_KEPT))
    .optional()
    .describe(`a number of days that CloudWatch Logs knows: ${DAYS_KEPT.join(', ')}`),
  logRemovalPolicy: z.enum(['retain', 'destroy']).optional().describe('retain or destroy'),
});

/** Every context key that the stack reads: one for each setting and each other prop of the construct. */
export const CONTEXT: Readonly<Record<string, z.ZodType>> = { ...SETTINGS, ...DEPLOYMENT.shape };

/** Settings as text, one for each item of a list. */
export type SettingItems = Readonly<Partial<Record<RolloutSetting, readonly string[]>>>;

/** The settings among well-formed keys. */
export function settingsIn(values: Readonly<Record<string, unknown>>): SettingItems {
  const given = Object.entries(SETTINGS).filter(([key]) => key in values);
  return Object.fromEntries(
    given.map(([key, schema]) => [key, [schema.parse(values[key])].flat().map(String)]),
  );
}

/** The deployment props among well-formed keys. */
export function deploymentIn(values: Readonly<Record<string, unknown>>): z.infer<typeof DEPLOYMENT> {
  return DEPLOYMENT.parse(values);
}
