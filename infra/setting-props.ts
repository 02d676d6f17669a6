import { Duration, TimeZone, Tokenization } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Alarm, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { aws_ecs } from 'aws-cdk-lib/interfaces';
import type { Construct } from 'constructs';
import { ROLLOUT_TABLE, type RolloutSetting } from '../lambda/settings/table.ts';
import {
  DrainConcurrency,
  DriftCause,
  ImageOwner,
  ImageSource,
  MaintenanceWindow,
  Mode,
  OnDrainTimeout,
  RollHook,
  SharedTemplates,
  StandaloneTasks,
  StandbyInstances,
  Surge,
  TerminateHooks,
} from './choices.ts';
import type { ClusterGroup, RolloutSettings } from './rollout-settings.ts';

/** The prop that holds a setting, whose value the function's environment and the context have as text. */
export interface SettingProp {
  readonly prop: keyof RolloutSettings;
  /** One text for each item of a list; none if the prop isn't set. */
  texts(settings: RolloutSettings): readonly string[];
  /** The prop, from texts that the function can read. */
  read(texts: readonly string[], around: Around): Partial<RolloutSettings>;
}

/** What the resources that texts name belong to, and the clusters that were read before. */
interface Around {
  readonly scope: Construct;
  readonly clusters: readonly aws_ecs.IClusterRef[];
}

/** How a prop, or an item of its list, is written as text and read from it. */
interface AsText<Value> {
  write(value: Value): string;
  read(text: string, around: Around, index: number): Value | undefined;
}

const TEXT: AsText<string> = { write: String, read: String };
const NUMBER: AsText<number> = { write: Tokenization.stringifyNumber, read: Number };
const YES_OR_NO: AsText<boolean> = { write: String, read: (text) => /^true$/i.test(text) };
const SECONDS = time(Duration.seconds, (duration) => duration.toSeconds({ integral: false }));
const MINUTES = time(Duration.minutes, (duration) => duration.toMinutes({ integral: false }));
const DAYS = time(Duration.days, (duration) => duration.toDays({ integral: false }));
const IMAGE: AsText<ImageSource> = { write: String, read: ImageSource.expression };
const OWNER: AsText<ImageOwner> = { write: String, read: ImageOwner.account };

/** A prop of the construct for each setting of the function. */
export const SETTING_PROPS: Readonly<Record<RolloutSetting, SettingProp>> = {
  clusters: list('clusters', { write: ({ clusterRef }) => clusterRef.clusterName, read: cluster }),
  groups: list('groups', { write: groupText, read: group }),
  groupConcurrency: one('groupConcurrency', NUMBER),
  pollSeconds: one('pollInterval', SECONDS),
  changeCalendars: list('changeCalendars', TEXT),
  onTrialPassed: one('onTrialPassed', hook('OnTrialPassed')),
  beforeBatch: one('beforeBatch', hook('BeforeBatch')),
  hookTimeoutMinutes: one('hookTimeout', MINUTES),
  mode: one('mode', choice(Mode.ROLL, Mode.PLAN)),
  announceMinutes: one('announceTime', MINUTES),
  windows: {
    prop: 'windows',
    texts: ({ windows = [] }) => windows.map(String),
    read: (texts) => ({ windows: windowsIn(texts) }),
  },
  image: one('image', IMAGE),
  imageOwner: one('imageOwner', OWNER),
  minImageAgeDays: one('minImageAge', DAYS),
  drift: list('drift', choice(DriftCause.IMAGE, DriftCause.LAUNCH_SPEC, DriftCause.AGE)),
  maxInstanceAgeDays: one('maxInstanceAge', DAYS),
  maxSurge: one('maxSurge', { write: String, read: surge }),
  raiseMaxSize: one('raiseMaxSize', YES_OR_NO),
  standby: one('standby', choice(StandbyInstances.SKIP, StandbyInstances.REPLACE)),
  terminateHooks: one('terminateHooks', choice(TerminateHooks.SKIP, TerminateHooks.RUN)),
  sharedTemplates: one('sharedTemplates', choice(SharedTemplates.BLOCK, SharedTemplates.UPDATE)),
  canary: one('canary', NUMBER),
  bakeSeconds: one('bakeTime', SECONDS),
  alarmNames: list('alarms', { write: ({ alarmName }) => alarmName, read: alarm }),
  alarmTimeoutSeconds: one('alarmTimeout', SECONDS),
  drainConcurrency: one('drainConcurrency', { write: String, read: drains }),
  stableSeconds: one('stableTime', SECONDS),
  readyTimeoutSeconds: one('readyTimeout', SECONDS),
  drainTimeoutSeconds: one('drainTimeout', SECONDS),
  onDrainTimeout: one('onDrainTimeout', choice(OnDrainTimeout.HOLD, OnDrainTimeout.FORCE)),
  standaloneTasks: one('standaloneTasks', choice(StandaloneTasks.WAIT, StandaloneTasks.STOP)),
  keepLaunchSpecs: one('keepLaunchSpecs', NUMBER),
  tagSettings: list('tagSettings', TEXT),
  tagImages: list('tagImages', IMAGE),
  tagImageOwners: list('tagImageOwners', OWNER),
};

