import { UNPROTECT } from './draining.ts';
import { describePlace, type NamedPlace } from './launch-obstacles.ts';
import { listIds, subject } from './words.ts';

/** Obstacles found by checks before the first change. */
export const PREFLIGHT_OBSTACLES = {
  'nowhere-to-move': (it: { containerInstances: number; services: readonly string[] }) =>
    `without a surge all of the cluster's ${it.containerInstances} container instances would drain at once, and service ` +
    `${it.services.join(', ')} must keep tasks meanwhile; set MAX_SURGE to 1 or more, or lower DRAIN_CONCURRENCY`,
  'service-cannot-move': (bounds: ServiceBounds) => {
    const { desired } = bounds;
    // The smallest sufficient change of either percentage: 134 or 66 for 3 tasks, 200 or 0 for one.
    const enough = Math.ceil(((desired + 1) * 100) / desired);
    const little = Math.floor(((desired - 1) * 100) / desired);
    return (
      `${describeBounds(bounds)}, so it can't move off an instance: raise its maximumPercent to ${enough}, lower its ` +
      `minimumHealthyPercent to ${little}, or set ON_DRAIN_TIMEOUT to force, which stops its tasks in the end`
    );
  },
  'service-fits-nowhere': (it: { service: string; needs: string; has: string }) =>
    `service ${it.service} needs ${it.needs}, but what will stay or be launched has ${it.has}: change that constraint, or those subnets`,
  'service-needs-surge': (it: { service: string; count: number; left: number }) =>
    (it.count === 1
      ? `service ${it.service} can run on one instance alone, and without a surge on none while that drains; `
      : `service ${it.service} needs ${it.count} instances, one for each task, but without a surge only ${it.left} ${it.left === 1 ? 'is' : 'are'} left while one drains; `) +
    'set MAX_SURGE to 1 or more',
  'addresses-lacking': (it: {
    free: number;
    instances: number;
    withTrunk: boolean;
    /** Of a group that launches nowhere else to replace what it has there. */
    zone?: string;
  }) => {
    const addresses = it.free === 1 ? '1 free address' : `${it.free} free addresses`;
    const count = it.instances === 1 ? '1 instance' : `${it.instances} instances`;
    const trunks = it.withTrunk ? ', each needing two for its trunk interface,' : '';
    return (
      `the subnets of the group have ${addresses}${inZone(it.zone)}, but up to ${count}${trunks} must be launched ` +
      'before old ones end; lower MAX_SURGE, or give the group another subnet'
    );
  },
  'reservation-full': (it: { id: string; free: number; instances: number }) =>
    `the group launches only into Capacity Reservation ${it.id}, which has room for ${it.free} more, but up to ${it.instances} must be ` +
    'launched before old ones end, and these keep their places; set MAX_SURGE to 0, or make the reservation larger',
  'placement-group-full': (it: { name: string; free: number; instances: number }) =>
    `spread placement group ${it.name} takes ${it.free} more instances in the zones of the group (seven in each), but up to ` +
    `${it.instances} must be launched before old ones end; lower MAX_SURGE, or set it to 0`,
  'network-interface-named': (it: { place: NamedPlace; networkInterface: string }) =>
    `${describePlace(it.place)} names the network interface ${it.networkInterface}, which only one instance can have: ` +
    'no replacement can come before the old one goes; set MAX_SURGE to 0',
  'instance-profile-unusable': (it: { name: string; state: 'missing' | 'without-role' }) =>
    it.state === 'missing'
      ? `instance profile ${it.name}, which the group launches with, does not exist; create it, or name another`
      : `instance profile ${it.name}, which the group launches with, has no role; add its role`,
  'nobody-healthy': (it: { source: string }) =>
    `${it.source} finds none of the group's members healthy, so no replacement could show there that it serves: mend its health check, ` +
    'or what it checks, or take it off the group',
  'zone-not-served': (it: { source: string; zones: readonly string[] }) =>
    `the load balancer of ${it.source} is not enabled in ${listIds(it.zones)}, where the group has members, so that no replacement there ` +
    'could show that it serves; enable it there, or let the group launch in other zones alone',
  'zone-shifted': (it: { from: readonly string[] }) =>
    `a zonal shift moves requests to ${listIds(it.from)} away from a zone, where ECS takes tasks for healthy all the same, and a drain ` +
    'could move the last ones that serve; end the shift, or wait',
  'launch-configurations-full': () =>
    'the account has reached its limit of launch configurations here; delete some that nobody uses, or ' +
    'use a launch template',
  'group-tags-full': (it: { tooMany: number }) =>
    `the group may have 50 tags, and ours need room for ${it.tooMany} more; remove some`,
  'marks-propagated': (it: { keys: readonly string[] }) =>
    `the group passes its tags ${listIds(it.keys)} on to each instance it launches, which would then count as one to replace; ` +
    'remove them, or let them not propagate at launch',
  'instance-tags-full': (it: { instanceIds: readonly string[]; most: number; ours: number }) =>
    `${subject(it.instanceIds, 'has', 'have')} more than ${it.most - it.ours} tags of the ${it.most} that AWS allows, and ours need room ` +
    `for ${it.ours}; remove some`,
  'termination-protected-before': (it: { instanceIds: readonly string[] }) =>
    `${subject(it.instanceIds, 'is', 'are')} protected from termination: remove the protection with ${UNPROTECT}; or set ` +
    'TERMINATE_HOOKS to run or MAX_SURGE to 0, as it does not keep a group from ending its own members',
};

/** The group's zones are kept even. */
const inZone = (zone: string | undefined) =>
  zone === undefined
    ? ''
    : ` in ${zone}, the only zone that balanced-only lets it launch in for what it has there`;

export interface ServiceBounds {
  readonly service: string;
  readonly desired: number;
  readonly minimumHealthyPercent: number;
  readonly maximumPercent: number;
}

/** The limits that keep ECS from moving any task of a service. */
export function describeBounds(bounds: ServiceBounds): string {
  const { service, desired, minimumHealthyPercent, maximumPercent } = bounds;
  const both = `minimumHealthyPercent ${minimumHealthyPercent} and maximumPercent ${maximumPercent}`;
  return `with ${both} of ${desired}, service ${service} may neither stop a task nor start one more`;
}
