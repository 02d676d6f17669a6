import { findGroup } from '../autoscaling/groups.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { attach } from './members.ts';
import { type Target, type TrafficSource, targetKey } from './model.ts';
import {
  addLoadBalancer,
  addTargetGroup,
  allSources,
  findSource,
  healthyTargets,
  type SourceOptions,
  type TargetGroupOptions,
  targetsOf,
} from './sources.ts';
import { checkLater, fail, register } from './targets.ts';

/** Made before the groups that it will be attached to. */
export function loadBalancingBuilders(state: State) {
  return {
    addTargetGroup: (options: TargetGroupOptions) => addTargetGroup(state, options),
    /** A classic one. */
    addLoadBalancer: (name: string, options: Omit<SourceOptions, 'name'> = {}) =>
      addLoadBalancer(state, { ...options, name }),
  };
}

/** What befalls traffic sources. `arnOrName` is a target group's ARN, or a classic load balancer's name. */
export function loadBalancingHooks(state: State) {
  const { failing, targetGroups, loadBalancers } = state.loadBalancing;

  return {
    /**
     * What runs on the instance answers health checks, or no longer does: on all its ports, or on the one.
     */
    setHealthy(instanceId: string, isHealthy: boolean, port?: number) {
      const instance = instanceOf(state, instanceId);
      const key = port === undefined ? instanceId : targetKey(instance, port);
      if (isHealthy) failing.delete(key);
      else failing.add(key);
      for (const [source, target] of targetsEverywhere(state, instance)) {
        if (port !== undefined && target.port !== port) continue;
        if (isHealthy && target.state === 'unhealthy') checkLater(state, source, target);
        if (!isHealthy && target.state === 'healthy') fail(state, source, target, 'fault');
      }
    },
    /** Registers one more port of a target, as dynamic ports do. */
    addPort(arnOrName: string, instanceId: string, port: number) {
      const source = findSource(state, arnOrName);
      const instance = instanceOf(state, instanceId);
      const [{ group } = missing(instanceId)] = targetsOf(source, instance);
      register(state, source, { instance, port, group }, 'owner');
    },
    attach: (groupName: string, arnOrName: string) => attach(state, findGroup(state, groupName), arnOrName),
    /** Whether there is a load balancer that uses the target group. */
    setInUse(arnOrName: string, isInUse: boolean) {
      findSource(state, arnOrName).isInUse = isInUse;
    },
    /** Whether it can tell the health of its targets, or fails to by an error of its own. */
    setKnown(arnOrName: string, isKnown: boolean) {
      findSource(state, arnOrName).isKnown = isKnown;
    },
    /** Its load balancer isn't enabled in that zone: it neither checks nor uses targets there. */
    disableZone(arnOrName: string, zone: string) {
      findSource(state, arnOrName).disabledZones.add(zone);
    },
    /** A zonal shift moves requests away from a zone, for a service's target group too. None: it is over. */
    shiftZone(arn: string, zone?: string) {
      if (zone === undefined) state.loadBalancing.shifts.delete(arn);
      else state.loadBalancing.shifts.set(arn, zone);
      const source = targetGroups.get(arn);
      for (const target of source?.targets.values() ?? [])
        if (source) state.loadBalancing.emit({ source, target, cause: 'owner' });
    },
    /** Groups that are attached to it go on naming it. */
    remove: (arnOrName: string) => targetGroups.delete(arnOrName) || loadBalancers.delete(arnOrName),
    /**
     * How many instances serve now, of one group or of all; each counts once, and only with all its ports
     * healthy.
     */
    healthyTargets: (arnOrName: string, groupName?: string) =>
      healthyTargets(
        state,
        findSource(state, arnOrName),
        groupName === undefined ? undefined : findGroup(state, groupName),
      ),
  };
}

const targetsEverywhere = (state: State, instance: Instance): [TrafficSource, Target][] =>
  allSources(state).flatMap((source) =>
    targetsOf(source, instance).map((target): [TrafficSource, Target] => [source, target]),
  );

function instanceOf({ instances }: State, id: string): Instance {
  return instances.get(id) ?? missing(id);
}

function missing(id: string): never {
  throw new Error(`No instance ${id} here`);
}
