import { markUnhealthy, passHealthCheck } from '../autoscaling/health.ts';
import type { Group } from '../autoscaling/model.ts';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { type Target, type TrafficSource, targetKey } from './model.ts';
import { allSources, targetsOf } from './sources.ts';

/** Registers an instance; it is healthy when it has passed its checks. One that leaves is taken back. */
export function register(
  state: State,
  source: TrafficSource,
  { instance, port, group }: Pick<Target, 'instance' | 'port' | 'group'>,
  cause: Cause,
): Target {
  const key = targetKey(instance, port);
  const known = source.targets.get(key);
  if (known && known.state !== 'draining') return known;
  const target: Target = { instance, port, group, state: 'initial' };
  source.targets.set(key, target);
  state.loadBalancing.emit({ source, target, cause });
  checkLater(state, source, target);
  return target;
}

/** Takes the target out of service: no new requests, and after the deregistration delay it is gone. */
export function deregister(state: State, source: TrafficSource, target: Target, cause: Cause) {
  if (target.state === 'draining') return;
  setTargetState(state, source, target, 'draining', cause);
  state.after('deregistrationSeconds', () => {
    const key = targetKey(target.instance, target.port);
    // If it was registered again meanwhile, it is another target.
    if (source.targets.get(key) !== target) return;
    source.targets.delete(key);
    state.loadBalancing.emit({ source, target, cause });
  });
}

export function setTargetState(
  state: State,
  source: TrafficSource,
  target: Target,
  next: Target['state'],
  cause: Cause,
) {
  if (target.state === next) return;
  target.state = next;
  state.loadBalancing.emit({ source, target, cause });
}

/** Has the health checks pass or fail, some time from now. */
export function checkLater(state: State, source: TrafficSource, target: Target) {
  const check = () => {
    if (target.state === 'draining' || source.disabledZones.has(target.instance.availabilityZone)) return;
    if (isFailing(state, target)) fail(state, source, target, 'scheduler');
    else pass(state, source, target);
  };
  if (source.healthCheckSeconds === undefined) state.after('healthCheckSeconds', check);
  else state.clock.schedule(source.healthCheckSeconds, check);
}

/**
 * With health checks of type ELB its group hears of it:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-health-checks.html
 */
export function fail(state: State, source: TrafficSource, target: Target, cause: Cause) {
  setTargetState(state, source, target, 'unhealthy', cause);
  const member = memberOf(target.group, target.instance);
  // To a target group that no load balancer uses nothing is sent, no health check either.
  if (source.isInUse && member && target.group.healthCheckType === 'ELB')
    markUnhealthy(state, target.group, member, 'an ELB system health check failure');
}

function pass(state: State, source: TrafficSource, target: Target) {
  const wasUnhealthy = target.state === 'unhealthy';
  setTargetState(state, source, target, 'healthy', 'scheduler');
  const { group, instance } = target;
  const member = memberOf(group, instance);
  const isFailing = allSources(state).some((one) =>
    targetsOf(one, instance).some(({ state }) => state === 'unhealthy'),
  );
  if (member && wasUnhealthy && !isFailing && group.healthCheckType === 'ELB') passHealthCheck(member);
}

const memberOf = (group: Group, { id }: Instance) => {
  const member = group.members.get(id);
  return member?.lifecycleState === 'InService' ? member : undefined;
};

function isFailing({ loadBalancing, images }: State, { instance, port }: Target): boolean {
  const { failing } = loadBalancing;
  // Where no agent comes up, nothing does that could serve.
  const isDud = images.get(instance.imageId)?.isBad && !instance.containerInstance;
  return isDud || failing.has(instance.id) || failing.has(targetKey(instance, port));
}
