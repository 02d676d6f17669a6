import { type DescribedGroup, describeWarmPool, runningInstanceRefresh } from '../aws/autoscaling.ts';
import { describeFailedLaunches } from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { asAdvice } from '../aws/errors.ts';
import { describeLaunchConfigurations } from '../aws/launch-configurations.ts';
import { describeTargetHealth } from '../aws/load-balancing.ts';
import { AWS_GROUP_TAG, EXCLUDE_TAG, GROUP_TAGS } from '../contract.ts';
import { isConcerned } from '../core/group/assess.ts';
import { busyElsewhere } from '../core/group/belongs.ts';
import { describeUnproven, withoutUnproven } from '../core/group/detachment-proof.ts';
import { hasLateComer } from '../core/group/launch-faults.ts';
import { detachedOf } from '../core/group/marked.ts';
import { NOT_WATCHED } from '../core/group/steadiness.ts';
import { configurationsToVerify } from '../core/launch-spec/restore-configuration.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Group, Instance, Member, TargetHealthIn } from '../core/model/group.ts';
import { stays, weightOf } from '../core/model/members.ts';
import type { Observation } from '../core/model/observation.ts';
import { type Settings, settingsOf } from '../core/model/settings.ts';
import { joined, type Untrusted } from '../core/model/untrusted.ts';
import { excludeFaults, isExcluded, parseOverrides } from '../settings/owner-tags.ts';
import { readMark, readPausedSince, readRejection, readRoll } from '../tags/tags.ts';
import { belongingOf, providersOf } from './belonging.ts';
import { withTargets } from './choose-image.ts';
import { type Scope, untrustedOn } from './discover.ts';
import { entriesOf } from './in-service-times.ts';
import { launchHistory } from './launch-history.ts';
import type { Memory } from './memory.ts';
import { needsLaunchHistory } from './needs.ts';
import { obstacleOf } from './obstacles.ts';
import { endingsOf } from './terminations.ts';

/** What is looked at, for whom and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
}

/** A group as Auto Scaling has it. */
export interface Seen {
  readonly record: DescribedGroup;
  readonly warmPool: readonly Member[];
}

/** A group with its warm pool, which Auto Scaling tells of apart. */
export async function seenOf(aws: Aws, record: DescribedGroup): Promise<Seen> {
  return { record, warmPool: record.hasWarmPool ? await describeWarmPool(aws, record.name) : [] };
}

/** One group, put together of what was seen of it. */
export async function groupOf(
  aws: Aws,
  { record, warmPool }: Seen,
  { scope: { cluster }, settings: ofStack, now }: Look,
  instances: readonly DescribedInstance[],
  memory: Memory,
  containerInstances: readonly ContainerInstance[] = [],
): Promise<Group> {
  const { forceAt, forced, suspensions, detachments } = memory;
  const roll = readRoll(record.tags, cluster, now);
  const { settings: overrides, excluded, faults, ignored } = parseOverrides(record.tags, ofStack);
  if (roll?.forceBefore) forced.add(record.name);
  const busy = busyElsewhere(memory.registered, cluster);
  const found = {
    ...sizesOf(record),
    warmPool,
    instances: instancesOfGroup(record, warmPool, instances, now, busy),
  };
  await detachments.learn(aws, record, detachedOf(found), now);
  const proven = withoutUnproven(found, detachments.of(record.name), now);
  const marked = instances.filter(({ instanceId }) =>
    proven.instances.some((each) => each.instanceId === instanceId && each.alive && each.mark),
  );
  const asked = { cluster, settings: ofStack, now };
  const belongs = await belongingOf(aws, record, asked, { instances, marked }, memory);
  const group = {
    untrusted: untrustedOf(record, warmPool, instances),
    ...proven,
    targetHealth: [],
    failedLaunches: [],
    hasCapacityProvider: false,
    hasManagedScaling: false,
    roll,
    ...(roll && record.untrusted.includes(GROUP_TAGS.cluster) && { misnamed: true }),
    pausedSince: readPausedSince(record.tags, now),
    rejection: readRejection(record.tags),
    forceRequestedAt: forced.has(record.name) ? undefined : forceAt,
    overrides,
    excluded,
    ...(belongs.kind !== 'ours' && { notOurs: belongs }),
    warnings: [...ignored, ...excludeFaultsOf(record, instances), ...tellBusy(record, busy)],
    propagatesExclude: record.propagatedTags.includes(EXCLUDE_TAG),
    watch: NOT_WATCHED,
    suspendedHere: [...(suspensions.get(record.name) ?? [])],
  };
  const settings = settingsOf(group, ofStack);
  const alone = excluded
    ? 'its tag has the group left out'
    : 'reason' in belongs
      ? belongs.reason
      : undefined;
  if (alone !== undefined) {
    const offer = () => launchFor(record, group, settings, now, memory, containerInstances);
    return { ...group, launch: { obstacle: alone }, ...(await offered(group, offer)) };
  }
  const obstacle = faults.join('; ') || obstacleOf(record, settings, roll?.changes.suspended ?? []);
  if (obstacle) return { ...group, launch: { obstacle } };
  return { ...group, launch: await launchFor(record, group, settings, now, memory, containerInstances) };
}

