import { Duration, type StackProps, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { GROUP_TABLE, keysOf, nameInTags, TABLE } from '../lambda/settings/table.ts';
import { elsewhereFaults } from './elsewhere.ts';
import { settingsFaults } from './environment.ts';
import { membershipFaults } from './membership.ts';
import { ALARM_AGES } from './monitoring.ts';
import { nearest } from './nearest.ts';
import { PROP_NAMES } from './prop-names.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { SETTING_PROPS } from './setting-props.ts';
import { stateKeyFaults } from './state-key.ts';

/** The deployment can't be synthesized as configured. `faults` has one sentence for each thing to fix. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
  declare readonly faults: readonly string[];

  constructor(faults: readonly string[], advice?: string) {
    const list = ["This can't be deployed:", ...faults].join('\n  - ');
    super(advice === undefined ? list : `${list}\n${advice}`);
    // An app that doesn't catch it prints the stack and whatever else can be seen: the list once will do.
    Object.defineProperty(this, 'faults', { value: faults, enumerable: false });
    // Its own stack has the line at fault, and is the only one in which Node looks for `refuse`'s comment.
    delete this.stack;
  }
}

Object.defineProperty(DeploymentError.prototype, 'stack', {
  get(this: DeploymentError) {
    return `${this.name}: ${this.message}`;
  },
});

/** Ends synth. But for the comment Node prints the line that throws, too, where nobody catches it. */
export function refuse(faults: readonly string[], advice?: string): never {
  throw new DeploymentError(faults, advice); // node-do-not-add-exception-line
}

/** For how long an instance that ends outside a roll may take. */
export const TERMINATION_TIMEOUT = { least: Duration.minutes(5), most: Duration.hours(24) };

const A_CLUSTER =
  "one or more clusters of this app, or others by name: CfnCluster.fromClusterName(this, 'Web', 'web')";

/** Everything wrong with the props: the prop, its value, and what it may be. */
export function propFaults(scope: Construct, given: EcsAmiDeployProps): string[] {
  // An app without types may give anything.
  const { clusters = [] }: { readonly clusters?: unknown } = given;
  const areClusters = Array.isArray(clusters) && clusters.every((each) => each instanceof Object);
  const props: EcsAmiDeployProps = { ...given, clusters: areClusters ? clusters : [] };
  const none = areClusters
    ? emptyFaults('clusters', clusters, A_CLUSTER)
    : [`clusters was ${JSON.stringify(clusters)}; it may be ${A_CLUSTER}`];
  const faults = [...mistypedTagSettings(props), ...deploymentFaults(scope, props)];
  // The function would say of none that they are missing.
  return [...unknownProps(given), ...none, ...settingsFaults(props).slice(none.length), ...faults];
}

/** Only what resembles a prop that isn't given: an app may hand over props of its own beside ours. */
function unknownProps(given: EcsAmiDeployProps): string[] {
  return Object.keys(given).flatMap((name) => {
    const meant = [...PROP_NAMES, ...OF_STACKS].includes(name) ? undefined : nearest(name, PROP_NAMES);
    return meant === undefined || meant in given ? [] : [`${name} isn't a prop; did you mean ${meant}?`];
  });
}

/** Props of a stack that resemble ours. */
const OF_STACKS: readonly (keyof StackProps)[] = ['tags'];

/** What is wrong with the props other than what the function itself would find in its settings. */
export function deploymentFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  const names = props.autoScalingGroups?.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const { groups, alarmNames } = SETTING_PROPS;
  return [
    ...elsewhereFaults(scope, props),
    ...listFaults('groups', groups.texts(props), NO_COMMA, 'one group, with no comma in its name'),
    ...groupsOutOfReach(props, names),
    ...listFaults('alarms', alarmNames.texts(props), NO_COMMA, 'one alarm, with no comma in its name'),
    ...scheduleFaults(props.schedule),
    ...emptyFaults('drift', props.drift, 'one or more of image, launch-spec, age'),
    ...listFaults('topics', topicArns(props), STANDARD_TOPIC_ARN, 'a standard SNS topic, not a FIFO one'),
    ...fifoHooks(props),
    ...listFaults('autoScalingGroups', names, GROUP_NAME, 'the name of an Auto Scaling group'),
    ...emptyFaults('autoScalingGroups', names, 'one or more Auto Scaling groups, or left out to allow all'),
    ...emptyFaults('instanceRoles', props.instanceRoles, 'one or more IAM roles, or left out to allow all'),
    ...templateFaults(props),
    ...listFaults(
      'imageParameterNames',
      props.imageParameterNames,
      PARAMETER,
      'the name or ARN of an SSM parameter, which may end in *',
    ),
    ...stateKeyFaults(scope, props),
    ...generationFaults(props),
    ...keysOf(ALARM_AGES).flatMap((prop) => timeFaults(prop, props[prop], ALARM_AGES[prop])),
    ...terminationFaults(props),
    ...membershipFaults(scope, props),
  ];
}

