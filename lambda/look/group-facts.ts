import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { tryRead } from '../aws/errors.ts';
import { EXCLUDE_TAG, GROUP_TAGS } from '../contract.ts';
import { busyElsewhere } from '../core/group/belongs.ts';
import { withoutLeftOver, withoutVoidRequest } from '../core/group/course-doubts.ts';
import { disproves, withoutUnproven } from '../core/group/detachment-proof.ts';
import { detachedOf } from '../core/group/marked.ts';
import { NOT_WATCHED } from '../core/group/steadiness.ts';
import type { Group, Instance, Member } from '../core/model/group.ts';
import { idSetOf } from '../core/model/members.ts';
import { type GroupSettings, settingsOf } from '../core/model/settings.ts';
import { joined, type Untrusted } from '../core/model/untrusted.ts';
import type { Obstacle } from '../core/reasons/obstacles.ts';
import type { Warning } from '../core/reasons/warnings.ts';
import { excludeFaults, parseOverrides } from '../settings/owner-tags.ts';
import { splitMarks } from '../tags/instance-tags.ts';
import { readNotice, readPausedSince, readRejection, readRoll } from '../tags/roll-tags.ts';
import { readTold } from '../tags/told-tag.ts';
import { belongingOf } from './belonging.ts';
import { launchFor } from './choose-image.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { learnDetachments } from './detached-lately.ts';
import { untrustedOn } from './discover.ts';
import { instancesOfGroup, unknownTo, withoutOldMarks } from './instances.ts';
import type { Look, SeenGroup } from './look.ts';
import type { Memory } from './memory.ts';
import { LAG_MILLISECONDS } from './own-writes.ts';

/** Its pool would launch as many as the maximum is raised by, and end them as that is given back. */
function ofPool({ poolFollowsMaximum }: DescribedGroup, overrides: Group['overrides']) {
  return poolFollowsMaximum && { poolFollowsMaximum, overrides: { ...overrides, raiseMaxSize: false } };
}

/**
 * Another invocation has resumed what runs by now and no tag names: if it is suspended once more, somebody
 * else did that.
 */
function suspendedHere(
  { suspendedProcesses }: DescribedGroup,
  noted: readonly string[],
  suspendedAt: Map<string, Date> = new Map(),
  now: Date,
): string[] {
  for (const [name, at] of suspendedAt) {
    const isSeen = now.getTime() - at.getTime() > LAG_MILLISECONDS;
    if (isSeen && !suspendedProcesses.includes(name) && !noted.includes(name)) suspendedAt.delete(name);
  }
  return [...suspendedAt.keys()];
}

/** Puts together what was read about one group. */
export async function groupFacts(
  aws: Aws,
  seenGroup: SeenGroup,
  facts: ClusterFacts,
  look: Look,
  memory: Memory,
): Promise<Group> {
  const { record, warmPool } = seenGroup;
  const { instances: described, silence, seen } = facts;
  const { settings: ofStack, now } = look;
  const { cluster } = look.scope;
  const { forceAt, forced, suspensions, detachments, refusals } = memory;
  const read = readRoll(record.tags, cluster, now);
  const notice = readNotice(record.tags, cluster, now);
  const { settings: overrides, excluded, faults, ignored } = parseOverrides(record.tags, ofStack);
  if (read?.forceBefore) forced.add(record.name);
  const instances = withoutOldMarks(seenGroup, described, read, now);
  const busy = busyElsewhere(memory.registered, cluster);
  const found = {
    ...sizesOf(record),
    availabilityZones: record.availabilityZones,
    warmPool,
    instances: instancesOfGroup(record, warmPool, instances, now, busy),
  };
  const lately = await learnDetachments(aws, record, detachedOf(found), facts, memory, read !== undefined);
  const told = detachments.of(record.name);
  const proven = withoutUnproven(found, told, now);
  const notOurs = detachedOf(found).filter(({ instanceId, mark }) => disproves(told.get(instanceId), mark));
  const { roll, voided } = withoutVoidRequest(read, proven, now);
  const marked = instances.filter(({ instanceId }) =>
    proven.instances.some((each) => each.instanceId === instanceId && each.alive && each.mark),
  );
  const asked = { cluster, settings: ofStack, now };
  const belongs = await belongingOf(aws, record, asked, { instances, marked }, memory);
  const group = {
    untrusted: joined(
      untrustedOf(record, warmPool, instances, voided.length > 0),
      untrustedMarks(notOurs, instances),
    ),
    ...unknownTo(seenGroup, silence, seen, roll !== undefined),
    ...proven,
    ...lately,
    roll,
    notice,
    told: readTold(record.tags[GROUP_TAGS.told], roll?.startedAt ?? notice?.givenAt),
    ...((roll ?? notice) && record.untrusted.includes(GROUP_TAGS.cluster) && { misnamed: true }),
    pausedSince: readPausedSince(record.tags, now),
    rejection: readRejection(record.tags),
    forceRequestedAt: forced.has(record.name) ? undefined : forceAt,
    overrides,
    ...ofPool(record, overrides),
    excluded,
    ...(belongs.kind !== 'ours' && { notOurs: belongs }),
    warnings: [
      ...ignored,
      ...excludeFaultsOf(record, instances),
      ...warnOfBusy(record, busy),
      ...warnOfReuse(record),
      ...voided,
    ],
    propagatesExclude: record.propagatedTags.includes(EXCLUDE_TAG),
    watch: NOT_WATCHED,
    suspendedHere: suspendedHere(record, roll?.changes.suspended ?? [], suspensions.get(record.name), now),
    ...(refusals.isFinal(record.name, 'attach-instances') && { attachRefused: true }),
  };
  const settings = settingsOf(group, ofStack);
  const alone = excluded
    ? ({ code: 'group-left-out' } as const)
    : 'reason' in belongs
      ? belongs.reason
      : undefined;
  if (alone !== undefined) {
    const offer = () => launchFor(record, group, settings, look, memory);
    return { ...group, launch: { obstacle: alone }, ...(await offered(group, offer)) };
  }
  const obstacle =
    faults.length > 0
      ? ({ code: 'setting-tags-refused', faults } as const)
      : obstacleOf(record, settings, roll?.changes.suspended ?? []);
  if (obstacle) return { ...group, launch: { obstacle } };
  return withoutLeftOver({ ...group, launch: await launchFor(record, group, settings, look, memory) }, now);
}

