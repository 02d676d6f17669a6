import { surgeCount } from '../group/budget.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Service } from '../model/cluster.ts';
import type { Obstacle } from '../model/obstacle.ts';
import { instanceIdsOf, registrationsOf } from '../model/registrations.ts';

/** There where an instance has a second network interface, whose addresses its tasks share. */
const TRUNK = 'ecs.awsvpc-trunk-id';

/**
 * Whether replacements would find addresses. Without a surge old members go first, and none is needed. A trunk interface has
 * an address as the first one has.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-eni.html
 */
export function lackOfAddresses(assessment: Assessment): Obstacle[] {
  const { group, classified, settings } = assessment;
  const free = group.details?.preflight?.freeAddresses;
  if (free === undefined) return [];
  const count = Math.min(surgeCount(settings.maxSurge, group.members.length), classified.drifted.length);
  const withTrunk = hasTrunks(assessment);
  if (count * (withTrunk ? 2 : 1) <= free) return [];
  return [{ code: 'addresses-lacking', free, instances: count, withTrunk }];
}

function hasTrunks({ classified, observation }: Assessment): boolean {
  return classified.drifted.some(({ instance }) =>
    registrationsOf(observation, instance.instanceId).some(({ traits }) => traits?.attributes.has(TRUNK)),
  );
}

/** Tells of services whose tasks may wait for an address while an instance drains: the old ones have theirs still. */
export function lackOfTaskAddresses({ group, observation, settings }: Assessment): string[] {
  const { containerInstances, details: { services = [] } = {} } = observation;
  const hosts = instanceIdsOf(containerInstances.filter(({ status }) => status === 'ACTIVE')).length;
  return (group.details?.preflight?.taskAddresses ?? []).flatMap(({ service: name, free }) => {
    const service = services.find((each) => each.name === name);
    const count = service === undefined ? 0 : startedFirst(service, hosts, settings.drainConcurrency);
    if (count <= free) return [];
    return [
      `tasks of service ${name} have addresses of their own, of which its subnets have ${free} free: up to ${count} of them ` +
        'start before old ones stop, and would wait; give it another subnet, or lower its maximumPercent',
    ];
  });
}

/** As many of a service's tasks as an instance has, if they are spread, and as its maximumPercent lets start. */
function startedFirst(service: Service, hosts: number, drainConcurrency: number): number {
  const { daemon, desiredCount, maximumPercent } = service;
  if (daemon || hosts === 0) return 0;
  const moved = Math.min(desiredCount, drainConcurrency * Math.ceil(desiredCount / hosts));
  return Math.min(moved, Math.floor((desiredCount * maximumPercent) / 100) - desiredCount);
}
