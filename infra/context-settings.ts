import { Duration, TimeZone } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { aws_ecs } from 'aws-cdk-lib/interfaces';
import type { Construct } from 'constructs';
import { keysOf, ROLLOUT_TABLE, type RolloutSetting } from '../lambda/settings/table.ts';
import {
  DrainConcurrency,
  DriftCause,
  ImageOwner,
  ImageSource,
  OnDrainTimeout,
  SharedTemplates,
  StandaloneTasks,
  StandbyInstances,
  Surge,
  TerminateHooks,
} from './choices.ts';
import type { SettingItems } from './context-keys.ts';
import { RollHook } from './roll-hook.ts';
import type { ClusterGroup, RolloutSettings } from './rollout-settings.ts';
import { MaintenanceWindow, Mode } from './times.ts';

/** The props of settings that the context gives as text. Those that can't be read are left out. */
export function settingsFromText(scope: Construct, given: SettingItems): RolloutSettings {
  const items = Object.fromEntries(
    keysOf(given)
      .filter(isReadable(given))
      .map((key) => [key, given[key]]),
  );
  const one = oneOf(items);
  const list = listOf(items);
  const clusters = list('clusters', (text, index) => cluster(scope, text, index)) ?? [];
  return {
    clusters,
    groups: list('groups', (text, index) => group(scope, text, index, clusters)),
    groupConcurrency: one('groupConcurrency', Number),
    pollInterval: one('pollSeconds', seconds),
    changeCalendars: list('changeCalendars', String),
    onTrialPassed: one('onTrialPassed', hook(scope, 'OnTrialPassed')),
    beforeBatch: one('beforeBatch', hook(scope, 'BeforeBatch')),
    hookTimeout: one('hookTimeoutMinutes', minutes),
    mode: one('mode', choice(Mode.ROLL, Mode.PLAN)),
    announceTime: one('announceMinutes', minutes),
    windows: items.windows && windowsIn(items.windows),
    image: one('image', ImageSource.expression),
    imageOwner: one('imageOwner', ImageOwner.account),
    minImageAge: one('minImageAgeDays', days),
    drift: list('drift', choice(DriftCause.IMAGE, DriftCause.LAUNCH_SPEC, DriftCause.AGE)),
    maxInstanceAge: one('maxInstanceAgeDays', days),
    maxSurge: one('maxSurge', surge),
    raiseMaxSize: one('raiseMaxSize', (text) => /^true$/i.test(text)),
    standby: one('standby', choice(StandbyInstances.SKIP, StandbyInstances.REPLACE)),
    terminateHooks: one('terminateHooks', choice(TerminateHooks.SKIP, TerminateHooks.RUN)),
    sharedTemplates: one('sharedTemplates', choice(SharedTemplates.BLOCK, SharedTemplates.UPDATE)),
    canary: one('canary', Number),
    bakeTime: one('bakeSeconds', seconds),
    alarms: list('alarmNames', (text, index) => Alarm.fromAlarmName(scope, `Alarm${index + 1}`, text)),
    alarmTimeout: one('alarmTimeoutSeconds', seconds),
    drainConcurrency: one('drainConcurrency', drains),
    stableTime: one('stableSeconds', seconds),
    readyTimeout: one('readyTimeoutSeconds', seconds),
    drainTimeout: one('drainTimeoutSeconds', seconds),
    onDrainTimeout: one('onDrainTimeout', choice(OnDrainTimeout.HOLD, OnDrainTimeout.FORCE)),
    standaloneTasks: one('standaloneTasks', choice(StandaloneTasks.WAIT, StandaloneTasks.STOP)),
    keepLaunchSpecs: one('keepLaunchSpecs', Number),
    tagSettings: list('tagSettings', String),
    tagImages: list('tagImages', ImageSource.expression),
    tagImageOwners: list('tagImageOwners', ImageOwner.account),
  };
}

/** An empty list isn't given to the function, but may be a fault of the deployment. */
function isReadable(given: SettingItems) {
  return (key: RolloutSetting): boolean => {
    const text = (given[key] ?? []).join(',');
    return text === '' || ROLLOUT_TABLE[key].parser.read(text) !== undefined;
  };
}

function oneOf(items: SettingItems) {
  return <Value>(key: RolloutSetting, convert: (text: string) => Value): Value | undefined => {
    const [text] = items[key] ?? [];
    return text === undefined ? undefined : convert(text.trim());
  };
}

function listOf(items: SettingItems) {
  return <Item>(
    key: RolloutSetting,
    convert: (text: string, index: number) => Item | undefined,
  ): Item[] | undefined =>
    items[key]?.map((text, index) => convert(text.trim(), index)).filter((item) => item !== undefined);
}

function seconds(text: string): Duration {
  return Duration.seconds(Number(text));
}

function minutes(text: string): Duration {
  return Duration.minutes(Number(text));
}

function days(text: string): Duration {
  return Duration.days(Number(text));
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

/** Finds the one that the environment writes like this. */
function choice<Choice>(...choices: readonly Choice[]) {
  return (text: string): Choice | undefined => choices.find((each) => String(each) === text);
}

function hook(scope: Construct, id: string) {
  return (arn: string): RollHook =>
    arn.split(':')[2] === 'sns'
      ? RollHook.approval(Topic.fromTopicArn(scope, id, arn))
      : RollHook.lambdaFunction(LambdaFunction.fromFunctionArn(scope, id, arn));
}

function cluster(scope: Construct, text: string, index: number): aws_ecs.IClusterRef {
  const id = `Cluster${index + 1}`;
  return text.startsWith('arn:')
    ? CfnCluster.fromClusterArn(scope, id, text)
    : CfnCluster.fromClusterName(scope, id, text);
}

/** A group of none of the clusters has a fault of its own. */
function group(
  scope: Construct,
  text: string,
  index: number,
  clusters: readonly aws_ecs.IClusterRef[],
): ClusterGroup {
  const [name = '', clusterName] = text.split(':').reverse();
  return {
    autoScalingGroup: AutoScalingGroup.fromAutoScalingGroupName(scope, `Group${index + 1}`, name.trim()),
    cluster: clusters.find(({ clusterRef }) => clusterRef.clusterName === clusterName?.trim()),
  };
}
