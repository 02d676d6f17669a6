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
  'Set these in the context of cdk.json, or for once by -c, as in `npx cdk deploy -c clusters=web,jobs`.';

/**
 * Keys that narrow the role. Ignored if empty, they would leave it as wide as can be, though somebody wanted
 * the opposite.
 */
const NARROWING: readonly string[] = ['autoScalingGroupNames', 'instanceRoleArns'];

/**
 * Reads the construct's props from the context.
 * @throws DeploymentError with every fault at once: malformed and unknown keys, and what the construct would
 * refuse
 */
export function propsFromContext(scope: Construct): EcsAmiDeployProps {
  const given = givenContext(scope);
  const malformed = malformedKeys(given);
  const wellFormed = Object.fromEntries(Object.entries(given).filter(([key]) => !malformed.includes(key)));
  const props = toProps(scope, wellFormed);
  const faults = [
    ...unknownKeys(Object.keys(given), Object.keys(CONTEXT)),
    ...malformed.map(
      (key) => `${key} was ${JSON.stringify(given[key])}; it may be ${CONTEXT[key]?.description}`,
    ),
    ...propFaults(scope, props)
      // Two props have another name than their key.
      .map((fault) => fault.replace(/^(alarmTopic|stateKey) /, '$1Arn '))
      .filter((fault) => !malformed.some((key) => isAbout(fault, key))),
  ];
  if (faults.length > 0) throw new DeploymentError(faults.map(inContext), HOW_TO_SET);
  return props;
}

type Context = Readonly<Record<string, unknown>>;

function givenContext(scope: Construct): Context {
  const context: Context = scope.node.getAllContext();
  return Object.fromEntries(
    Object.entries(context).filter(
      ([key, value]) => value !== undefined && (value !== '' || NARROWING.includes(key)),
    ),
  );
}

function malformedKeys(given: Context): string[] {
  return Object.entries(CONTEXT).flatMap(([key, schema]) =>
    key in given && !schema.safeParse(given[key]).success ? [key] : [],
  );
}

/** The environment has only text; the context may have a list too. */
function inContext(fault: string): string {
  return fault.replace('separated by commas', 'in a list or separated by commas');
}

/**
 * Whether a fault may only be there because a malformed key is missing, such as that of an age without
 * `drift`. What was given, and what may be, can have the key's name in it by chance.
 */
function isAbout(fault: string, key: string): boolean {
  const said = fault.replaceAll(/"[^"]*"/g, '').replace(/; (it|each) may be .*/, '');
  return new RegExp(`\\b${key}\\b`).test(said);
}

function toProps(scope: Construct, given: Context): EcsAmiDeployProps {
  const deployment = deploymentIn(given);
  const { schedule, stateKeyArn, alarmTopicArn, logRetentionDays, logRemovalPolicy, ...others } = deployment;
  const { rolloutAlarmAfterHours, ...same } = others;
  return {
    clusters: [],
    ...settingsIn(given),
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
