import { type ResourceEnvironment, Stack, Token } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Account and Region of a resource, as far as known: either may be an unresolved token. */
type KnownEnvironment = Partial<ResourceEnvironment>;

/** A resource that a prop names. */
interface Named {
  readonly prop: keyof EcsAmiDeployProps;
  readonly arn: string;
  readonly resource: IConstruct & { readonly env?: KnownEnvironment };
}

/** Faults for resources in another account or Region, where the function or an alarm can't reach them. */
export function elsewhereFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  const { account, region } = Stack.of(scope);
  const reached = (named: Named) => outOfReach(named, { account, region });
  // It may belong to another account, if its policy lets the service or the functions use it.
  const inRegion = (kind: 'key' | 'topic', named: Named, why: string) => {
    const its = placeOf(named).region;
    if (!isOther(its, region)) return [];
    return [`${named.prop} was "${nameOf(named)}"; it may be a ${kind} in ${region}: ${why}`];
  };
  const topics = [
    { prop: 'alarmTopic', topic: props.alarmTopic, by: 'an alarm can only notify' },
    { prop: 'eventTopic', topic: props.eventTopic, by: 'a rule can only notify' },
    { prop: 'chatTopic', topic: props.chatTopic, by: 'a rule can only notify' },
    { prop: 'onTrialPassed', topic: props.onTrialPassed?.topic, by: 'a function can only publish to' },
    { prop: 'beforeBatch', topic: props.beforeBatch?.topic, by: 'a function can only publish to' },
  ] as const;
  const { clusters, alarms = [], eventBus: bus, stateKey: key } = props;
  return [
    ...clusters.flatMap((resource) =>
      reached({ prop: 'clusters', arn: resource.clusterRef.clusterArn, resource }),
    ),
    ...alarms.flatMap((resource) => reached({ prop: 'alarms', arn: resource.alarmArn, resource })),
    ...topics.flatMap(({ prop, topic, by }) =>
      topic ? inRegion('topic', { prop, arn: topic.topicArn, resource: topic }, `${by} its own Region`) : [],
    ),
    ...(bus ? reached({ prop: 'eventBus', arn: bus.eventBusArn, resource: bus }) : []),
    ...(key
      ? inRegion(
          'key',
          { prop: 'stateKey', arn: key.keyArn, resource: key },
          'the functions only call their own Region',
        )
      : []),
  ];
}

function outOfReach(named: Named, own: ResourceEnvironment): string[] {
  const its = placeOf(named);
  const others = (['account', 'region'] as const).filter((each) => isOther(its[each], own[each]));
  if (others.length === 0) return [];
  const list = (whose: KnownEnvironment) =>
    others.map((each) => `${each === 'region' ? 'Region' : each} ${whose[each]}`).join(' and ');
  return [
    `${named.prop} names ${nameOf(named)} in ${list(its)}; the function runs in ${list(own)} and reaches only that`,
  ];
}

/** The name by which a reader of the fault recognizes the resource. */
function nameOf({ arn, resource }: Named): string {
  return Token.isUnresolved(arn) ? resource.node.path : arn;
}

/** The ARN comes first: the `env` of a resource imported by ARN may be the stack's own. */
function placeOf({ arn, resource: { env = {} } }: Named): KnownEnvironment {
  const [prefix, , , region, account] = arn.split(':');
  return prefix === 'arn' ? { region, account } : env;
}

function isOther(its: string | undefined, own: string): boolean {
  return Boolean(its) && its !== own && !Token.isUnresolved(its) && !Token.isUnresolved(own);
}