export const EVENT_BUS_NAME = /^[\w./-]{1,256}$/;
export const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/;
/** SNS doesn't deliver messages of a FIFO topic to a function. */
const STANDARD_TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
export const GROUP_NAME = /^[^*:]{1,255}$/;
/** The environment separates groups and alarms by commas. */
const NO_COMMA = /^[^,]*$/;
const PARAMETER = /^(arn:aws[a-z-]*:ssm:[a-z0-9-]+:\d{12}:parameter\/)?[\w./-]+(:[\w.-]+)?\*?$/;
export const KEY_ARN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;
export const TEMPLATE_ID = /^lt-[0-9a-f]{8,17}$/;
export const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** IAM names a template by its id. */
function templateFaults({ launchTemplates }: EcsAmiDeployProps): string[] {
  const may = 'a launch template with an id, such as lt-0123456789abcdef0';
  const named = launchTemplates?.map(
    ({ launchTemplateId, launchTemplateName, node }) => launchTemplateId ?? launchTemplateName ?? node.path,
  );
  return [
    ...listFaults('launchTemplates', named, TEMPLATE_ID, may),
    ...emptyFaults('launchTemplates', named, 'one or more launch templates, or left out to allow all'),
  ];
}

function topicArns({ topics }: EcsAmiDeployProps): readonly string[] | undefined {
  return topics?.map(({ topicArn }) => topicArn);
}

/** A known ARN is a setting of the function, which says it itself. */
function fifoHooks(props: EcsAmiDeployProps): string[] {
  return (['onTrialPassed', 'beforeBatch'] as const).flatMap((prop) => {
    const { fifo, topicArn } = props[prop]?.topic ?? {};
    if (!fifo || !Token.isUnresolved(topicArn)) return [];
    return [`${prop} was a FIFO topic; it may be a Lambda function or a standard SNS topic`];
  });
}

function listFaults(
  prop: string,
  values: readonly string[] | undefined,
  pattern: RegExp,
  may: string,
): string[] {
  if (values === undefined || Token.isUnresolved(values)) return [];
  const known = values.filter((value) => !Token.isUnresolved(value));
  const malformed = known.filter((value) => !pattern.test(value));
  const repeated = known.filter((value, index) => known.indexOf(value) !== index);
  return [
    ...malformed.map((value) => `${prop} contains "${value}"; each may be ${may}`),
    ...repeated.map((value) => `${prop} contains "${value}" more than once`),
  ];
}

/** Every invocation would fail on a group to roll that the role may not change. */
function groupsOutOfReach({ groups = [] }: EcsAmiDeployProps, names: readonly string[] = []): string[] {
  if (names.length === 0 || names.some((name) => Token.isUnresolved(name))) return [];
  return groups
    .map(({ autoScalingGroup: { autoScalingGroupName } }) => autoScalingGroupName)
    .filter((name) => !Token.isUnresolved(name) && !names.includes(name))
    .map((name) => `groups contains "${name}", which autoScalingGroups doesn't: the role may not change it`);
}

/** An empty list doesn't mean the same as leaving it out. */
function emptyFaults(prop: string, values: readonly unknown[] | undefined, may: string): string[] {
  return values?.length === 0 ? [`${prop} was []; it may be ${may}`] : [];
}

/** Tags write settings in kebab case, props in camel case. */
export function mistypedTagSettings({
  tagSettings = [],
}: {
  readonly tagSettings?: readonly string[];
}): string[] {
  const names = keysOf(GROUP_TABLE).map((setting) => nameInTags(GROUP_TABLE[setting]));
  return tagSettings.flatMap((name) => {
    const meant = Token.isUnresolved(name) || names.includes(name) ? undefined : nearest(name, names);
    return meant === undefined ? [] : [`tagSettings contains "${name}"; did you mean ${meant}?`];
  });
}

function generationFaults({ stateKeyGeneration: generation }: EcsAmiDeployProps): string[] {
  const { read, may } = TABLE.stateKeyGeneration.parser;
  if (generation === undefined || Token.isUnresolved(generation) || read(String(generation)) !== undefined)
    return [];
  return [`stateKeyGeneration was ${generation}; it may be ${may}`];
}

function terminationFaults({
  drainTerminations,
  terminationTimeout,
  autoScalingGroups = [],
}: EcsAmiDeployProps): string[] {
  return [
    ...(drainTerminations && autoScalingGroups.length === 0
      ? ['drainTerminations was true; it needs autoScalingGroups, each of which gets the hook']
      : []),
    ...(terminationTimeout !== undefined && !drainTerminations
      ? ['terminationTimeout was set; it does nothing without drainTerminations']
      : []),
    ...timeFaults('terminationTimeout', terminationTimeout, TERMINATION_TIMEOUT),
  ];
}

function timeFaults(
  prop: keyof EcsAmiDeployProps,
  given: Duration | undefined,
  { least, most }: { readonly least: Duration; readonly most: Duration },
): string[] {
  if (given === undefined || given.isUnresolved()) return [];
  const seconds = given.toSeconds({ integral: false });
  if (seconds >= least.toSeconds() && seconds <= most.toSeconds()) return [];
  const may = `it may be from ${least.toHumanString()} to ${most.toHumanString()}`;
  return [`${prop} was ${given.toHumanString()}; ${may}`];
}