/** What a group launches, and the images to roll it onto. */
async function launchFor(
  record: DescribedGroup,
  group: Omit<Group, 'launch'>,
  settings: Settings,
  now: Date,
  { images, launches }: Memory,
  containerInstances: readonly ContainerInstance[],
): Promise<Group['launch']> {
  const { roll } = group;
  const isForced = (group.forceRequestedAt ?? roll?.forceBefore) !== undefined;
  const rejected = isForced ? [] : (group.rejection?.imageIds ?? []);
  const isEnding = detachedOf(group).length > 0;
  // One that was withdrawn since gives way to another.
  const settled = roll?.imageIds.filter((imageId) => images.known.has(imageId));
  const isForward = roll === undefined || roll.course.kind === 'forward';
  const found = await launches.launchOf(record, isEnding && isForward ? settled : undefined);
  if ('obstacle' in found) return found;
  const osFamilies = osFamiliesOf(group.instances, containerInstances);
  return withTargets(found, roll, { images, settings, now, rejected, osFamilies });
}

/** It only tells what the group is kept from: whatever stands in the way of that is no fault of the group. */
async function offered(
  { warnings = [] }: Pick<Group, 'warnings'>,
  offer: () => Promise<Group['launch']>,
): Promise<Pick<Group, 'offered' | 'warnings'>> {
  const read = await asAdvice(offer());
  if (read.kind === 'unread')
    return { warnings: [...warnings, `what it is kept from can't be told: ${read.because}`] };
  return 'obstacle' in read.answer ? {} : { offered: read.answer };
}

/** Tags of ours on the group, and on what is in it, that we did not write so. */
function untrustedOf(
  { name, untrusted, members }: DescribedGroup,
  warmPool: readonly Member[],
  instances: readonly DescribedInstance[],
): Untrusted[] {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  const own = instances.filter(({ instanceId }) => ids.has(instanceId));
  return joined([{ kind: 'group', resource: name, keys: untrusted }], own.map(untrustedOn));
}

