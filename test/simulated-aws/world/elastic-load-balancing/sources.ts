import type { Group } from '../autoscaling/model.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import type { BalancerKind, CrossZone, LoadBalancer, Target, TargetGroup, TrafficSource } from './model.ts';

export interface TargetGroupOptions extends SourceOptions {
  /** Default: an Application Load Balancer. */
  readonly balancer?: BalancerKind;
  /** Default: as its load balancer's. */
  readonly crossZone?: CrossZone;
  /** Default: off. */
  readonly leastHealthyPercent?: number;
}

export interface SourceOptions {
  readonly name: string;
  /**
   * Whether its load balancer balances across zones. Default: an Application Load Balancer does, and others
   * don't.
   */
  readonly balancesAcross?: boolean;
  /** Default: the world's delay of that name. */
  readonly healthCheckSeconds?: number;
  /** Default: 80. */
  readonly port?: number;
  /** Default: 1000, as of a target group and a classic load balancer. */
  readonly mostTargets?: number;
}

export function addTargetGroup(state: State, options: TargetGroupOptions): TargetGroup {
  const { account, region } = state;
  const { balancer = 'application', crossZone = 'use_load_balancer_configuration' } = options;
  const { leastHealthyPercent } = options;
  const id = state.ids.next('', 16);
  const targetGroup: TargetGroup = {
    kind: 'target-group',
    arn: `arn:aws:elasticloadbalancing:${region}:${account}:targetgroup/${options.name}/${id}`,
    balancer,
    crossZone: balancer === 'gateway' ? undefined : crossZone,
    leastHealthyPercent,
    ...sourceFields(state, { balancesAcross: balancer === 'application', ...options }),
  };
  state.loadBalancing.targetGroups.set(targetGroup.arn, targetGroup);
  return targetGroup;
}

export function addLoadBalancer(state: State, options: SourceOptions): LoadBalancer {
  const loadBalancer: LoadBalancer = { kind: 'load-balancer', ...sourceFields(state, options) };
  state.loadBalancing.loadBalancers.set(loadBalancer.name, loadBalancer);
  return loadBalancer;
}

const sourceFields = (
  state: State,
  { name, port = 80, healthCheckSeconds, balancesAcross = false, mostTargets = 1000 }: SourceOptions,
) => ({
  name,
  port,
  mostTargets,
  healthCheckSeconds,
  balancesAcross,
  createdAtMs: state.clock.now(),
  targets: new Map(),
  isInUse: true,
  isKnown: true,
  disabledZones: new Set<string>(),
});

/** By the ARN of a target group, or the name of a classic load balancer. */
export function findSource({ loadBalancing }: State, arnOrName: string): TrafficSource {
  const { targetGroups, loadBalancers } = loadBalancing;
  const source = targetGroups.get(arnOrName) ?? loadBalancers.get(arnOrName);
  if (!source) throw new Error(`No target group or load balancer ${arnOrName}`);
  return source;
}

/** Those that the group is attached to, and that there are. */
export function sourcesOf({ loadBalancing }: State, group: Group): TrafficSource[] {
  return [
    ...[...group.targetGroupArns].flatMap((arn) => loadBalancing.targetGroups.get(arn) ?? []),
    ...[...group.loadBalancerNames].flatMap((name) => loadBalancing.loadBalancers.get(name) ?? []),
  ];
}

export const allSources = ({ loadBalancing }: State): TrafficSource[] => [
  ...loadBalancing.targetGroups.values(),
  ...loadBalancing.loadBalancers.values(),
];

export const targetsOf = (source: TrafficSource, instance: Instance): Target[] =>
  [...source.targets.values()].filter((target) => target.instance === instance);

/**
 * How many instances serve now, of one group or of all; each counts once, and only with all its ports
 * healthy.
 */
export function healthyTargets(
  { loadBalancing: { shifts } }: State,
  source: TrafficSource,
  group?: Group,
  zone?: string,
): number {
  const { targets, disabledZones } = source;
  const shifted = source.kind === 'target-group' ? shifts.get(source.arn) : undefined;
  const serving = new Map<Instance, boolean>();
  for (const target of targets.values()) {
    const { availabilityZone } = target.instance;
    if (target.state === 'draining' || (group && target.group !== group)) continue;
    if ((zone ?? availabilityZone) !== availabilityZone || availabilityZone === shifted) continue;
    if (disabledZones.has(availabilityZone)) continue;
    serving.set(target.instance, target.state === 'healthy' && (serving.get(target.instance) ?? true));
  }
  return [...serving.values()].filter(Boolean).length;
}

/**
 * "If the percentage of healthy targets is below this value, send traffic to all targets, including unhealthy
 * targets", of "the total number of targets that are registered"; without cross-zone load balancing, "in each
 * enabled zone separately". One without a healthy target serves nobody in any case.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-target-groups.html
 */
export function failsOver(source: TargetGroup): boolean {
  const { targets, leastHealthyPercent = 0 } = source;
  const registered = [...targets.values()].filter(({ state }) => state !== 'draining');
  const zoneOf = ({ instance }: Target) => (isZonal(source) ? instance.availabilityZone : '');
  return [...new Set(registered.map(zoneOf))].some((zone) => {
    const there = registered.filter((each) => zoneOf(each) === zone);
    const { length } = there.filter(({ state }) => state === 'healthy');
    return length > 0 && length * 100 < leastHealthyPercent * there.length;
  });
}

/** Each node sends requests only to targets in its own zone: one that is empty serves nobody. */
export function isZonal(source: TrafficSource): boolean {
  if (source.kind === 'load-balancer' || source.crossZone === undefined) return !source.balancesAcross;
  if (source.crossZone === 'use_load_balancer_configuration') return !source.balancesAcross;
  return source.crossZone === 'false';
}
