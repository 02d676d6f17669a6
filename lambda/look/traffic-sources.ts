import type { Aws } from '../aws/clients.ts';
import { tryRead } from '../aws/errors.ts';
import { describeTargetHealth, isZonal, leastHealthyPercent } from '../aws/load-balancing.ts';
import { listTasksOfService } from '../aws/task-lists.ts';
import { describeTaskHealth } from '../aws/tasks.ts';
import { isConcerned, withDetails } from '../core/group/assess.ts';
import { markedAmong } from '../core/group/marked.ts';
import { nameOfSource, readiness } from '../core/group/readiness.ts';
import { strategyOf } from '../core/group/strategy.ts';
import { countsPerZone, sparingZones, zonesAtRisk } from '../core/group/zones.ts';
import type { Assessment, ClusterAssessment, Leaving } from '../core/model/assessment.ts';
import type { LastInZone, Service } from '../core/model/cluster.ts';
import type { GroupDetails, TargetHealthIn, TrafficSource } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import type { PreflightFacts, UnservedZones } from '../core/model/preflight-facts.ts';
import { zoneOf } from '../core/model/registrations.ts';
import { groupOfService } from '../core/model/task-group.ts';
import { inTurn } from '../core/placement/stranded.ts';
import { isOf, keyOf, targetsOf } from './health.ts';
import type { GroupLook } from './look.ts';
import type { Memory } from './memory.ts';

