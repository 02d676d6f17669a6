import { type DescribedGroup, describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { describeAlarms } from '../aws/cloudwatch.ts';
import { describeCrashes } from '../aws/crashes.ts';
import { type DescribedInstance, describeInstances, describeTaggedInstances } from '../aws/ec2.ts';
import { describeContainerInstances } from '../aws/ecs.ts';
import { describeServices } from '../aws/services.ts';
import { describeProtection, describeTasks } from '../aws/tasks.ts';
import { INSTANCE_TAGS } from '../contract.ts';
import { drainingAmong } from '../core/drain/repair.ts';
import { isOverdue } from '../core/drain/stuck.ts';
import { classificationOf, hasBegun, isConcerned, outdatedOf } from '../core/group/assess.ts';
import { NOT_WATCHED, watch } from '../core/group/steadiness.ts';
import type { ContainerInstance, Crash, Task } from '../core/model/cluster.ts';
import type { Group, Watch } from '../core/model/group.ts';
import type { Alarm, Observation } from '../core/model/observation.ts';
import { instanceIdsOf } from '../core/model/registrations.ts';
import { settingsOf } from '../core/model/settings.ts';
import { propagatedMarks, tagsTooMany } from '../tags/tags.ts';
import { learnOthers } from './belonging.ts';
import type { Memory } from './memory.ts';
import { needsCrashes, needsServices } from './needs.ts';
import { goneGroups, groupOf, type Look, type Seen, seenOf, withDetails } from './observe-group.ts';
import { withPlacement } from './observe-placement.ts';
import { placedMisfits } from './placement-facts.ts';
import { preflightFacts, type TaskHosts } from './preflight-facts.ts';
import { withHosts } from './service-hosts.ts';
import { protectedBefore, withProtected } from './termination-protection.ts';

/** What was seen, and the groups that couldn't be looked at for a fault of their own. */
export interface Looked {
  readonly observation: Observation;
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * Looks at one cluster and its groups: a Describe for many each, and services and tasks only while something is to drain.
 * A group of which AWS shows a state from before our own last write is left out of the look.
 *
 * @throws ClusterNotFound
 */
export async function observe(aws: Aws, look: Look, memory: Memory): Promise<Looked> {
  const { cluster, groups: names } = look.scope;
  const containerInstances = await describeContainerInstances(aws, cluster);
  memory.registered.set(cluster, containerInstances);
  const unread = await learnOthers(aws, { cluster, settings: look.settings }, memory);
  const all = await describeGroups(aws, names);
  const records = all.filter((record) => !memory.writes.isStale(record, look.now));
  const faults = new Map<string, unknown>();
  const seen = await eachOrFault(records, faults, (record) => seenOf(aws, record));
  const connected = containerInstances.flatMap((each) => (each.agentConnected ? [each.instanceId] : []));
  const instances = await instancesOf(aws, cluster, seen, memory.members, new Set(connected));
  learnHosts(memory, containerInstances, instances);
  await memory.launches.learn(records);
  await memory.images.learn(instances.map(({ imageId }) => imageId));
  const bare: Observation = {
    now: look.now,
    cluster,
    containerInstances,
    tasks: [],
    crashes: [],
    alarms: [],
    images: memory.images.known,
    groups: await goneGroups(aws, look, all, instances, memory),
  };
  const groups = await eachOrFault(seen, faults, async (each) => {
    const known = await groupOf(aws, each, look, instances, memory, containerInstances);
    const group = { ...known, warnings: [...(known.warnings ?? []), ...unread] };
    const detailed = await withDetails(aws, each.record, group, bare, look, memory);
    const classified = classificationOf(detailed, bare, look.settings);
    return classified === undefined ? detailed : withProtected(aws, detailed, classified, memory);
  });
  const { alarms, readable } = await alarmsOf(aws, groups, faults, bare, look);
  const whole = { ...bare, alarms, groups: [...bare.groups, ...readable] };
  const complete = await withPreflight(
    aws,
    await withPlacement(aws, await withServices(aws, whole, look, memory), look, memory),
    records,
    look,
    memory,
    faults,
  );
  return { observation: watched(complete, look, memory.watches), faults };
}

/** A fault of one group is its own: the others are looked at. */
async function eachOrFault<
  Item extends { readonly name: string } | { readonly record: DescribedGroup },
  Found,
>(
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
  known: Map<string, DescribedInstance>,
  connected: ReadonlySet<string>,
): Promise<DescribedInstance[]> {
  const tagged = new Map((await describeTaggedInstances(aws)).map((each) => [each.instanceId, each]));
  const members = seen.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  // One that ECS isn't connected to may have died since it was seen; and before a drain all are looked at, as ECS may not have
  // noticed yet.
  const isDue = [...tagged.values()].some((each) => isNext(each) && connected.has(each.instanceId));
  const isKnown = (instanceId: string) => !isDue && known.has(instanceId) && connected.has(instanceId);
  const unknown = [...ids].filter((instanceId) => !tagged.has(instanceId) && !isKnown(instanceId));
  // Without tags: one whose tags matter is among the tagged.
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

/**
 * Services matter where a roll would begin, to what is to leave, and to replacements; tasks only on instances of ours
 * that drain, or whose drain was given up; those that crashed before a roll begins, and while replacements may be at fault.
 */
async function withServices(
  aws: Aws,
  observation: Observation,
  { settings }: Look,
  memory: Memory,
): Promise<Observation> {
  const { cluster, groups, now } = observation;
  const concerned = groups.filter((group) => isConcerned(group, observation, settings));
  const leaving = concerned.flatMap((group) => classificationOf(group, observation, settings)?.leaving ?? []);
  const matter = concerned.some((group) => needsServices(group, observation, settings));
  if (leaving.length === 0 && !matter) return observation;
  const given = new Set(
    leaving.flatMap(({ instanceId, mark }) => (mark.drainGivenUpAt === undefined ? [] : [instanceId])),
  );
  const ids = leaving.map(({ instanceId }) => instanceId);
  const busy = new Set([...given, ...instanceIdsOf(drainingAmong(observation.containerInstances, ids))]);
  // All that one is registered as: while one of these drains, tasks may come to another.
  const draining = observation.containerInstances.filter(({ instanceId }) => busy.has(instanceId));
  const { stoppedTasks, servicesOn } = memory;
  const tasks = await describeTasks(aws, cluster, draining, stoppedTasks, servicesOn);
  const overdue = leaving.filter(({ mark }) => isOverdue(mark, now, settings));
  // What takes too long may be waiting for tasks that fail wherever else they are placed.
  const isTried = overdue.length > 0 || concerned.some((group) => needsCrashes(group, observation, settings));
  return {
    ...observation,
    services: await withHosts(aws, await describeServices(aws, cluster), concerned, observation, memory),
    servicesOn: new Map(servicesOn),
    tasks: overdue.length > 0 ? await withProtection(aws, cluster, tasks) : tasks,
    crashes: isTried ? await crashesOf(aws, cluster, memory) : [],
  };
}

/** Each with the instance that it ran on, as far as this invocation has seen that. */
async function crashesOf(aws: Aws, cluster: string, { crashes, hosts }: Memory): Promise<Crash[]> {
  const all = await describeCrashes(aws, cluster, crashes);
  return all.map((crash) => ({ ...crash, host: hosts.get(crash.containerInstanceArn) }));
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

/** A roll that would begin is looked into first. */
async function withPreflight(
  aws: Aws,
  observation: Observation,
  records: readonly DescribedGroup[],
  { settings }: Look,
  { taskDefinitions }: Memory,
  faults: Map<string, unknown>,
): Promise<Observation> {
  const hosts: TaskHosts = new Map();
  const tags = new Map(records.map((record) => [record.name, record.tags]));
  const propagated = new Map(records.map(({ name, propagatedTags }) => [name, propagatedTags]));
  const subnetIds = new Map(records.map(({ name, subnetIds }) => [name, subnetIds]));
  const groups = await eachOrFault(observation.groups, faults, async (group) => {
    if (hasBegun(group) || !isConcerned(group, observation, settings)) return group;
    const outdated = outdatedOf(group, observation, settings);
    const ids = subnetIds.get(group.name) ?? [];
    const facts = await preflightFacts(aws, group, observation, ids, outdated, hosts);
    const misfits = await placedMisfits(aws, group, observation, settings, taskDefinitions, hosts);
    const terminationProtected = await protectedBefore(aws, group, observation, settings);
    const preflight = {
      ...facts,
      misfits,
      terminationProtected,
      tagsTooMany: tagsTooMany(tags.get(group.name) ?? {}),
      propagatedTags: propagatedMarks(propagated.get(group.name) ?? []),
    };
    return { ...group, preflight };
  });
  return { ...observation, groups, unread: taskDefinitions.unread() };
}

/** Protection matters only to what is given up, or stopped. */
async function withProtection(aws: Aws, cluster: string, tasks: readonly Task[]): Promise<Task[]> {
  const ofServices = tasks.filter(({ group }) => group.startsWith('service:')).map(({ arn }) => arn);
  const until = await describeProtection(aws, cluster, ofServices);
  return tasks.map((task) => ({ ...task, protectedUntil: until.get(task.arn) }));
}

/**
 * All that settings of the groups name, in one call. Where that fails, each group's by themselves: a name on the tag of one
 * may be what CloudWatch refuses.
 *
 * @returns these, and the groups of which they could be read
 */
async function alarmsOf(
  aws: Aws,
  groups: readonly Group[],
  faults: Map<string, unknown>,
  bare: Observation,
  { settings }: Look,
): Promise<{ readonly alarms: readonly Alarm[]; readonly readable: readonly Group[] }> {
  const namesOf = (group: Group) =>
    isConcerned(group, bare, settings) ? (settingsOf(group, settings).alarmNames ?? []) : [];
  const names = groups.flatMap(namesOf);
  if (names.length === 0) return { alarms: [], readable: groups };
  try {
    return { alarms: await describeAlarms(aws, names), readable: groups };
  } catch {
    // What stands in the way is told of each group that it stands in the way of.
    const alarms: Alarm[] = [];
    const readable = await eachOrFault(groups, faults, async (group) => {
      alarms.push(...(await describeAlarms(aws, namesOf(group))));
      return group;
    });
    return { alarms, readable };
  }
}

function watched(observation: Observation, { settings }: Look, watches: Map<string, Watch>): Observation {
  const groups = observation.groups.map((group) => {
    const classified = classificationOf(group, observation, settings);
    if (classified === undefined) return group;
    const key = `${observation.cluster}/${group.name}`;
    const own = settingsOf(group, settings);
    const seen = watch(watches.get(key) ?? NOT_WATCHED, group, classified, observation, own);
    watches.set(key, seen);
    return { ...group, watch: seen };
  });
  return { ...observation, groups };
}
