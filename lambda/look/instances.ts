import type { Aws } from '../aws/clients.ts';
import {
  type DescribedInstance,
  describeInstances,
  describeTaggedInstances,
  FILTER_VALUES,
} from '../aws/ec2.ts';
import { EXCLUDE_TAG, INSTANCE_TAGS } from '../contract.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import { isOver } from '../core/model/time.ts';
import type { Memory } from './memory.ts';
import type { SeenGroup } from './seen-group.ts';

/** Instances are marked while they are members, so a search finds only what somebody tagged by hand. */
const SEARCH_SECONDS = 300;

/** Where and when to look for instances. */
interface Asked extends Pick<Observation, 'cluster' | 'now' | 'containerInstances'> {
  readonly seen: readonly SeenGroup[];
}

/**
 * The members of the groups and their warm pools, and every instance with our tags for this cluster. One call
 * reads all that we know of; every five minutes, or where they are too many, we search by tag.
 */
export async function instancesOf(aws: Aws, asked: Asked, memory: Memory): Promise<DescribedInstance[]> {
  const { cluster, now, seen } = asked;
  const members = seen.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const before = memory.instancesIn.get(cluster);
  const all = [...new Set([...ids, ...(before?.ids ?? [])])];
  const isFresh = before !== undefined && !isOver(before.searchedAt, SEARCH_SECONDS, now);
  const isOneCall = isFresh && all.length <= FILTER_VALUES;
  const found = isOneCall ? await describeInstances(aws, all) : await search(aws, asked, [...ids], memory);
  const tagged = new Map(found.filter(isTagged).map((each) => [each.instanceId, each]));
  // Tags are left out: instances whose tags matter are in `tagged`.
  for (const each of found)
    if (!tagged.has(each.instanceId))
      memory.members.set(each.instanceId, { ...each, tags: {}, untrusted: [] });
  for (const { tags, instanceId } of tagged.values())
    if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);
  const searchedAt = isOneCall ? before.searchedAt : now;
  memory.instancesIn.set(cluster, { ids: new Set([...all, ...ids]), searchedAt });
  return [...ids].flatMap((instanceId) => tagged.get(instanceId) ?? memory.members.get(instanceId) ?? []);
}

/** Every live instance with our tags, and those of the others that may have changed. */
async function search(
  aws: Aws,
  { containerInstances }: Asked,
  memberIds: readonly string[],
  { members: known }: Memory,
): Promise<DescribedInstance[]> {
  const tagged = await describeTaggedInstances(aws);
  const taggedIds = new Set(tagged.map(({ instanceId }) => instanceId));
  const connected = containerInstances.filter(({ agentConnected }) => agentConnected);
  const connectedIds = idsOf(connected);
  const activeIds = idsOf(connected.filter(({ status }) => status === 'ACTIVE'));
  // An instance whose agent is disconnected may have died since it was seen. Before a drain we look at all of
  // them, as ECS may not have noticed yet.
  const isDue = tagged.some((each) => isNext(each) && activeIds.has(each.instanceId));
  const isKnown = (instanceId: string) => !isDue && known.has(instanceId) && connectedIds.has(instanceId);
  const unknown = memberIds.filter((instanceId) => !taggedIds.has(instanceId) && !isKnown(instanceId));
  return [...tagged, ...(await describeInstances(aws, unknown))];
}

function idsOf(containerInstances: readonly ContainerInstance[]): ReadonlySet<string> {
  return new Set(containerInstances.map(({ instanceId }) => instanceId));
}

/** It lives and has a tag that matters here: ours, for any cluster, or the owner's that excludes it. */
function isTagged({ alive, tags, untrusted }: DescribedInstance): boolean {
  const keys = [...Object.keys(tags), ...untrusted];
  return alive && [INSTANCE_TAGS.cluster, EXCLUDE_TAG].some((key) => keys.includes(key));
}

/** Its turn to drain has come. */
function isNext({ tags }: DescribedInstance): boolean {
  return INSTANCE_TAGS.drainStartedAt in tags && !(INSTANCE_TAGS.drainGivenUpAt in tags);
}