/** Whether the traffic sources of a group find its members healthy, once its roll is recorded. */
export async function targetHealthOf(
  aws: Aws,
  { group }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'targetHealth'>> {
  if (group.roll === undefined) return {};
  const targetHealth: TargetHealthIn[] = [];
  for (const source of group.trafficSources) {
    const byInstance = await describeTargetHealth(aws, source);
    const least = await readLeastHealthy(aws, source, memory);
    targetHealth.push({ source, byInstance, ...(least > 0 && { leastHealthyPercent: least }) });
  }
  return { targetHealth };
}

/** Where it can't be read, as its owner forbids, it is taken to be off. */
function readLeastHealthy(aws: Aws, source: TrafficSource, { leastHealthy }: Memory): Promise<number> {
  return readOnce(leastHealthy, source, 0, () => leastHealthyPercent(aws, source));
}

/** Along with it, which of the sources serve zones apart, where that matters. */
export async function zonesOf(
  aws: Aws,
  assessment: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'targetHealth'>> {
  const { targetHealth = [] } = assessment.group.details ?? {};
  if (!needsZones(assessment)) return {};
  const found: TargetHealthIn[] = [];
  for (const each of targetHealth) found.push({ ...each, zonal: await readZonal(aws, each.source, memory) });
  return { targetHealth: found };
}

/** If it can't be read, we take care as if it were so. */
export function readZonal(aws: Aws, source: TrafficSource, { zonal }: Memory): Promise<boolean> {
  return readOnce(zonal, source, true, () => isZonal(aws, source));
}

/** Once per invocation. */
async function readOnce<Fact>(
  known: Map<string, Fact>,
  source: TrafficSource,
  ifUnread: Fact,
  ask: () => Promise<Fact>,
): Promise<Fact> {
  const key = keyOf(source);
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  const read = await tryRead(ask());
  const found = read.kind === 'unread' ? ifUnread : read.answer;
  known.set(key, found);
  return found;
}

/** Of the target groups of services we ask about at most this many, two calls or three each. */
const MOST_ASKED = 20;

/**
 * Those that find none of the members healthy, where one whose checks are still to come may be; and those
 * that serve nobody in some members' zones.
 */
export async function sourcesInTheWay(
  aws: Aws,
  { group }: Assessment,
): Promise<Pick<PreflightFacts, 'illSources' | 'unservedZones' | 'shiftedSources'>> {
  const illSources: string[] = [];
  const shiftedSources: string[] = [];
  const unservedZones: UnservedZones[] = [];
  for (const each of group.trafficSources) {
    const byInstance = await describeTargetHealth(aws, each);
    const known = group.members.flatMap(({ instanceId }) => byInstance.get(instanceId) ?? []);
    const isIll = known.every(({ healthy, unknown, starting }) => !healthy && !unknown && !starting);
    const barred = group.members.filter(({ instanceId }) => byInstance.get(instanceId)?.barred);
    const zones = [...new Set(barred.map(({ availabilityZone }) => availabilityZone))].sort();
    const source = nameOfSource(each);
    if (known.some(({ shifted }) => shifted)) shiftedSources.push(source);
    else if (zones.length > 0) unservedZones.push({ source, zones });
    else if (known.length > 0 && isIll) illSources.push(source);
  }
  return { illSources, unservedZones, shiftedSources };
}

/**
 * Names of those that serve zones apart, of the group's own and of services, if the roll may leave a zone
 * without a member.
 */
export async function zonalSources(
  aws: Aws,
  assessment: Assessment,
  memory: Memory,
): Promise<readonly string[]> {
  if (zonesAtRisk(assessment).length === 0) return [];
  const names: string[] = [];
  const { group, observation } = assessment;
  const ofServices = (observation.details?.services ?? []).flatMap(({ sources: own = [] }) => own);
  for (const source of [...group.trafficSources, ...ofServices.slice(0, MOST_ASKED)])
    if (await readZonal(aws, source, memory)) names.push(nameOfSource(source));
  return [...new Set(names)];
}

/** A task that runs, or several of a service where targets are instances. */
interface Served {
  /** ARN of its container instance. */
  readonly host: string;
  readonly zone: string;
  readonly healthy: boolean;
  /** Its load balancer can't tell. */
  readonly unknown: boolean;
}

/**
 * Before instances drain, finds those with the last healthy targets that a service has in their zone, where
 * its load balancer serves each zone from itself. Asks only about services with tasks there, in a cluster
 * that is in several zones.
 */
export async function withLastInZone(
  aws: Aws,
  assessed: ClusterAssessment,
  memory: Memory,
): Promise<ClusterAssessment> {
  const { observation } = assessed;
  const { containerInstances, details: { services = [], tasksInTurn = [] } = {} } = observation;
  if (tasksInTurn.length === 0 || new Set(containerInstances.map(zoneOf)).size < 2) return assessed;
  const groups = new Set(tasksInTurn.map(({ group }) => group));
  const busy = services.filter(({ name, daemon }) => !daemon && groups.has(groupOfService(name)));
  const turns = assessed.groups.filter(isConcerned).flatMap((each) => inTurn(each));
  const lastInZone = new Map<string, readonly LastInZone[]>();
  for (const service of busy) {
    // Whom another load balancer finds healthy is no help to those that this one sends to the zone.
    for (const source of service.sources ?? []) {
      if (!(await readZonal(aws, source, memory))) continue;
      const served = await servedBy(aws, { ...service, sources: [source] }, observation, memory);
      for (const [id, last] of lastAmong(turns, service, served, observation))
        lastInZone.set(id, [...(lastInZone.get(id) ?? []), last]);
    }
  }
  return withDetails(assessed, { lastInZone });
}

async function servedBy(
  aws: Aws,
  service: Service,
  { cluster, containerInstances }: Observation,
  memory: Memory,
): Promise<Served[]> {
  const arns = (await listTasksOfService(aws, cluster, service.name, ['RUNNING'])) ?? [];
  const tasks = await describeTaskHealth(aws, cluster, arns, memory.tasksRead);
  const targets = [...(await targetsOf(aws, [service], memory)).values()].flat();
  return tasks.flatMap((task): Served[] => {
    const host = containerInstances.find(({ arn }) => arn === task.containerInstanceArn);
    const zone = host && zoneOf(host);
    if (host === undefined || zone === undefined) return [];
    const own = targets.filter((target) => !target.leaving && isOf(target, task, host.instanceId));
    const healthy = own.some((target) => target.healthy);
    return [{ host: host.arn, zone, healthy, unknown: own.some((target) => target.unknown) }];
  });
}

/** The zone that an instance serves in, and whether others that stay do, too. */
function zoneServedBy(
  own: readonly string[],
  served: readonly Served[],
  staying: ReadonlySet<string>,
): { readonly zone: string; readonly othersServe: boolean } | undefined {
  const here = ({ host }: Served) => own.includes(host);
  const first = served.find((each) => here(each) && staying.has(each.host) && (each.healthy || each.unknown));
  if (first === undefined) return undefined;
  const { zone } = first;
  const othersServe = served.some(
    (each) => each.zone === zone && !here(each) && each.healthy && staying.has(each.host),
  );
  return { zone, othersServe };
}

/** By instance. Of several in a zone, the one whose turn came first may go, for the others stay meanwhile. */
function lastAmong(
  turns: readonly Leaving[],
  service: Service,
  served: readonly Served[],
  { containerInstances }: Observation,
): Map<string, LastInZone> {
  const staying = new Set(
    containerInstances.filter(({ status }) => status === 'ACTIVE').map(({ arn }) => arn),
  );
  const found = new Map<string, LastInZone>();
  const began = ({ mark }: Leaving) => mark.drainStartedAt?.getTime() ?? 0;
  for (const { instanceId } of [...turns].sort((a, b) => began(a) - began(b))) {
    const own = containerInstances.filter((each) => each.instanceId === instanceId).map(({ arn }) => arn);
    const last = zoneServedBy(own, served, staying);
    if (last === undefined) continue;
    const { zone, othersServe } = last;
    if (othersServe) for (const arn of own) staying.delete(arn);
    else found.set(instanceId, { service: service.name, zone, comes: isUneven(service, served, zone) });
  }
  return found;
}

/**
 * Whether ECS is about to start a task in the zone, as another has two more.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html
 */
function isUneven({ evensOut }: Service, served: readonly Served[], zone: string): boolean {
  if (evensOut !== true) return false;
  const counts = new Map<string, number>();
  for (const each of served) counts.set(each.zone, (counts.get(each.zone) ?? 0) + 1);
  return Math.max(...counts.values()) - (counts.get(zone) ?? 0) > 1;
}

/**
 * Whether it will need to know which traffic sources serve zones apart: a marked member is the last of its
 * zone, or what the group has too many may be all of one.
 */
function needsZones(assessment: Assessment): boolean {
  const { group, settings, classified } = assessment;
  const { targetHealth = [] } = group.details ?? {};
  if (targetHealth.length === 0) return false;
  if (strategyOf(group, settings) === 'in-place') return false;
  // Where launches find no room, which is read later, some may leave though others are lacking.
  if (readiness(assessment).some(({ what }) => what.kind !== 'members-lacking')) return false;
  const added = group.roll?.changes.addedSizes.desiredCapacity ?? 0;
  if (classified.drifted.length === 0 && countsPerZone(group).some(([, count]) => count <= added))
    return added > 0;
  const marked = markedAmong(classified.drifted);
  return sparingZones(group, targetHealth, [], marked).length < marked.length;
}
