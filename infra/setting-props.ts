import type { Duration } from 'aws-cdk-lib';
import type { RolloutSetting } from '../lambda/settings/table.ts';
import { numberText } from './number-text.ts';
import type { ClusterGroup, RolloutSettings } from './rollout-settings.ts';

/** The prop that holds a setting, and its value as the function's environment writes it. */
export interface SettingProp {
  readonly prop: keyof RolloutSettings;
  /** One text for each item of a list; none if the prop isn't set. */
  texts(settings: RolloutSettings): readonly string[];
}

/** A prop of the construct for each setting of the function. */
export const SETTING_PROPS: Readonly<Record<RolloutSetting, SettingProp>> = {
  clusters: list('clusters', ({ clusterRef }) => clusterRef.clusterName),
  groups: list('groups', groupText),
  groupConcurrency: one('groupConcurrency', numberText),
  pollSeconds: one('pollInterval', seconds),
  changeCalendars: list('changeCalendars', String),
  onTrialPassed: one('onTrialPassed', String),
  beforeBatch: one('beforeBatch', String),
  hookTimeoutMinutes: one('hookTimeout', minutes),
  mode: one('mode', String),
  announceMinutes: one('announceTime', minutes),
  windows: list('windows', String),
  image: one('image', String),
  imageOwner: one('imageOwner', String),
  minImageAgeDays: one('minImageAge', days),
  drift: list('drift', String),
  maxInstanceAgeDays: one('maxInstanceAge', days),
  maxSurge: one('maxSurge', String),
  raiseMaxSize: one('raiseMaxSize', String),
  standby: one('standby', String),
  terminateHooks: one('terminateHooks', String),
  sharedTemplates: one('sharedTemplates', String),
  canary: one('canary', numberText),
  bakeSeconds: one('bakeTime', seconds),
  alarmNames: list('alarms', ({ alarmName }) => alarmName),
  alarmTimeoutSeconds: one('alarmTimeout', seconds),
  drainConcurrency: one('drainConcurrency', String),
  stableSeconds: one('stableTime', seconds),
  readyTimeoutSeconds: one('readyTimeout', seconds),
  drainTimeoutSeconds: one('drainTimeout', seconds),
  onDrainTimeout: one('onDrainTimeout', String),
  standaloneTasks: one('standaloneTasks', String),
  keepLaunchSpecs: one('keepLaunchSpecs', numberText),
  tagSettings: list('tagSettings', String),
  tagImages: list('tagImages', String),
  tagImageOwners: list('tagImageOwners', String),
};

type Props = Required<RolloutSettings>;
type ListProp = { [P in keyof Props]: Props[P] extends readonly unknown[] ? P : never }[keyof Props];

function one<P extends keyof Props>(prop: P, text: (value: Props[P]) => string): SettingProp {
  return {
    prop,
    texts: (settings) => {
      const value: Partial<Props>[P] = settings[prop];
      return value === undefined ? [] : [text(value)];
    },
  };
}

function list<P extends ListProp>(prop: P, text: (item: Props[P][number]) => string): SettingProp {
  return {
    prop,
    texts: (settings) => {
      const items: readonly Props[P][number][] = settings[prop] ?? [];
      return items.map(text);
    },
  };
}

function groupText({ autoScalingGroup: { autoScalingGroupName }, cluster }: ClusterGroup): string {
  const prefix = cluster === undefined ? '' : `${cluster.clusterRef.clusterName}:`;
  return `${prefix}${autoScalingGroupName}`;
}

function seconds(duration: Duration): string {
  return numberText(duration.toSeconds({ integral: false }));
}

function minutes(duration: Duration): string {
  return numberText(duration.toMinutes({ integral: false }));
}

function days(duration: Duration): string {
  return numberText(duration.toDays({ integral: false }));
}
