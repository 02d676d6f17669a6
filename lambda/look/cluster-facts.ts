import { type DescribedGroup, describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { type DescribedInstance, describeInstances, describeTaggedInstances } from '../aws/ec2.ts';
import { describeContainerInstances } from '../aws/ecs.ts';
import { INSTANCE_TAGS } from '../contract.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import type { Warning } from '../core/model/warning.ts';
import { learnOthers } from './belonging.ts';
import { eachOrFault } from './faults.ts';
import { goneGroups } from './gone-groups.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';
import { type SeenGroup, seenGroup } from './seen-group.ts';

/** What every look reads about a cluster, whatever it runs. */
export interface ClusterFacts {
  /** Its groups are only those that are gone. */
  readonly observation: Observation;
  readonly seen: readonly SeenGroup[];
  /** The groups as Auto Scaling describes them. */
  readonly records: readonly DescribedGroup[];
  readonly instances: readonly DescribedInstance[];
  /** For each other cluster that couldn't be read. */
  readonly unread: readonly Warning[];
}

/** @throws ClusterNotFound */
export async function clusterFacts(
  aws: Aws,
  look: Look,
  memory: Memory,
  faults: Map<string, unknown>,
): Promise<ClusterFacts> {
  const { cluster, groups: names } = look.scope;
  const containerInstances = await describeContainerInstances(aws, cluster);
  memory.registered.set(cluster, containerInstances);
  const unread = await learnOthers(aws, { cluster, settings: look.settings }, memory);
  const all = await describeGroups(aws, names);
  const records = all.filter((record) => !memory.writes.isStale(record, look.now));
  const seen = await eachOrFault(records, faults, nameOf, (record) => seenGroup(aws, record));
  const connected = containerInstances.flatMap((each) => (each.agentConnected ? [each.instanceId] : []));
  const instances = await instancesOf(aws, cluster, seen, memory.members, new Set(connected));
  learnHosts(memory, containerInstances, instances);
  await memory.launches.learn(records);
  await memory.images.learn(instances.map(({ imageId }) => imageId));
  const observation: Observation = {
    now: look.now,
    cluster,
    containerInstances,
    images: memory.images.known,
    groups: await goneGroups(aws, look, all, instances, memory),
  };
  return { observation, seen, records, instances, unread };
}

function nameOf({ name }: DescribedGroup): string {
  return name;
}

/** The members of the groups and their warm pools, and every instance with our tags for this cluster. */
async function instancesOf(
  aws: Aws,
  cluster: string,
  seen: readonly SeenGroup[],
  known: Map<string, DescribedInstance>,
  connected: ReadonlySet<string>,
): Promise<DescribedInstance[]> {
  const tagged = new Map((await describeTaggedInstances(aws)).map((each) => [each.instanceId, each]));
  const members = seen.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  // An instance whose agent is disconnected may have died since it was seen. Before a drain we look at all of
  // them, as ECS may not have noticed yet.
  const isDue = [...tagged.values()].some((each) => isNext(each) && connected.has(each.instanceId));
  const isKnown = (instanceId: string) => !isDue && known.has(instanceId) && connected.has(instanceId);
  const unknown = [...ids].filter((instanceId) => !tagged.has(instanceId) && !isKnown(instanceId));
  // Tags are left out: instances whose tags matter are in `tagged`.
  for (const found of await describeInstances(aws, unknown))
    known.set(found.instanceId, { ...found, tags: {}, untrusted: [] });
  for (const { tags, instanceId } of tagged.values())
    if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);
  return [...ids].flatMap((instanceId) => tagged.get(instanceId) ?? known.get(instanceId) ?? []);
}

/** Its turn to drain has come. */
function isNext({ tags }: DescribedInstance): boolean {
  return INSTANCE_TAGS.drainStartedAt in tags && !(INSTANCE_TAGS.drainGivenUpAt in tags);
}

function learnHosts(
  { hosts, members }: Memory,
  containerInstances: readonly ContainerInstance[],
  instances: readonly DescribedInstance[],
): void {
  const byId = new Map([...members, ...instances.map((each) => [each.instanceId, each] as const)]);
  for (const { arn, instanceId } of containerInstances) {
    const host = byId.get(instanceId);
    if (host !== undefined) hosts.set(arn, { imageId: host.imageId, launchedAt: host.launchedAt });
  }
}
