import { type ResourceEnvironment, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Account and Region of a resource, as far as they are known: either may be an unresolved value. */
type Place = Partial<ResourceEnvironment>;

/**
 * What the props name outside of the stack's account and Region, where the function or an alarm can't reach
 * it.
 */
export function elsewhereFaults(scope: Construct, props: EcsAmiDeployProps): string[] {
  const { account, region } = Stack.of(scope);
  const own = { account, region };
  return [
    ...props.clusters.flatMap((cluster) =>
      typeof cluster === 'string'
        ? outOfReach(`clusters names ${cluster}`, placeOf(cluster), own)
        : outOfReach(`clusters names ${cluster.node.path}`, placeOf(cluster.clusterArn, cluster.env), own),
    ),
    ...(props.alarmNames ?? []).flatMap((alarm) =>
      typeof alarm === 'string'
        ? []
        : outOfReach(`alarmNames names ${alarm.node.path}`, placeOf(alarm.alarmArn, alarm.env), own),
    ),
    ...topicElsewhere(props.alarmTopic, region),
    ...keyElsewhere(props.stateKey, region),
  ];
}

function outOfReach(what: string, its: Place, own: ResourceEnvironment): string[] {
  const others = [
    { kind: 'account', its: its.account, own: own.account },
    { kind: 'Region', its: its.region, own: own.region },
  ].filter((each) => isOther(each.its, each.own));
  if (others.length === 0) return [];
  const list = (whose: 'its' | 'own') => others.map((each) => `${each.kind} ${each[whose]}`).join(' and ');
  return [`${what} of ${list('its')}; the function is of ${list('own')}, and reaches only that`];
}

/** Of another account a topic may be, whose policy lets CloudWatch publish to it. */
function topicElsewhere(topic: EcsAmiDeployProps['alarmTopic'], own: string): string[] {
  if (topic === undefined) return [];
  const { region } = placeOf(topic.topicArn, topic.env);
  if (!isOther(region, own)) return [];
  return [
    `alarmTopic was "${nameOf(topic.topicArn, topic)}"; it may be a topic of ${own}: an alarm notifies its own Region only`,
  ];
}

/** Of another account a key may be, whose policy lets the functions use it. */
function keyElsewhere(key: EcsAmiDeployProps['stateKey'], own: string): string[] {
  if (key === undefined) return [];
  const { region } = placeOf(key.keyArn, key.env);
  if (!isOther(region, own)) return [];
  return [
    `stateKey was "${nameOf(key.keyArn, key)}"; it may be a key of ${own}: the functions ask their own Region only`,
  ];
}

/** A resource as a reader of faults knows it. */
function nameOf(arn: string, { node }: Construct): string {
  return Token.isUnresolved(arn) ? node.path : arn;
}

/** An ARN tells more than the `env` of what was imported by it, which may be the stack's own. */
function placeOf(arn: string, environment: Place = {}): Place {
  const [prefix, , , region, account] = arn.split(':');
  return prefix === 'arn' ? { region, account } : environment;
}

function isOther(its: string | undefined, own: string): boolean {
  return Boolean(its) && its !== own && !Token.isUnresolved(its) && !Token.isUnresolved(own);
}