type Props = Required<RolloutSettings>;
type ListProp = { [P in keyof Props]: Props[P] extends readonly unknown[] ? P : never }[keyof Props];

function one<P extends keyof Props>(prop: P, { write, read }: AsText<Props[P]>): SettingProp {
  return {
    prop,
    texts: (settings) => {
      const value: Partial<Props>[P] = settings[prop];
      return value === undefined ? [] : [write(value)];
    },
    read: ([text], around) => (text === undefined ? {} : { [prop]: read(text.trim(), around, 0) }),
  };
}

function list<P extends ListProp>(prop: P, { write, read }: AsText<Props[P][number]>): SettingProp {
  return {
    prop,
    texts: (settings) => {
      const items: readonly Props[P][number][] = settings[prop] ?? [];
      return items.map(write);
    },
    read: (texts, around) => ({
      [prop]: texts
        .map((text, index) => read(text.trim(), around, index))
        .filter((item) => item !== undefined),
    }),
  };
}

function time(of: (amount: number) => Duration, amountIn: (duration: Duration) => number): AsText<Duration> {
  return {
    write: (duration) => Tokenization.stringifyNumber(amountIn(duration)),
    read: (text) => of(Number(text)),
  };
}

function choice<Choice>(...choices: readonly Choice[]): AsText<Choice> {
  return { write: String, read: (text) => choices.find((each) => String(each) === text) };
}

function surge(text: string): Surge {
  const number = Number.parseInt(text, 10);
  return text.endsWith('%') ? Surge.percent(number) : Surge.instances(number);
}

function drains(text: string): DrainConcurrency {
  return text === 'auto' ? DrainConcurrency.AUTO : DrainConcurrency.instances(Number(text));
}

/** The items may be no windows yet: text is divided at each comma, which cron expressions have, too. */
function windowsIn(items: readonly string[]): MaintenanceWindow[] {
  const [windows = []] = ROLLOUT_TABLE.windows.parser.read(items.join(',')) ?? [];
  return windows.map(({ cron, minutes, timeZone }) =>
    MaintenanceWindow.cron(cron, { duration: Duration.minutes(minutes), timeZone: TimeZone.of(timeZone) }),
  );
}

function hook(id: string): AsText<RollHook> {
  return {
    write: String,
    read: (arn, { scope }) =>
      arn.split(':')[2] === 'sns'
        ? RollHook.approval(Topic.fromTopicArn(scope, id, arn))
        : RollHook.lambdaFunction(LambdaFunction.fromFunctionArn(scope, id, arn)),
  };
}

function alarm(name: string, { scope }: Around, index: number): IAlarm {
  return Alarm.fromAlarmName(scope, `Alarm${index + 1}`, name);
}

function cluster(text: string, { scope }: Around, index: number): aws_ecs.IClusterRef {
  const id = `Cluster${index + 1}`;
  return text.startsWith('arn:')
    ? CfnCluster.fromClusterArn(scope, id, text)
    : CfnCluster.fromClusterName(scope, id, text);
}

/** A group of none of the clusters has a fault of its own. */
function group(text: string, { scope, clusters }: Around, index: number): ClusterGroup {
  const [name = '', clusterName] = text.split(':').reverse();
  return {
    autoScalingGroup: AutoScalingGroup.fromAutoScalingGroupName(scope, `Group${index + 1}`, name.trim()),
    cluster: clusters.find(({ clusterRef }) => clusterRef.clusterName === clusterName?.trim()),
  };
}

function groupText({ autoScalingGroup: { autoScalingGroupName }, cluster }: ClusterGroup): string {
  const prefix = cluster === undefined ? '' : `${cluster.clusterRef.clusterName}:`;
  return `${prefix}${autoScalingGroupName}`;
}
