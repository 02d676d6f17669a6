import { type ResourceEnvironment, Stack, Token } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct, IConstruct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Account and Region of a resource, as far as known: either may be an unresolved token. */
type KnownEnvironment = Partial<ResourceEnvironment>;

/** Faults for resources in another account or Region, where the function or an alarm can't reach them. */
export function elsewhereFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  const { account, region } = Stack.of(scope);
  const own = { account, region };
  return [
    ...props.clusters.flatMap((cluster) => {
      const { clusterArn } = cluster.clusterRef;
      return outOfReach(
        `clusters names ${nameOf(clusterArn, cluster)}`,
        placeOf(clusterArn, cluster.env),
        own,
      );
    }),
    ...(props.alarms ?? []).flatMap((alarm) =>
      outOfReach(`alarms names ${nameOf(alarm.alarmArn, alarm)}`, placeOf(alarm.alarmArn, alarm.env), own),
    ),
    ...topicElsewhere('alarmTopic', props.alarmTopic, region, 'an alarm can only notify its own Region'),
    ...topicElsewhere('eventTopic', props.eventTopic, region, 'a rule can only notify its own Region'),
    ...topicElsewhere('chatTopic', props.chatTopic, region, 'a rule can only notify its own Region'),
    ...(['onTrialPassed', 'beforeBatch'] as const).flatMap((prop) =>
      topicElsewhere(prop, props[prop]?.topic, region, 'a function can only publish to its own Region'),
    ),
    ...(props.eventBus === undefined
      ? []
      : outOfReach(
          `eventBus names ${nameOf(props.eventBus.eventBusArn, props.eventBus)}`,
          placeOf(props.eventBus.eventBusArn, props.eventBus.env),
          own,
        )),
    ...keyElsewhere(props.stateKey, region),
  ];
}

function outOfReach(what: string, its: KnownEnvironment, own: ResourceEnvironment): string[] {
  const others = [
    { kind: 'account', its: its.account, own: own.account },
    { kind: 'Region', its: its.region, own: own.region },
  ].filter((each) => isOther(each.its, each.own));
  if (others.length === 0) return [];
  const list = (whose: 'its' | 'own') => others.map((each) => `${each.kind} ${each[whose]}`).join(' and ');
  return [`${what} in ${list('its')}; the function runs in ${list('own')} and reaches only that`];
}

/** The topic may belong to another account if its policy lets the service publish to it. */
function topicElsewhere(prop: string, topic: ITopic | undefined, own: string, why: string): string[] {
  if (topic === undefined) return [];
  const { region } = placeOf(topic.topicArn, topic.env);
  if (!isOther(region, own)) return [];
  return [`${prop} was "${nameOf(topic.topicArn, topic)}"; it may be a topic in ${own}: ${why}`];
}

/** The key may belong to another account if its policy lets the functions use it. */
function keyElsewhere(key: EcsAmiDeployProps['stateKey'], own: string): string[] {
  if (key === undefined) return [];
  const { region } = placeOf(key.keyArn, key.env);
  if (!isOther(region, own)) return [];
  return [
    `stateKey was "${nameOf(key.keyArn, key)}"; it may be a key in ${own}: the functions only call their own Region`,
  ];
}

/** The name by which a reader of the fault recognizes the resource. */
function nameOf(arn: string, { node }: IConstruct): string {
  return Token.isUnresolved(arn) ? node.path : arn;
}

/** The ARN comes first: the `env` of a resource imported by ARN may be the stack's own. */
function placeOf(arn: string, environment: KnownEnvironment = {}): KnownEnvironment {
  const [prefix, , , region, account] = arn.split(':');
  return prefix === 'arn' ? { region, account } : environment;
}

function isOther(its: string | undefined, own: string): boolean {
  return Boolean(its) && its !== own && !Token.isUnresolved(its) && !Token.isUnresolved(own);
}