/** Only shows what the group is kept from, so if it can't be read the group has no fault. */
async function offered(
  { warnings = [] }: Pick<Group, 'warnings'>,
  offer: () => Promise<Group['launch']>,
): Promise<Pick<Group, 'offered' | 'warnings'>> {
  const read = await tryRead(offer());
  if (read.kind === 'unread')
    return { warnings: [...warnings, { code: 'offer-unread', because: read.because }] };
  return 'obstacle' in read.answer ? {} : { offered: read.answer };
}

/** Our tags on the group and its members that somebody else has written. */
function untrustedOf(
  { name, untrusted, members }: DescribedGroup,
  warmPool: readonly Member[],
  instances: readonly DescribedInstance[],
  isRequestVoid: boolean,
): Untrusted[] {
  const keys = isRequestVoid ? [...untrusted, GROUP_TAGS.course] : untrusted;
  const ids = idSetOf([...members, ...warmPool]);
  const own = instances.filter(({ instanceId }) => ids.has(instanceId));
  return joined([{ kind: 'group', resource: name, keys }], own.map(untrustedOn));
}

/** Marks that somebody has put back on what its owner has detached since. */
function untrustedMarks(notOurs: readonly Instance[], instances: readonly DescribedInstance[]): Untrusted[] {
  const ids = idSetOf(notOurs);
  const bearing = instances.filter(({ instanceId }) => ids.has(instanceId));
  return bearing.map(({ instanceId, tags }) => ({
    kind: 'instance',
    resource: instanceId,
    keys: splitMarks(tags).marks,
  }));
}

function excludeFaultsOf({ members }: DescribedGroup, instances: readonly DescribedInstance[]): Warning[] {
  const ids = idSetOf(members);
  return instances
    .filter(({ instanceId }) => ids.has(instanceId))
    .flatMap(({ instanceId, tags }) => excludeFaults(tags, instanceId));
}

function sizesOf(record: DescribedGroup) {
  const { name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources } =
    record;
  const { keepsUnhealthy, reservationsFirst, onDemand } = record;
  return {
    ...{ name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources },
    ...(keepsUnhealthy && { keepsUnhealthy }),
    ...(reservationsFirst && { reservationsFirst }),
    ...(onDemand && { onDemand }),
  };
}

function warnOfReuse({ reusesOnScaleIn }: DescribedGroup): Warning[] {
  return reusesOnScaleIn ? [{ code: 'warm-pool-reused' }] : [];
}

function warnOfBusy({ members }: DescribedGroup, busy: ReadonlyMap<string, string>): Warning[] {
  return members.flatMap(({ instanceId }) => {
    const cluster = busy.get(instanceId);
    if (cluster === undefined) return [];
    return [{ code: 'busy-elsewhere', instanceId, cluster } as const];
  });
}

/** Why a group can't be rolled as it is, or with its settings. */
export function obstacleOf(
  group: DescribedGroup,
  { maxSurge }: GroupSettings,
  suspendedByUs: readonly string[],
): Obstacle | undefined {
  const staysWithin = maxSurge.kind === 'count' && maxSurge.count === 0;
  if (group.deleting) return { code: 'group-deleting' };
  const { capacityType } = group;
  if (capacityType !== 'units') return { code: 'capacity-not-in-units', capacityType };
  if (group.suspendedProcesses.includes('Launch') && !suspendedByUs.includes('Launch'))
    return { code: 'launch-process-suspended' };
  const { trafficSources, otherTrafficSources: sources } = group;
  // Nothing adds later what is launched, or attached, meanwhile.
  if (trafficSources.length + sources.length > 0 && group.suspendedProcesses.includes('AddToLoadBalancer'))
    return { code: 'load-balancer-process-suspended' };
  return sources.length > 0 && !staysWithin ? { code: 'traffic-source-unreadable', sources } : undefined;
}
