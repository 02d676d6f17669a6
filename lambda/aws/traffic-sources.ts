import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import type { TrafficSource } from '../core/model/group.ts';

/** What sends requests to the members of a group. */
export interface TrafficSources {
  readonly trafficSources: readonly TrafficSource[];
  /** Traffic sources of other kinds, such as a VPC Lattice target group, by kind and id. */
  readonly otherTrafficSources: readonly string[];
}

/**
 * AWS lists load balancers and target groups in fields of their own, and all of them among the traffic
 * sources.
 */
export function trafficSourcesOf(group: AutoScalingGroup): TrafficSources {
  const { LoadBalancerNames = [], TargetGroupARNs = [], TrafficSources = [] } = group;
  const ofType = (type: string) =>
    TrafficSources.filter(({ Type }) => Type === type).map(({ Identifier = '' }) => Identifier);
  const arns = new Set([...TargetGroupARNs, ...ofType('elbv2')]);
  const names = new Set([...LoadBalancerNames, ...ofType('elb')]);
  const others = TrafficSources.filter(
    ({ Identifier = '' }) => !arns.has(Identifier) && !names.has(Identifier),
  );
  return {
    trafficSources: [
      ...[...arns].map((arn): TrafficSource => ({ kind: 'target-group', arn })),
      ...[...names].map((name): TrafficSource => ({ kind: 'load-balancer', name })),
    ],
    otherTrafficSources: others.map(({ Type = 'a traffic source,', Identifier }) => `${Type} ${Identifier}`),
  };
}
