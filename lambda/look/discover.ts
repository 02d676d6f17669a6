import { describeRollingGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import {
  type DescribedInstance,
  describeLocated,
  describeMarkedInstances,
  unlessDisrupted,
} from '../aws/ec2.ts';
import { describeContainerInstances, describeProviders, type InstanceProvider } from '../aws/ecs.ts';
import { AWS_GROUP_TAG, GROUP_TAGS, INSTANCE_TAGS, type Tags } from '../contract.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import { instanceIdsOf, zoneOf } from '../core/model/registrations.ts';
import { isOver } from '../core/model/time.ts';
import type { Untrusted } from '../core/model/untrusted.ts';
import type { Look, Scope } from './look.ts';
import type { Memory } from './memory.ts';

/** Names of groups, by the cluster that they are rolled for. */
type GroupsByCluster = ReadonlyMap<string, ReadonlySet<string>>;

/** Rolls that have begun. */
export interface Begun {
  readonly groups: GroupsByCluster;
  /** Instances with our tags for one of the clusters that we didn't write. */
  readonly forged: readonly DescribedInstance[];
}

/**
 * The groups whose roll has begun, in two calls: by the tags of groups, and by the tags of instances, which
 * remain when a group is deleted in the middle of its roll.
 */
export async function discoverBegun(aws: Aws, clusters: readonly string[]): Promise<Begun> {
  const groups = emptyGroups(clusters);
  for (const { name, tags } of await describeRollingGroups(aws, clusters)) {
    groups.get(tags[GROUP_TAGS.cluster] ?? '')?.add(name);
  }
  // In vain while a zone is disrupted: then only groups that are gone are missed.
  const searched = await unlessDisrupted(describeMarkedInstances(aws, clusters));
  const marked = 'answer' in searched ? searched.answer : [];
  for (const { tags } of marked) {
    const group = tags[INSTANCE_TAGS.group];
    if (group && isName(group) && isMarked(tags)) groups.get(tags[INSTANCE_TAGS.cluster] ?? '')?.add(group);
  }
  return { groups, forged: marked.filter(({ untrusted }) => untrusted.includes(INSTANCE_TAGS.cluster)) };
}

interface Asked {
  readonly action: string;
  readonly clusters: readonly string[];
}

/** @returns undefined if it is to continue rolls and there are none, as at most ticks of the schedule */
export async function findBegun(aws: Aws, { action, clusters }: Asked): Promise<Begun | undefined> {
  const begun = await discoverBegun(aws, clusters);
  const isNone = begun.forged.length === 0 && [...begun.groups.values()].every(({ size }) => size === 0);
  return action === 'continue' && isNone ? undefined : begun;
}

/** Those that no result of these groups reports, by the cluster that their tags name. */
export async function forgedBy(
  aws: Aws,
  clusters: readonly string[],
  forged: readonly DescribedInstance[],
  groups: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Untrusted[]>> {
  const notOurs = forged.filter(({ tags }) => !groups.has(tags[AWS_GROUP_TAG] ?? ''));
  const ids = new Set(notOurs.map(({ instanceId }) => instanceId));
  const found = new Map<string, readonly Untrusted[]>();
  for (const cluster of ids.size > 0 ? clusters : []) {
    // With several clusters, only asking for each alone shows which one the tag names.
    const named = clusters.length === 1 ? notOurs : await describeMarkedInstances(aws, [cluster]);
    found.set(cluster, named.filter(({ instanceId }) => ids.has(instanceId)).map(untrustedOn));
  }
  return found;
}

export function untrustedOn({ instanceId, untrusted }: DescribedInstance): Untrusted {
  return { kind: 'instance', resource: instanceId, keys: untrusted };
}

function isMarked(tags: Tags): boolean {
  return tags[INSTANCE_TAGS.terminate] === 'true' && INSTANCE_TAGS.detachStartedAt in tags;
}

/** A tag may hold what AWS refuses as a name, and would fail the call for all groups. */
function isName(group: string): boolean {
  return group.length <= 255 && !/[\p{Cc}:]/u.test(group);
}

/** What may be rolled in a cluster, and what can't. */
export interface Discovered {
  /** Some may belong to another cluster: see `core/group/belongs.ts`. */
  readonly groups: ReadonlySet<string>;
  /** Container instances that no group launched: only their owner can replace them. */
  readonly strays: readonly string[];
  /** Instances that are gone but still registered: no agent told ECS that they ended. */
  readonly ghosts: readonly string[];
  readonly registered: readonly ContainerInstance[];
  /** The EC2 instances among them. */
  readonly instances: readonly DescribedInstance[];
  readonly providers: readonly InstanceProvider[];
}

/**
 * The groups that may belong to a cluster: those of its capacity providers, and those that any of its
 * container instances is a member of.
 *
 * @throws ClusterNotFound
 */
export async function discoverGroups(aws: Aws, cluster: string): Promise<Discovered> {
  const registered = await describeContainerInstances(aws, cluster);
  const located = registered.map((each) => ({ instanceId: each.instanceId, zone: zoneOf(each) }));
  const { instances, unknown } = await describeLocated(aws, located);
  const names = instances.flatMap(({ tags }) => tags[AWS_GROUP_TAG] ?? []);
  const providers = await describeProviders(aws, cluster);
  const groups = new Set([...names, ...providers.flatMap(({ group }) => group ?? [])]);
  // ECS replaces the instances it manages itself, and what we have detached still belongs to its group.
  const strays = instances.filter(
    ({ tags, managed, alive }) => alive && !managed && !tags[AWS_GROUP_TAG] && !tags[INSTANCE_TAGS.group],
  );
  const present = new Set(instances.flatMap((each) => (each.alive || each.ending ? [each.instanceId] : [])));
  const unheard = registered.filter(({ agentConnected }) => !agentConnected);
  const absent = unheard.filter(({ instanceId }) => !present.has(instanceId) && !unknown.has(instanceId));
  const ghosts = instanceIdsOf(absent);
  return {
    groups,
    strays: strays.map(({ instanceId }) => instanceId).sort(),
    ghosts: ghosts.sort(),
    registered,
    instances,
    providers,
  };
}

/** What to look at, cluster by cluster; clusters without groups are left out. */
export function scopesOf(groups: GroupsByCluster): Scope[] {
  return [...groups]
    .filter(([, names]) => names.size > 0)
    .map(([cluster, names]) => ({ cluster, groups: [...names].sort() }));
}

function emptyGroups(clusters: readonly string[]): Map<string, Set<string>> {
  return new Map(clusters.map((cluster) => [cluster, new Set()]));
}

/** For this long what was found while we looked for groups counts as part of the first look. */
const FRESH_SECONDS = 5;

/** Keeps what the search for groups has read, so that the first look needn't read it again. */
export function learn(memory: Memory, cluster: string, found: Discovered, at: Date): void {
  memory.providers.set(cluster, found.providers);
  memory.registered.set(cluster, found.registered);
  memory.discovered.set(cluster, { containerInstances: found.registered, at });
  for (const each of found.instances)
    memory.members.set(each.instanceId, { ...each, tags: {}, untrusted: [] });
}

/** @throws ClusterNotFound */
export async function containerInstancesIn(
  aws: Aws,
  { scope: { cluster }, now }: Look,
  { discovered, registered }: Memory,
): Promise<readonly ContainerInstance[]> {
  const found = discovered.get(cluster);
  discovered.delete(cluster);
  const isFresh = found !== undefined && !isOver(found.at, FRESH_SECONDS, now);
  const all = isFresh ? found.containerInstances : await describeContainerInstances(aws, cluster);
  registered.set(cluster, all);
  return all;
}
