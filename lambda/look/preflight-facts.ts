import type { DescribedGroup } from '../aws/autoscaling.ts';
import { describeFreePlaces } from '../aws/capacity-reservations.ts';
import type { Aws } from '../aws/clients.ts';
import {
  describeLaunchConfigurations,
  describeLaunchConfigurationsLeft,
} from '../aws/launch-configurations.ts';
import { describeSpreadRoom } from '../aws/placement-groups.ts';
import { describeSubnets } from '../aws/subnets.ts';
import { describeTaskHosts } from '../aws/task-lists.ts';
import { launchConfigurationName } from '../core/launch-spec/own-launch-specs.ts';
import type { Assessment, ClusterAssessment } from '../core/model/assessment.ts';
import type { Service } from '../core/model/cluster.ts';
import type {
  PlacedMisfit,
  PreflightFacts,
  ReservedPlaces,
  SpreadGroup,
  StuckService,
} from '../core/model/preflight-facts.ts';
import { misfitsOf, runsOnInstances } from '../core/preflight/placement.ts';
import { cannotDrain } from '../core/preflight/preflight.ts';
import type { InstanceProfiles } from './instance-profiles.ts';
import type { TaskDefinitionCatalog } from './task-definitions.ts';

/** The room in the Capacity Reservations that the group launches into, only or at first. */
export async function reservedPlaces(
  aws: Aws,
  { outdated }: Assessment,
  ofGroup: DescribedGroup['reserved'],
): Promise<Pick<PreflightFacts, 'reservations'>> {
  if (ofGroup === 'anywhere') return {};
  const all = ofGroup ? [ofGroup] : outdated.flatMap(({ reserved }) => reserved ?? []);
  const reservations: ReservedPlaces[] = [];
  for (const reserved of new Map(all.map((each) => [each.id, each])).values()) {
    const free = reserved.id === undefined ? undefined : await describeFreePlaces(aws, reserved.id);
    reservations.push({ ...reserved, ...(free !== undefined && { free }) });
  }
  return reservations.length === 0 ? {} : { reservations };
}

/** The room in the spread placement groups that old members run in. */
export async function spreadGroups(
  aws: Aws,
  { classified }: Assessment,
  { availabilityZones }: Pick<DescribedGroup, 'availabilityZones'>,
): Promise<SpreadGroup[]> {
  const names = new Set(classified.drifted.flatMap(({ instance }) => instance.placementGroup ?? []));
  const found: SpreadGroup[] = [];
  for (const name of names) {
    const free = await describeSpreadRoom(aws, name, availabilityZones);
    if (free !== undefined) found.push({ name, free });
  }
  return found;
}

/** Where the tasks of services run, by service; shared by the groups of one look. */
export type TaskHosts = Map<string, readonly string[]>;

/**
 * What must be known about a group before its roll begins. It is read once per invocation: either the roll
 * begins at that look, or this invocation is done with the group.
 *
 * @param record the group as AWS describes it
 * @param hosts shared by all groups of a look; this adds to it
 */
export async function preflightFacts(
  aws: Aws,
  assessment: Assessment,
  record: Pick<DescribedGroup, 'subnetIds' | 'balancedOnly'>,
  profiles: InstanceProfiles,
  hosts: TaskHosts,
): Promise<PreflightFacts> {
  const { cluster, details: { services = [] } = {} } = assessment.observation;
  const named = new Set(assessment.launch.sources.flatMap(({ instanceProfile }) => instanceProfile ?? []));
  const stuck = services.filter(cannotDrain).map(({ name }) => name);
  return {
    ...(await addressesOf(aws, record, services)),
    unusableProfiles: await profiles.unusable(named),
    stuckServices: await stuckServices(aws, cluster, stuck, hosts),
    launchConfigurationRoom: await launchConfigurationRoom(aws, assessment),
  };
}

/**
 * Reads all subnets in one call. A group that names none uses the default subnets of its Availability Zones.
 */
async function addressesOf(
  aws: Aws,
  { subnetIds, balancedOnly }: Pick<DescribedGroup, 'subnetIds' | 'balancedOnly'>,
  services: readonly Service[],
): Promise<Pick<PreflightFacts, 'freeAddresses' | 'zonalAddresses' | 'taskAddresses'>> {
  const ofTasks = services.flatMap(({ name, placement }) =>
    placement?.subnetIds === undefined ? [] : [{ service: name, subnetIds: placement.subnetIds }],
  );
  const all = [...subnetIds, ...ofTasks.flatMap((each) => each.subnetIds)];
  if (all.length === 0) return {};
  const bySubnet = await describeSubnets(aws, all);
  const freeIn = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (bySubnet.get(id)?.free ?? 0), 0);
  const byZone = new Map<string, number>();
  for (const { zone, free } of [...new Set(subnetIds)].flatMap((id) => bySubnet.get(id) ?? []))
    byZone.set(zone, (byZone.get(zone) ?? 0) + free);
  const taskAddresses = ofTasks.map(({ service, subnetIds: ids }) => ({ service, free: freeIn(ids) }));
  return {
    ...(subnetIds.length > 0 && { freeAddresses: freeIn([...new Set(subnetIds)]) }),
    ...(balancedOnly && byZone.size > 0 && { zonalAddresses: byZone }),
    ...(taskAddresses.length > 0 && { taskAddresses }),
  };
}

async function stuckServices(
  aws: Aws,
  cluster: string,
  names: readonly string[],
  known: TaskHosts,
): Promise<StuckService[]> {
  const found: StuckService[] = [];
  for (const name of names) found.push({ name, hosts: await hostsOf(aws, cluster, name, known) });
  return found;
}

async function hostsOf(
  aws: Aws,
  cluster: string,
  service: string,
  known: TaskHosts,
): Promise<readonly string[]> {
  const hosts = known.get(service) ?? (await describeTaskHosts(aws, cluster, service, 'RUNNING')) ?? [];
  known.set(service, hosts);
  return hosts;
}

/** A killed run may have made the copy already: then it needs no room in a full account. */
async function launchConfigurationRoom(
  aws: Aws,
  { group, outdated }: Assessment,
): Promise<number | undefined> {
  const names = outdated.flatMap(({ place, target }) =>
    place.kind === 'launch-configuration' ? [launchConfigurationName(group, place, target.imageId)] : [],
  );
  if (names.length === 0) return undefined;
  const room = await describeLaunchConfigurationsLeft(aws);
  if (room > 0) return room;
  const made = await describeLaunchConfigurations(aws, names);
  return made.length < names.length ? room : undefined;
}

/** Services that may not fit on new instances. We ask only for these where their tasks run. */
export async function placedMisfits(
  aws: Aws,
  assessment: Assessment,
  cluster: ClusterAssessment,
  definitions: TaskDefinitionCatalog,
  known: TaskHosts,
): Promise<PlacedMisfit[]> {
  const { observation } = assessment;
  await definitions.learn((observation.details?.services ?? []).filter(runsOnInstances));
  const found: PlacedMisfit[] = [];
  for (const misfit of misfitsOf(assessment, cluster, definitions.known)) {
    found.push({ ...misfit, hosts: await hostsOf(aws, observation.cluster, misfit.service, known) });
  }
  return found;
}
