import { describeGroups, type GroupRecord } from './aws/autoscaling.ts';
import type { Aws } from './aws/clients.ts';
import { describeInstances, describeMarkedInstances, type InstanceRecord } from './aws/ec2.ts';
import { describeContainerInstances, describeServices, describeTasks } from './aws/ecs.ts';
import { needsLaunchHistory, standingOf } from './core/decide.ts';
import { detachedOf } from './core/drift.ts';
import type { Group, Observation, Watch } from './core/model.ts';
import type { Settings } from './core/settings.ts';
import { NOT_WATCHED, watch } from './core/steadiness.ts';
import { AWS_GROUP_TAG, type Scope } from './discover.ts';
import { type Choice, type ImageCatalog, imageCatalog } from './images.ts';
import { type LaunchCatalog, launchCatalog, launchHistory } from './launch.ts';
import { readMark, readRollout } from './tags.ts';

/** What an invocation keeps from one look to the next: what never changes, and what it has watched without a break. */
export interface Memory {
  readonly images: ImageCatalog;
  readonly launches: LaunchCatalog;
  /** Members by id. Which image they were launched from, and when, is for ever. */
  readonly members: Map<string, InstanceRecord>;
  /** ARNs of tasks that have stopped. */
  readonly stoppedTasks: Set<string>;
  /** By cluster and group. */
  readonly watches: Map<string, Watch>;
  /** The time of this invocation's request to force, and the groups on whose tags one was seen: theirs is granted. */
  readonly forceAt?: Date;
  readonly forced: Set<string>;
}

export function newMemory(aws: Aws, forceAt?: Date): Memory {
  return {
    images: imageCatalog(aws),
    launches: launchCatalog(aws),
    members: new Map(),
    stoppedTasks: new Set(),
    watches: new Map(),
    forced: new Set(),
    forceAt,
  };
}

/** What is looked at, for whom and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
}

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
  const instances = await instancesOf(aws, cluster, records, memory.members);
  await memory.launches.learn(records);
  await memory.images.learn(instances.map(({ imageId }) => imageId));
  const bare = { now: look.now, cluster, containerInstances, tasks: [], images: memory.images.known };
  const groups: Group[] = goneGroups(look, records, instances);
  const faults = new Map<string, unknown>();
  for (const record of records) {
    try {
      const group = await groupOf(record, look, instances, memory);
      groups.push(await withLaunchHistory(aws, record, group, { ...bare, groups: [] }, look));
    } catch (error) {
      faults.set(record.name, error);
    }
  }
  const complete = await withServices(aws, { ...bare, groups }, look, memory.stoppedTasks);
  return { observation: watched(complete, look, memory.watches), faults };
}

/** The members of the groups, and what bears our tags for this cluster whether it is a member or not. */
async function instancesOf(
  aws: Aws,
  cluster: string,
  records: readonly GroupRecord[],
  known: Map<string, InstanceRecord>,
): Promise<InstanceRecord[]> {
  const marked = await describeMarkedInstances(aws, [cluster]);
  const markedIds = new Set(marked.map(({ instanceId }) => instanceId));
  const members = records.flatMap((record) => record.members.map(({ instanceId }) => instanceId));
  const unmarked = members.filter((instanceId) => !markedIds.has(instanceId));
  const unknown = unmarked.filter((instanceId) => !known.has(instanceId));
  // Without tags: an instance whose tags of ours matter is among the marked.
  for (const found of await describeInstances(aws, unknown))
    known.set(found.instanceId, { ...found, tags: {} });
  return [...marked, ...unmarked.flatMap((instanceId) => known.get(instanceId) ?? [])];
}

async function groupOf(
  record: GroupRecord,
  { scope, settings, now }: Look,
  instances: readonly InstanceRecord[],
  { images, launches, forceAt, forced }: Memory,
): Promise<Group> {
  const rollout = readRollout(record.tags, scope.cluster, now);
  const { name, uuid, desiredCapacity, members } = record;
  if (rollout?.forceBefore) forced.add(name);
  const forceRequestedAt = forced.has(name) ? undefined : forceAt;
  const base = { name, uuid, desiredCapacity, members, rollout, forceRequestedAt, watch: NOT_WATCHED };
  const group = { ...base, instances: instancesOfGroup(record, instances, now) };
  const clusters = scope.shared.get(name);
  if (clusters !== undefined) {
    return {
      ...group,
      launch: { obstacle: `the group has instances in clusters ${clusters.join(' and ')}` },
    };
  }
  const isEnding = detachedOf(group).length > 0;
  const launch = await launches.launchOf(record, isEnding ? rollout?.imageId : undefined);
  if ('obstacle' in launch) return { ...group, launch };
  const choice = await targetOf(group, launch.spec.imageId, settings, images);
  return { ...group, launch: 'obstacle' in choice ? choice : { ...launch, ...choice } };
}

/** A roll that has begun keeps its image, whatever is published or configured until it is over. */
function targetOf(
  { rollout }: Pick<Group, 'rollout'>,
  currentImageId: string,
  settings: Settings,
  images: ImageCatalog,
): Promise<Choice> {
  return rollout === undefined
    ? images.choose(settings.image, currentImageId)
    : images.byId(rollout.imageId, 'onto which the group is being rolled');
}

function instancesOfGroup(
  { name, members }: Pick<GroupRecord, 'name' | 'members'>,
  instances: readonly InstanceRecord[],
  now: Date,
): Group['instances'] {
  const memberIds = new Set(members.map(({ instanceId }) => instanceId));
  return instances.flatMap(({ tags, ...instance }) => {
    const mark = readMark(tags, now);
    // What somebody has put into another group since is that group's.
    const elsewhere = (tags[AWS_GROUP_TAG] ?? name) !== name;
    const ours = mark?.group === name && !elsewhere;
    return ours || memberIds.has(instance.instanceId) ? [{ ...instance, mark: ours ? mark : undefined }] : [];
  });
}

/** Groups that somebody has deleted since they were found; what was detached of them is still there. */
function goneGroups(
  { scope, now }: Look,
  records: readonly GroupRecord[],
  instances: readonly InstanceRecord[],
): Group[] {
  const names = scope.groups.filter((name) => records.every((record) => record.name !== name));
  return names.map((name) => {
    const left = instancesOfGroup({ name, members: [] }, instances, now);
    const ids = left.map(({ instanceId }) => instanceId).join(', ');
    const advice =
      left.length > 0 ? `, but ${ids} still bear our tags; drain and terminate them by hand` : '';
    const launch = { obstacle: `the Auto Scaling group no longer exists${advice}` };
    const empty = { uuid: '', desiredCapacity: 0, members: [], watch: NOT_WATCHED };
    return { ...empty, name, instances: left, launch };
  });
}

async function withLaunchHistory(
  aws: Aws,
  record: GroupRecord,
  group: Group,
  observation: Observation,
  { settings }: Look,
): Promise<Group> {
  if ('obstacle' in group.launch || !needsLaunchHistory(group, observation, settings)) return group;
  return { ...group, ...(await launchHistory(aws, record, group.launch.spec)) };
}

/** Services and tasks matter only to instances that are detached, and tasks only on those of them that drain. */
async function withServices(
  aws: Aws,
  observation: Observation,
  { settings }: Look,
  stoppedTasks: Set<string>,
): Promise<Observation> {
  const detached = observation.groups.flatMap(
    (group) => standingOf(group, observation, settings)?.detached ?? [],
  );
  if (detached.length === 0) return observation;
  const ids = new Set(detached.map(({ instanceId }) => instanceId));
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
