import { describeGroups, type GroupRecord } from './aws/autoscaling.ts';
import type { Aws } from './aws/clients.ts';
import { describeInstances, describeTaggedInstances, type InstanceRecord } from './aws/ec2.ts';
import { describeContainerInstances, describeServices, describeTasks } from './aws/ecs.ts';
import { INSTANCE_TAGS } from './contract.ts';
import { standingOf } from './core/decide.ts';
import type { Observation, Watch } from './core/model.ts';
import { NOT_WATCHED, watch } from './core/steadiness.ts';
import type { Memory } from './memory.ts';
import { goneGroups, groupOf, type Look, type Seen, seenOf, withDetails } from './observe-group.ts';

/** What was seen, and the groups that couldn't be looked at for a fault of their own. */
export interface Looked {
  readonly observation: Observation;
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * Looks at one cluster and its groups: a Describe for many each, and services and tasks only while something is to drain.
 *
 * @throws ClusterNotFound
 */
export async function observe(aws: Aws, look: Look, memory: Memory): Promise<Looked> {
  const { cluster, groups: names } = look.scope;
  const containerInstances = await describeContainerInstances(aws, cluster);
  const records = await describeGroups(aws, names);
  const faults = new Map<string, unknown>();
  const seen = await eachOrFault(records, faults, (record) => seenOf(aws, record));
  const connected = containerInstances.flatMap((each) => (each.agentConnected ? [each.instanceId] : []));
  const instances = await instancesOf(aws, cluster, seen, memory.members, new Set(connected));
  await memory.launches.learn(records);
  await memory.images.learn(instances.map(({ imageId }) => imageId));
  const bare: Observation = {
    now: look.now,
    cluster,
    containerInstances,
    tasks: [],
    images: memory.images.known,
    groups: goneGroups(look, records, instances),
  };
  const groups = await eachOrFault(seen, faults, async (each) => {
    const group = await groupOf(each, look, instances, memory);
    return withDetails(aws, each.record, group, bare, look, memory);
  });
  const whole = { ...bare, groups: [...bare.groups, ...groups] };
  const complete = await withServices(aws, whole, look, memory.stoppedTasks);
  return { observation: watched(complete, look, memory.watches), faults };
}

/** A fault of one group is its own: the others are looked at. */
async function eachOrFault<Item extends { readonly name: string } | { readonly record: GroupRecord }, Found>(
  items: readonly Item[],
  faults: Map<string, unknown>,
  look: (item: Item) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) {
    try {
      found.push(await look(item));
    } catch (error) {
      faults.set('record' in item ? item.record.name : item.name, error);
    }
  }
  return found;
}

/** The members of the groups and their warm pools, and what bears our tags for this cluster, member or not. */
async function instancesOf(
  aws: Aws,
  cluster: string,
  seen: readonly Seen[],
  known: Map<string, InstanceRecord>,
  connected: ReadonlySet<string>,
): Promise<InstanceRecord[]> {
  const tagged = new Map((await describeTaggedInstances(aws)).map((each) => [each.instanceId, each]));
  const members = seen.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  // One that ECS isn't connected to may have died since it was seen.
  const isKnown = (instanceId: string) => known.has(instanceId) && connected.has(instanceId);
  const unknown = [...ids].filter((instanceId) => !tagged.has(instanceId) && !isKnown(instanceId));
  // Without tags: one whose tags matter is among the tagged.
  for (const found of await describeInstances(aws, unknown))
    known.set(found.instanceId, { ...found, tags: {} });
  for (const { tags, instanceId } of tagged.values())
    if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);
  return [...ids].flatMap((instanceId) => tagged.get(instanceId) ?? known.get(instanceId) ?? []);
}

/** Services and tasks matter only to instances that are to leave, and tasks only on those of them that drain. */
async function withServices(
  aws: Aws,
  observation: Observation,
  { settings }: Look,
  stoppedTasks: Set<string>,
): Promise<Observation> {
  const leaving = observation.groups.flatMap(
    (group) => standingOf(group, observation, settings)?.leaving ?? [],
  );
  if (leaving.length === 0) return observation;
  const ids = new Set(leaving.map(({ instanceId }) => instanceId));
  const draining = observation.containerInstances.filter(
    ({ instanceId, status }) => status === 'DRAINING' && ids.has(instanceId),
  );
  const services = await describeServices(aws, observation.cluster);
  return {
    ...observation,
    services,
    tasks: await describeTasks(aws, observation.cluster, draining, stoppedTasks),
  };
}

function watched(observation: Observation, { settings }: Look, watches: Map<string, Watch>): Observation {
  const groups = observation.groups.map((group) => {
    const standing = standingOf(group, observation, settings);
    if (standing === undefined) return group;
    const key = `${observation.cluster}/${group.name}`;
    const seen = watch(watches.get(key) ?? NOT_WATCHED, group, standing, observation);
    watches.set(key, seen);
    return { ...group, watch: seen };
  });
  return { ...observation, groups };
}
