import type { Group } from '../autoscaling/model.ts';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';

/** What sends traffic to the members of groups that are attached to it. */
export type TrafficSource = TargetGroup | LoadBalancer;

export interface TargetGroup extends SourceFields {
  readonly kind: 'target-group';
  readonly arn: string;
  /** What its load balancer is. */
  readonly balancer: BalancerKind;
  /** Its attribute `load_balancing.cross_zone.enabled`; a Gateway Load Balancer's has none. */
  readonly crossZone: CrossZone | undefined;
  /** Its attribute `target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage`. */
  readonly leastHealthyPercent: number | undefined;
}

export type BalancerKind = 'application' | 'network' | 'gateway';

export type CrossZone = 'true' | 'false' | 'use_load_balancer_configuration';

/** A classic one. */
export interface LoadBalancer extends SourceFields {
  readonly kind: 'load-balancer';
}

interface SourceFields {
  readonly name: string;
  readonly createdAtMs: number;
  /** Where Auto Scaling registers an instance. */
  readonly port: number;
  /** From registered to healthy, in seconds. None: the world's delay. */
  readonly healthCheckSeconds: number | undefined;
  /** Whether nodes of the load balancer send requests to targets in zones other than their own. */
  readonly balancesAcross: boolean;
  /** By instance id and port. */
  readonly targets: Map<string, Target>;
  /** A quota: it takes no target beyond it. */
  readonly mostTargets: number;
  /** Whether there is a load balancer that uses the target group. */
  isInUse: boolean;
  /** Whether it can tell the health of its targets. */
  isKnown: boolean;
  /** Zones, by name, that its load balancer isn't enabled in. */
  readonly disabledZones: Set<string>;
}

export interface Target {
  readonly instance: Instance;
  readonly port: number;
  /** The group that had it registered. */
  readonly group: Group;
  state: 'initial' | 'healthy' | 'unhealthy' | 'draining';
}

/** A target has come, is in another state, or is gone. */
export interface TargetChange {
  readonly source: TrafficSource;
  readonly target: Target;
  readonly cause: Cause;
}

/** The part of the world's state that Elastic Load Balancing holds. */
export interface LoadBalancing {
  readonly targetGroups: Map<string, TargetGroup>;
  readonly loadBalancers: Map<string, LoadBalancer>;
  /** Ids of instances that don't serve, and keys of targets that don't. */
  readonly failing: Set<string>;
  /** The zone, by name, that a zonal shift moves the requests of a target group away from, by ARN. */
  readonly shifts: Map<string, string>;
  emit(change: TargetChange): void;
  subscribe(listener: (change: TargetChange) => void): () => void;
}

export function createLoadBalancing(): LoadBalancing {
  const listeners = new Set<(change: TargetChange) => void>();
  return {
    targetGroups: new Map(),
    loadBalancers: new Map(),
    failing: new Set(),
    shifts: new Map(),
    emit(change) {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const targetKey = ({ id }: Instance, port: number) => `${id}:${port}`;
