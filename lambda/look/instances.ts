import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import {
  type Answered,
  type DescribedInstance,
  describeLocated,
  describeTaggedInstances,
  FILTER_VALUES,
  type Located,
  unlessDisrupted,
} from '../aws/ec2.ts';
import { AWS_GROUP_TAG, EXCLUDE_TAG, INSTANCE_TAGS } from '../contract.ts';
import { isOfRoll } from '../core/group/marked.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Group, Member } from '../core/model/group.ts';
import { idSetOf } from '../core/model/members.ts';
import type { Observation } from '../core/model/observation.ts';
import { zoneOf } from '../core/model/registrations.ts';
import type { Roll } from '../core/model/roll.ts';
import { isOver } from '../core/model/time.ts';
import { isExcluded } from '../settings/owner-tags.ts';
import { readMark, splitMarks } from '../tags/instance-tags.ts';
import type { SeenGroup } from './look.ts';
import type { Memory } from './memory.ts';

/** Instances are marked while they are members, so a search finds only what somebody tagged by hand. */
const SEARCH_SECONDS = 300;

/** For so long zones that didn't answer aren't asked again: the SDK tries each call many times. */
const SILENT_SECONDS = 60;

/** Where and when to look for instances. */
interface InstanceQuery extends Pick<Observation, 'cluster' | 'now' | 'containerInstances'> {
  readonly seen: readonly SeenGroup[];
}

/** What a look has learnt of instances. */
export interface InstancesRead {
  readonly instances: readonly DescribedInstance[];
  /** Present while EC2 doesn't answer for all. */
  readonly silence?: Silence;
}

/** What nothing is known about, as a zone is disrupted. */
export interface Silence {
  readonly zones: readonly string[];
  /** Their zones, by id. */
  readonly unknown: ReadonlyMap<string, string>;
  /** This invocation has never searched for our tags, so that it may not know all that has them. */
  readonly unsearched: boolean;
}

/**
 * The members of the groups and their warm pools, and every instance with our tags for this cluster. One call
 * reads all that we know of; every five minutes, or where they are too many, we search by tag.
 */
export async function instancesOf(aws: Aws, asked: InstanceQuery, memory: Memory): Promise<InstancesRead> {
  const { cluster, now } = asked;
  const ids = new Set(membersIn(asked).map(({ instanceId }) => instanceId));
  const before = memory.instancesIn.get(cluster);
  const all = [...new Set([...ids, ...(before?.ids ?? [])])];
  const found = await read(aws, asked, all, memory);
  const { unknown, silentZones } = found;
  const tagged = new Map(found.instances.filter(isTagged).map((each) => [each.instanceId, each]));
  // Tags are left out: instances whose tags matter are in `tagged`.
  for (const each of found.instances)
    if (!tagged.has(each.instanceId))
      memory.members.set(each.instanceId, { ...each, tags: {}, untrusted: [] });
  for (const { tags, instanceId } of tagged.values())
    if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);
  const searchedAt = found.hasSearched ? now : before?.searchedAt;
  // A registered one that no search could tell from ours stays unknown until EC2 answers for it.
  memory.instancesIn.set(cluster, { ids: new Set([...all, ...ids, ...unknown.keys()]), searchedAt });
  const known = [...ids].filter((instanceId) => !unknown.has(instanceId));
  const instances = known.flatMap((id) => tagged.get(id) ?? memory.members.get(id) ?? []);
  const unsearched = searchedAt === undefined;
  if (unknown.size === 0 && !unsearched) return { instances };
  return { instances, silence: { zones: [...(silentZones ?? [])].sort(), unknown, unsearched } };
}

/** What one way or the other finds out, and whether it has searched for tags. */
type FoundInstances = Answered & { readonly hasSearched?: true };

async function read(
  aws: Aws,
  asked: InstanceQuery,
  all: readonly string[],
  memory: Memory,
): Promise<FoundInstances> {
  const { cluster, now } = asked;
  const silent = memory.silent.get(cluster);
  if (silent !== undefined && !isOver(silent.at, SILENT_SECONDS, now))
    return describeLocated(aws, located(all, asked, memory), silent.zones);
  const { searchedAt } = memory.instancesIn.get(cluster) ?? {};
  const isFresh = searchedAt !== undefined && !isOver(searchedAt, SEARCH_SECONDS, now);
  const isOneCall = isFresh && all.length <= FILTER_VALUES;
  const found: FoundInstances = isOneCall
    ? await describeLocated(aws, located(all, asked, memory))
    : await search(aws, asked, all, memory);
  if (found.silentZones === undefined) memory.silent.delete(cluster);
  else memory.silent.set(cluster, { zones: found.silentZones, at: now });
  return found;
}

function membersIn({ seen }: InstanceQuery): Member[] {
  return seen.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
}

/** Where instances are, as far as Auto Scaling, ECS or an earlier look tells. */
function located(
  instanceIds: readonly string[],
  asked: InstanceQuery,
  { members }: Memory,
): readonly Located[] {
  const zones = new Map([
    ...asked.containerInstances.map((each) => [each.instanceId, zoneOf(each)] as const),
    ...membersIn(asked).map((each) => [each.instanceId, each.availabilityZone || undefined] as const),
  ]);
  return instanceIds.map((instanceId) => ({
    instanceId,
    zone: zones.get(instanceId) ?? members.get(instanceId)?.availabilityZone,
  }));
}

