import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { CONTEXT, deploymentIn, settingsIn } from './context-keys.ts';
import { DeploymentError, propFaults } from './faults.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { unknownKeys } from './unknown-keys.ts';

const HOW_TO_SET =
  'Set these in the context of cdk.json, or just once with -c: `npx cdk deploy -c clusters=web,jobs`.';

/**
 * Props that narrow the role. Unlike other keys an empty one isn't ignored: that would leave the role as
 * wide as possible, the opposite of what somebody meant.
 */
const NARROWING: readonly string[] = ['autoScalingGroupNames', 'instanceRoleArns'];

/**
 * Reads the construct's props from the context.
 * @throws DeploymentError with every fault at once: malformed keys, unknown keys, and whatever the
 *   construct would reject
 */
export function propsFromContext(scope: Construct): EcsAmiDeployProps {
  const context = nonEmptyContext(scope);
  const malformed = malformedKeys(context);
  const wellFormed = Object.fromEntries(Object.entries(context).filter(([key]) => !malformed.includes(key)));
  const props = toProps(scope, wellFormed);
  const faults = [
    ...unknownKeys(Object.keys(context), Object.keys(CONTEXT)),
    ...malformed.map(
      (key) => `${key} was ${JSON.stringify(context[key])}; it may be ${CONTEXT[key]?.description}`,
    ),
    ...propFaults(scope, props)
      // These two props have other names than their context keys.
      .map((fault) => fault.replace(/^(alarmTopic|stateKey) /, '$1Arn '))
      .filter((fault) => !malformed.some((key) => isAbout(fault, key))),
  ];
  if (faults.length > 0) throw new DeploymentError(faults.map(inContext), HOW_TO_SET);
  return props;
}

type Context = Readonly<Record<string, unknown>>;

function nonEmptyContext(scope: Construct): Context {
  const context: Context = scope.node.getAllContext();
  return Object.fromEntries(
    Object.entries(context).filter(
      ([key, value]) => value !== undefined && (value !== '' || NARROWING.includes(key)),
    ),
  );
}

function malformedKeys(context: Context): string[] {
  return Object.entries(CONTEXT).flatMap(([key, schema]) =>
    key in context && !schema.safeParse(context[key]).success ? [key] : [],
  );
}

/** The environment takes text only; the context takes a list too. */
function inContext(fault: string): string {
  return fault.replace('separated by commas', 'in a list or separated by commas');
}

/**
 * Without the malformed key its neighbours may look wrong too, such as `maxInstanceAgeDays` when `drift` is
 * malformed. Quoted values and the allowed ones are stripped first, as they may contain the key's name.
 */
function isAbout(fault: string, key: string): boolean {
  const said = fault.replaceAll(/"[^"]*"/g, '').replace(/; (it|each) may be .*/, '');
  return new RegExp(`\\b${key}\\b`).test(said);
}

function toProps(scope: Construct, context: Context): EcsAmiDeployProps {
  const deployment = deploymentIn(context);
  const { schedule, stateKeyArn, alarmTopicArn, logRetentionDays, logRemovalPolicy, ...others } = deployment;
  const { rolloutAlarmAfterHours, ...same } = others;
  return {
    clusters: [],
    ...settingsIn(context),
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
