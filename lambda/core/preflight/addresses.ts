import { mostMoving } from '../drain/how-many-drain.ts';
import { launchedFirst } from '../group/surge.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Service } from '../model/cluster.ts';
import { instanceIdsOf, registrationsOf } from '../model/registrations.ts';
import type { Settings } from '../model/settings.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';

/** Present if an instance has a trunk network interface, whose addresses its tasks use. */
const TRUNK = 'ecs.awsvpc-trunk-id';

/**
 * Checks that the subnets have addresses for the replacements. In place, old members go first, so none are
 * needed. A trunk interface takes one address, as the primary one does.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-eni.html
 */
export function lackOfAddresses(assessment: Assessment): Obstacle[] {
  const { freeAddresses: free, zonalAddresses } = assessment.group.details?.preflight ?? {};
  if (free === undefined) return [];
  const withTrunk = hasTrunks(assessment);
  const each = withTrunk ? 2 : 1;
  const instances = launchedFirst(assessment);
  if (instances * each > free) return [{ code: 'addresses-lacking', free, instances, withTrunk }];
  const short = [...(zonalAddresses ?? [])]
    .map(([zone, there]) => ({ zone, free: there, instances: launchedIn(zone, instances, assessment) }))
    .find((zone) => zone.instances * each > zone.free);
  return short === undefined ? [] : [{ code: 'addresses-lacking', ...short, withTrunk }];
}

/**
 * Of a group that launches only where its zones stay even: "Auto Scaling will continue to attempt to launch
 * instances in the Availability Zone". A batch may be of one zone, and even zones may each be the next.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
function launchedIn(zone: string, most: number, { classified }: Assessment): number {
  const outdated = classified.drifted.filter(({ member }) => member.availabilityZone === zone).length;
  return Math.min(most, Math.max(1, outdated));
}

function hasTrunks({ classified, observation }: Assessment): boolean {
  return classified.drifted.some(({ instance }) =>
    registrationsOf(observation, instance.instanceId).some(({ traits }) => traits?.attributes.has(TRUNK)),
  );
}

/**
 * Warns of services whose tasks may have to wait for an address while an instance drains, as the old tasks
 * keep theirs.
 */
export function lackOfTaskAddresses({ group, observation, settings }: Assessment): Warning[] {
  const { containerInstances, details: { services = [] } = {} } = observation;
  const hosts = instanceIdsOf(
    containerInstances.filter((each) => each.status === 'ACTIVE' && !each.managed),
  ).length;
  return (group.details?.preflight?.taskAddresses ?? []).flatMap(({ service: name, free }) => {
    const service = services.find((each) => each.name === name);
    const count = service === undefined ? 0 : startedFirst(service, hosts, settings.drainConcurrency);
    if (count <= free) return [];
    return [{ code: 'task-addresses-lacking', service: name, free, count } as const];
  });
}

/**
 * How many tasks of a service may start before old ones stop: the share of `drainConcurrency` instances if
 * they are spread, within maximumPercent.
 */
function startedFirst(
  service: Service,
  hosts: number,
  drainConcurrency: Settings['drainConcurrency'],
): number {
  const { daemon, desiredCount, maximumPercent } = service;
  if (daemon || hosts === 0) return 0;
  const onEach = Math.ceil(desiredCount / hosts);
  const moved =
    drainConcurrency === 'auto'
      ? Math.max(onEach, mostMoving(service))
      : Math.min(desiredCount, drainConcurrency * onEach);
  return Math.min(moved, Math.floor((desiredCount * maximumPercent) / 100) - desiredCount);
}