/**
 * Every live instance with our tags, and those of the others that may have changed. If no search is possible,
 * all that are known, and whatever is registered: an instance that was detached may be.
 */
async function search(
  aws: Aws,
  asked: InstanceQuery,
  all: readonly string[],
  memory: Memory,
): Promise<FoundInstances> {
  const searched = await unlessDisrupted(describeTaggedInstances(aws));
  const { containerInstances } = asked;
  if ('error' in searched) {
    const registered = containerInstances.map(({ instanceId }) => instanceId);
    const wanted = [...new Set([...all, ...registered])];
    const found = await describeLocated(aws, located(wanted, asked, memory), new Set());
    // No zone answers, so it isn't one zone that is disrupted.
    if (found.unknown.size === wanted.length) throw searched.error;
    return found;
  }
  const tagged = searched.answer;
  const taggedIds = idSetOf(tagged);
  const connected = containerInstances.filter(({ agentConnected }) => agentConnected);
  const connectedIds = idsOf(connected);
  const activeIds = idsOf(connected.filter(({ status }) => status === 'ACTIVE'));
  // An instance whose agent is disconnected may have died since it was seen. Before a drain we look at all of
  // them, as ECS may not have noticed yet.
  const isDue = tagged.some((each) => isNext(each) && activeIds.has(each.instanceId));
  const isKnown = (instanceId: string) =>
    !isDue && memory.members.has(instanceId) && connectedIds.has(instanceId);
  const memberIds = membersIn(asked).map(({ instanceId }) => instanceId);
  const unread = memberIds.filter((instanceId) => !taggedIds.has(instanceId) && !isKnown(instanceId));
  const others = await describeLocated(aws, located([...new Set(unread)], asked, memory));
  return { ...others, instances: [...tagged, ...others.instances], hasSearched: true };
}

function idsOf(containerInstances: readonly ContainerInstance[]): ReadonlySet<string> {
  return idSetOf(containerInstances);
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

/** Members without the marks of earlier rolls, which count as if somebody else had written them. */
export function withoutOldMarks(
  { record: { name, members }, warmPool }: SeenGroup,
  instances: readonly DescribedInstance[],
  roll: Roll | undefined,
  now: Date,
): DescribedInstance[] {
  const ids = idSetOf([...members, ...warmPool]);
  return instances.map((each) => {
    const mark = ids.has(each.instanceId) ? readMark(each.tags, now) : undefined;
    if (mark === undefined || mark.group !== name || isOfRoll(mark, roll, now)) return each;
    const { tags, marks } = splitMarks(each.tags);
    return { ...each, tags, untrusted: [...each.untrusted, ...marks] };
  });
}

/** The members of the group and its warm pool, and instances with our tags for it. */
export function instancesOfGroup(
  { name, members, availabilityZones }: Pick<DescribedGroup, 'name' | 'members' | 'availabilityZones'>,
  warmPool: readonly Member[],
  instances: readonly DescribedInstance[],
  now: Date,
  busy: ReadonlyMap<string, string> = new Map(),
): Group['instances'] {
  const ids = idSetOf([...members, ...warmPool]);
  return instances.flatMap(
    ({ instanceId, alive, imageId, launchedAt, availabilityZone, placementGroup, spot, tags, otherTags }) => {
      const mark = readMark(tags, now);
      // An instance that somebody has attached to another group since belongs to that one.
      const elsewhere = (tags[AWS_GROUP_TAG] ?? name) !== name;
      const ours = mark?.group === name && !elsewhere;
      if (!ours && !ids.has(instanceId)) return [];
      // One that is already chosen is replaced all the same.
      const excluded = isExcluded(tags) || (!ours && busy.has(instanceId));
      const outside = availabilityZone !== undefined && !availabilityZones.includes(availabilityZone);
      const known = { instanceId, alive, imageId, launchedAt, excluded, otherTags, ...(spot && { spot }) };
      const placed = placementGroup === undefined ? {} : { placementGroup };
      return [{ ...known, ...placed, ...(outside && { outside }), mark: ours ? mark : undefined }];
    },
  );
}

/**
 * What nothing is known about while a zone is disrupted and may concern a group: members, and once its roll
 * has begun whatever is in no group, as it may have been detached.
 */
export function unknownTo(
  { record, warmPool }: SeenGroup,
  silence: Silence | undefined,
  all: readonly SeenGroup[],
  hasRoll: boolean,
): Pick<Group, 'unknown'> {
  if (silence === undefined) return {};
  const { zones, unknown, unsearched } = silence;
  const own = memberIdsOf([{ record, warmPool }]);
  const ofGroups = memberIdsOf(all);
  const isDetached = (id: string, zone: string) =>
    hasRoll && !ofGroups.has(id) && record.availabilityZones.includes(zone);
  const instanceIds = [...unknown].flatMap(([id, zone]) => (own.has(id) || isDetached(id, zone) ? [id] : []));
  if (instanceIds.length === 0 && !(hasRoll && unsearched)) return {};
  return { unknown: { zones, instanceIds: instanceIds.sort() } };
}

export function memberIdsOf(groups: readonly SeenGroup[]): ReadonlySet<string> {
  const members = groups.flatMap(({ record, warmPool }) => [...record.members, ...warmPool]);
  return idSetOf(members);
}
