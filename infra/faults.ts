import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { GROUP_TABLE, keysOf, nameInTags, TABLE } from '../lambda/settings/table.ts';
import { elsewhereFaults } from './elsewhere.ts';
import { nameOf, settingsFaults } from './environment.ts';
import { LEAST_ROLLOUT_ALARM_AFTER, MOST_HELD_BACK_DAYS, MOST_ROLLOUT_ALARM_AFTER } from './monitoring.ts';
import { nearest } from './nearest.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { scheduleFaults } from './schedule-faults.ts';

/** The deployment can't be synthesized as configured. `faults` has one sentence for each thing to fix. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], advice?: string) {
    const list = ["This can't be deployed:", ...faults].join('\n  - ');
    super(advice === undefined ? list : `${list}\n${advice}`);
    this.faults = faults;
  }
}

/** Everything wrong with the props: the prop, its value, and what it may be. */
export function propFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  return [
    ...settingsFaults(props),
    ...mistypedTagSettings(props),
    ...elsewhereFaults(scope, props),
    ...listFaults('groups', props.groups, NO_COMMA, 'one group, with no comma in its name'),
    ...groupsOutOfReach(props),
    ...listFaults(
      'alarmNames',
      props.alarmNames?.map(nameOf),
      NO_COMMA,
      'one alarm, with no comma in its name',
    ),
    ...scheduleFaults(props.schedule),
    ...emptyFaults('drift', props.drift, 'one or more of image, launch-spec, age'),
    ...listFaults(
      'topicArns',
      props.topicArns,
      STANDARD_TOPIC_ARN,
      'the ARN of a standard SNS topic, not a FIFO one',
    ),
    ...listFaults(
      'autoScalingGroupNames',
      props.autoScalingGroupNames,
      GROUP_NAME,
      'the name of an Auto Scaling group',
    ),
    ...emptyFaults(
      'autoScalingGroupNames',
      props.autoScalingGroupNames,
      'one or more names of Auto Scaling groups, or left out to allow all',
    ),
    ...emptyFaults(
      'instanceRoleArns',
      props.instanceRoleArns,
      'one or more ARNs of IAM roles, or left out to allow all',
    ),
    ...listFaults('instanceRoleArns', props.instanceRoleArns, ROLE_ARN, 'the ARN of an IAM role'),
    ...listFaults(
      'imageParameterNames',
      props.imageParameterNames,
      PARAMETER,
      'the name or ARN of an SSM parameter, which may end in *',
    ),
    ...generationFaults(props),
    ...heldBackFaults(props),
    ...alarmFaults(props),
  ];
}

export const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/;
/** SNS doesn't deliver messages of a FIFO topic to a function. */
const STANDARD_TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
const GROUP_NAME = /^[^*:]{1,255}$/;
/** The environment separates groups and alarms by commas. */
const NO_COMMA = /^[^,]*$/;
const PARAMETER = /^(arn:aws[a-z-]*:ssm:[a-z0-9-]+:\d{12}:parameter\/)?[\w./-]+(:[\w.-]+)?\*?$/;
export const KEY_ARN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

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
function groupsOutOfReach({ groups = [], autoScalingGroupNames: names }: EcsAmiDeployProps): string[] {
  if (names === undefined || names.length === 0 || Token.isUnresolved(names)) return [];
  if (names.some((name) => Token.isUnresolved(name))) return [];
  return groups
    .filter((group) => !Token.isUnresolved(group) && !names.includes(group.replace(/^[^:]*:/, '').trim()))
    .map(
      (group) =>
        `groups contains "${group}", which autoScalingGroupNames doesn't: the role may not change it`,
    );
}

/** An empty list doesn't mean the same as leaving it out. */
function emptyFaults(prop: string, values: readonly string[] | undefined, may: string): string[] {
  return values?.length === 0 ? [`${prop} was []; it may be ${may}`] : [];
}

/** Tags write settings in kebab case, props in camel case. */
function mistypedTagSettings({ tagSettings = [] }: EcsAmiDeployProps): string[] {
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

function heldBackFaults({ heldBackDays: days }: EcsAmiDeployProps): string[] {
  if (days === undefined || Token.isUnresolved(days)) return [];
  if (days >= 1 && days <= MOST_HELD_BACK_DAYS) return [];
  return [`heldBackDays was ${days}; it may be a number of days from 1 to ${MOST_HELD_BACK_DAYS}`];
}

function alarmFaults({ rolloutAlarmAfter }: EcsAmiDeployProps): string[] {
  if (rolloutAlarmAfter === undefined || rolloutAlarmAfter.isUnresolved()) return [];
  const [least, most] = [LEAST_ROLLOUT_ALARM_AFTER, MOST_ROLLOUT_ALARM_AFTER];
  const seconds = rolloutAlarmAfter.toSeconds({ integral: false });
  if (seconds >= least.toSeconds() && seconds <= most.toSeconds()) return [];
  const was = rolloutAlarmAfter.toHumanString();
  return [`rolloutAlarmAfter was ${was}; it may be from ${least.toHumanString()} to ${most.toHumanString()}`];
}