function osFamiliesOf(
  instances: readonly Instance[],
  containerInstances: readonly ContainerInstance[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const images = new Map(instances.map(({ instanceId, imageId }) => [instanceId, imageId]));
  const families = new Map<string, Set<string>>();
  for (const { instanceId, traits } of containerInstances) {
    const imageId = images.get(instanceId);
    const family = traits?.attributes.get('ecs.os-family');
    if (imageId !== undefined && family)
      families.set(imageId, new Set([...(families.get(imageId) ?? []), family]));
  }
  return families;
}

function excludeFaultsOf({ members }: DescribedGroup, instances: readonly DescribedInstance[]): string[] {
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  return instances
    .filter(({ instanceId }) => ids.has(instanceId))
    .flatMap(({ instanceId, tags }) => excludeFaults(instanceId, tags));
}

function sizesOf(record: DescribedGroup) {
  const { name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources } =
    record;
  return { name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources };
}

function tellBusy({ members }: DescribedGroup, busy: ReadonlyMap<string, string>): string[] {
  return members.flatMap(({ instanceId }) => {
    const cluster = busy.get(instanceId);
    if (cluster === undefined) return [];
    return [`${instanceId} has tasks of cluster ${cluster} too, and is left alone until they are gone`];
  });
}

function instancesOfGroup(
  { name, members }: Pick<DescribedGroup, 'name' | 'members'>,
  warmPool: readonly Member[],
  instances: readonly DescribedInstance[],
  now: Date,
  busy: ReadonlyMap<string, string> = new Map(),
): Group['instances'] {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  return instances.flatMap(({ instanceId, alive, imageId, launchedAt, tags, otherTags }) => {
    const mark = readMark(tags, now);
    // What somebody has put into another group since is that group's.
    const elsewhere = (tags[AWS_GROUP_TAG] ?? name) !== name;
    const ours = mark?.group === name && !elsewhere;
    if (!ours && !ids.has(instanceId)) return [];
    // What is chosen already goes its way.
    const excluded = isExcluded(tags) || (!ours && busy.has(instanceId));
    const known = { instanceId, alive, imageId, launchedAt, excluded, otherTags };
    return [{ ...known, mark: ours ? mark : undefined }];
  });
}

/** Groups that somebody has deleted since they were found, or that never were; what was detached of them is still there. */
export async function goneGroups(
  aws: Aws,
  { scope, now }: Look,
  records: readonly DescribedGroup[],
  instances: readonly DescribedInstance[],
  { detachments }: Memory,
): Promise<Group[]> {
  const gone: Group[] = [];
  for (const name of scope.groups.filter((each) => records.every((record) => record.name !== each))) {
    const left = {
      ...NO_GROUP,
      name,
      instances: instancesOfGroup({ name, members: [] }, [], instances, now),
    };
    // Nothing is done about them: what can't be read only leaves them unproven.
    await asAdvice(detachments.learn(aws, { name, createdAt: now }, detachedOf(left), now));
    const group = withoutUnproven(left, detachments.of(name), now);
    const reasons = ['there is no Auto Scaling group of this name', leftBy(group), describeUnproven(group)];
    gone.push({
      ...group,
      launch: { obstacle: reasons.filter((each) => each !== undefined).join(', but ') },
    });
  }
  return gone;
}

function leftBy({ instances }: Pick<Group, 'instances'>): string | undefined {
  const ids = instances.map(({ instanceId }) => instanceId).join(', ');
  return ids === '' ? undefined : `${ids} still bear our tags; drain and terminate them by hand`;
}

const NO_GROUP: Omit<Group, 'name' | 'instances' | 'launch'> = {
  uuid: '',
  minSize: 0,
  maxSize: 0,
  desiredCapacity: 0,
  members: [],
  warmPool: [],
  suspendedProcesses: [],
  trafficSources: [],
  targetHealth: [],
  failedLaunches: [],
  hasCapacityProvider: false,
  hasManagedScaling: false,
  overrides: {},
  excluded: false,
  watch: NOT_WATCHED,
};

/** What matters only of a group that is rolled, or is to be. */
export async function withDetails(
  aws: Aws,
  record: DescribedGroup,
  group: Group,
  observation: Observation,
  look: Look,
  memory: Memory,
): Promise<Group> {
  const { settings } = look;
  const { unrefreshed } = memory;
  if (!isConcerned(group, observation, settings)) return group;
  // While its process is suspended, none begins that was not there before.
  const isSuspended = record.suspendedProcesses.includes('InstanceRefresh');
  const instanceRefresh =
    isSuspended && unrefreshed.has(record.name) ? undefined : await runningInstanceRefresh(aws, record.name);
  if (isSuspended && instanceRefresh === undefined) unrefreshed.add(record.name);
  const targetHealth: TargetHealthIn[] = [];
  for (const source of group.roll ? group.trafficSources : [])
    targetHealth.push({ source, byInstance: await describeTargetHealth(aws, source) });
  const endings = await endingsOf(aws, group, look.now, memory);
  const detailed = {
    ...group,
    instanceRefresh,
    targetHealth,
    failedLaunches: await failedLaunchesOf(aws, group, observation, settings),
    ...(await formerConfigurationsOf(aws, group)),
    ...endings,
    ...(await entriesOf(aws, group, endings.lifecycleHooks, memory)),
    ...(await providedBy(aws, group, observation.cluster, memory)),
  };
  return withLaunchHistory(aws, record, detailed, observation, settings);
}

/** Why members are lacking, or came late, if they are or did. */
async function failedLaunchesOf(aws: Aws, group: Group, observation: Observation, settings: Settings) {
  const { name, roll, members, desiredCapacity } = group;
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  const isConcerned =
    present < desiredCapacity || hasLateComer(group, observation, settingsOf(group, settings));
  return roll !== undefined && isConcerned ? describeFailedLaunches(aws, name, roll.startedAt) : [];
}

/** Asked in each look, as long as one is to be given back: somebody may make another of the same name meanwhile. */
async function formerConfigurationsOf(aws: Aws, group: Group) {
  const names = 'obstacle' in group.launch ? [] : configurationsToVerify(group, group.launch);
  if (names.length === 0) return {};
  const found = await describeLaunchConfigurations(aws, names);
  return { formerConfigurations: new Map(found.map(({ name, uuid }) => [name, uuid])) };
}

async function providedBy(aws: Aws, { name }: Group, cluster: string, memory: Memory) {
  const all = await providersOf(aws, cluster, memory);
  const own = all.filter(({ group }) => group === name);
  return {
    hasCapacityProvider: own.length > 0,
    hasManagedScaling: own.some(({ hasManagedScaling }) => hasManagedScaling),
  };
}

async function withLaunchHistory(
  aws: Aws,
  record: DescribedGroup,
  group: Group,
  observation: Observation,
  settings: Settings,
): Promise<Group> {
  if ('obstacle' in group.launch || !needsLaunchHistory(group, observation, settings)) return group;
  return { ...group, ...(await launchHistory(aws, record, group.launch.sources)) };
}
