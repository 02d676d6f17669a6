import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { GROUP_TABLE, keysOf, nameInTags, TABLE } from '../lambda/settings/table.ts';
import { elsewhereFaults } from './elsewhere.ts';
import { nameOf, settingsFaults } from './environment.ts';
import { LEAST_ROLLOUT_ALARM_AFTER, MOST_HELD_BACK_DAYS, MOST_ROLLOUT_ALARM_AFTER } from './monitoring.ts';
import { nearest } from './nearest.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { scheduleFaults } from './schedule-faults.ts';

/** A deployment that can't be synthesized as asked. `faults` has one sentence for each thing to put right. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], advice?: string) {
    const list = ['This cannot be deployed:', ...faults].join('\n  - ');
    super(advice === undefined ? list : `${list}\n${advice}`);
    this.faults = faults;
  }
}

/** All that is wrong with the props: the field, what it was and what it may be. */
export function propFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  return [
    ...settingsFaults(props),
    ...mistypedTagSettings(props),
    ...elsewhereFaults(scope, props),
    ...listFaults('groups', props.groups, NO_COMMA, 'one group, whose name has no comma in it'),
    ...groupsOutOfReach(props),
    ...listFaults(
      'alarmNames',
      props.alarmNames?.map(nameOf),
      NO_COMMA,
      'one alarm, whose name has no comma in it',
    ),
    ...scheduleFaults(props.schedule),
    ...emptyFaults('drift', props.drift, 'one or more of image, launch-spec, age'),
    ...listFaults(
      'topicArns',
      props.topicArns,
      STANDARD_TOPIC_ARN,
      'the ARN of an SNS topic that is not a FIFO one',
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
      'the names of one Auto Scaling group or more, or left out for all',
    ),
    ...emptyFaults(
      'instanceRoleArns',
      props.instanceRoleArns,
      'the ARNs of one IAM role or more, or left out for all',
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
/** SNS delivers no message of a FIFO topic to a function. */
const STANDARD_TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
const GROUP_NAME = /^[^*:]{1,255}$/;
/** Commas separate the groups, and the alarms, in the environment. */
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

/** A group that is to be rolled and that the role may not change would fail in each invocation. */
function groupsOutOfReach({ groups = [], autoScalingGroupNames: names }: EcsAmiDeployProps): string[] {
  if (names === undefined || names.length === 0 || Token.isUnresolved(names)) return [];
  if (names.some((name) => Token.isUnresolved(name))) return [];
  return groups
    .filter((group) => !Token.isUnresolved(group) && !names.includes(group.replace(/^[^:]*:/, '').trim()))
    .map(
      (group) =>
        `groups contains "${group}", which autoScalingGroupNames does not: the role may not change it`,
    );
}

/** An empty list is not the same as none. */
function emptyFaults(prop: string, values: readonly string[] | undefined, may: string): string[] {
  return values?.length === 0 ? [`${prop} was []; it may be ${may}`] : [];
}

/** Tags have another spelling than props. */
function mistypedTagSettings({ tagSettings = [] }: EcsAmiDeployProps): string[] {
  const names = keysOf(GROUP_TABLE).map((setting) => nameInTags(GROUP_TABLE[setting]));
  return tagSettings.flatMap((given) => {
    const meant = Token.isUnresolved(given) || names.includes(given) ? undefined : nearest(given, names);
    return meant === undefined ? [] : [`tagSettings contains "${given}"; did you mean ${meant}?`];
  });
}

function generationFaults({ stateKeyGeneration: given }: EcsAmiDeployProps): string[] {
  const { read, may } = TABLE.stateKeyGeneration.parser;
  if (given === undefined || Token.isUnresolved(given) || read(String(given)) !== undefined) return [];
  return [`stateKeyGeneration was ${given}; it may be ${may}`];
}

function heldBackFaults({ heldBackDays: given }: EcsAmiDeployProps): string[] {
  if (given === undefined || Token.isUnresolved(given)) return [];
  if (given >= 1 && given <= MOST_HELD_BACK_DAYS) return [];
  return [`heldBackDays was ${given}; it may be a number of days from 1 to ${MOST_HELD_BACK_DAYS}`];
}

function alarmFaults({ rolloutAlarmAfter }: EcsAmiDeployProps): string[] {
  if (rolloutAlarmAfter === undefined || rolloutAlarmAfter.isUnresolved()) return [];
  const [least, most] = [LEAST_ROLLOUT_ALARM_AFTER, MOST_ROLLOUT_ALARM_AFTER];
  const seconds = rolloutAlarmAfter.toSeconds({ integral: false });
  if (seconds >= least.toSeconds() && seconds <= most.toSeconds()) return [];
  const was = rolloutAlarmAfter.toHumanString();
  return [`rolloutAlarmAfter was ${was}; it may be from ${least.toHumanString()} to ${most.toHumanString()}`];
}
