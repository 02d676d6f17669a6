import type { EcsAmiDeployProps } from './props.ts';
import type { RolloutSettings } from './rollout-settings.ts';
import { SETTING_PROPS } from './setting-props.ts';

/** TypeScript holds them to the interface. */
const OF_DEPLOYMENT: Readonly<Record<Exclude<keyof EcsAmiDeployProps, keyof RolloutSettings>, true>> = {
  schedule: true,
  topics: true,
  autoScalingGroups: true,
  drainTerminations: true,
  terminationTimeout: true,
  instanceRoles: true,
  launchTemplates: true,
  imageParameterNames: true,
  stateKey: true,
  stateKeyGeneration: true,
  sequenceTableArn: true,
  sequenceStackName: true,
  acceptRevert: true,
  reserveConcurrency: true,
  rolloutAlarmAfter: true,
  heldBackAfter: true,
  imageAgeAlarmAfter: true,
  metricDetail: true,
  dashboard: true,
  alarmTopic: true,
  events: true,
  eventBus: true,
  eventTopic: true,
  chatTopic: true,
  topicEvents: true,
  historyRetention: true,
  logRetention: true,
  logRemovalPolicy: true,
  role: true,
  ordersRole: true,
  failureQueue: true,
  vpc: true,
  vpcSubnets: true,
  securityGroups: true,
  code: true,
};

/** Every prop of the construct: an app without types may give others. */
export const PROP_NAMES: readonly string[] = [
  ...Object.values(SETTING_PROPS).map(({ prop }) => prop),
  ...Object.keys(OF_DEPLOYMENT),
];
