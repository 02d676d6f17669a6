import { describeWarmPool, type GroupRecord, runningInstanceRefresh } from './aws/autoscaling.ts';
import { describeFailedLaunches } from './aws/autoscaling-activities.ts';
import type { Aws } from './aws/clients.ts';
import type { InstanceRecord } from './aws/ec2.ts';
import { describeGroupProviders } from './aws/ecs.ts';
import { describeTargetHealth } from './aws/load-balancing.ts';
import { excludeFault, isExcluded, parseOverrides } from './config.ts';
import { EXCLUDE_TAG } from './contract.ts';
import { isConcerned } from './core/case.ts';
import { hasLateComer } from './core/launch-faults.ts';
import { detachedOf } from './core/marked.ts';
import type {
  ContainerInstance,
  Group,
  Instance,
  Member,
  Observation,
  TargetHealthIn,
} from './core/model.ts';
import { needsLaunchHistory } from './core/needs.ts';
import { type Settings, settingsOf } from './core/settings.ts';
import { stays, weightOf } from './core/standing.ts';
import { NOT_WATCHED } from './core/steadiness.ts';
import { AWS_GROUP_TAG, type Scope } from './discover.ts';
import { endingsOf } from './endings.ts';
import { entriesOf } from './entries.ts';
import { launchHistory } from './launch-history.ts';
import type { Memory } from './memory.ts';
import { obstacleOf } from './obstacles.ts';
import { readMark, readPausedSince, readRejection, readRollout } from './tags.ts';
import { withTargets } from './targets.ts';

/** What is looked at, for whom and when. */
export interface Look {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly now: Date;
}

/** A group as Auto Scaling has it. */
export interface Seen {
  readonly record: GroupRecord;
  readonly warmPool: readonly Member[];
}

/** A group with its warm pool, which Auto Scaling tells of apart. */
export async function seenOf(aws: Aws, record: GroupRecord): Promise<Seen> {
  return { record, warmPool: record.hasWarmPool ? await describeWarmPool(aws, record.name) : [] };
}

/** One group, put together of what was seen of it. */
export async function groupOf(
  { record, warmPool }: Seen,
  { scope, settings: ofStack, now }: Look,
  instances: readonly InstanceRecord[],
  { images, launches, forceAt, forced, suspensions }: Memory,
  containerInstances: readonly ContainerInstance[] = [],
): Promise<Group> {
  const rollout = readRollout(record.tags, scope.cluster, now);
  const { settings: overrides, excluded, faults } = parseOverrides(record.tags, ofStack);
  if (rollout?.forceBefore) forced.add(record.name);
  const group = {
    ...sizesOf(record),
    warmPool,
    instances: instancesOfGroup(record, warmPool, instances, now),
    targetHealth: [],
    failedLaunches: [],
    hasCapacityProvider: false,
    hasManagedScaling: false,
    rollout,
    pausedSince: readPausedSince(record.tags, now),
    rejection: readRejection(record.tags),
    forceRequestedAt: forced.has(record.name) ? undefined : forceAt,
    overrides,
    excluded,
    propagatesExclude: record.propagatedTags.includes(EXCLUDE_TAG),
    watch: NOT_WATCHED,
    suspendedHere: [...(suspensions.get(record.name) ?? [])],
  };
  if (excluded) return { ...group, launch: { obstacle: 'its tag has the group left out' } };
  const settings = settingsOf(group, ofStack);
  const obstacle =
    [...faults, ...faultsOf(record, instances)].join('; ') ||
    sharedBy(record.name, scope) ||
    obstacleOf(record, settings, rollout?.hold.suspended ?? []);
  if (obstacle) return { ...group, launch: { obstacle } };
  const isForced = (group.forceRequestedAt ?? rollout?.forceBefore) !== undefined;
  const rejected = isForced ? [] : (group.rejection?.imageIds ?? []);
  const isEnding = detachedOf(group).length > 0;
  // One that was withdrawn since gives way to another.
  const settled = rollout?.imageIds.filter((imageId) => images.known.has(imageId));
  const isForward = rollout === undefined || rollout.course.kind === 'forward';
  const found = await launches.launchOf(record, isEnding && isForward ? settled : undefined);
  const launch =
    'obstacle' in found
      ? found
      : await withTargets(found, rollout, {
          images,
          settings,
          now,
          rejected,
          osFamilies: osFamiliesOf(group.instances, containerInstances),
        });
  return { ...group, launch };
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

function faultsOf({ members }: GroupRecord, instances: readonly InstanceRecord[]): string[] {
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  return instances
    .filter(({ instanceId }) => ids.has(instanceId))
    .flatMap(({ instanceId, tags }) => excludeFault(instanceId, tags));
}

function sizesOf(record: GroupRecord) {
  const { name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources } =
    record;
  return { name, uuid, minSize, maxSize, desiredCapacity, members, suspendedProcesses, trafficSources };
}

function sharedBy(group: string, { shared }: Scope): string | undefined {
  const clusters = shared.get(group);
  return clusters && `the group has instances in clusters ${clusters.join(' and ')}`;
}

function instancesOfGroup(
  { name, members }: Pick<GroupRecord, 'name' | 'members'>,
  warmPool: readonly Member[],
  instances: readonly InstanceRecord[],
  now: Date,
): Group['instances'] {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  return instances.flatMap(({ instanceId, alive, imageId, launchedAt, tags, otherTags }) => {
    const mark = readMark(tags, now);
    // What somebody has put into another group since is that group's.
    const elsewhere = (tags[AWS_GROUP_TAG] ?? name) !== name;
    const ours = mark?.group === name && !elsewhere;
    if (!ours && !ids.has(instanceId)) return [];
    const excluded = isExcluded(tags);
    const known = { instanceId, alive, imageId, launchedAt, excluded, otherTags };
    return [{ ...known, mark: ours ? mark : undefined }];
  });
}

/** Groups that somebody has deleted since they were found, or that never were; what was detached of them is still there. */
export function goneGroups(
  { scope, now }: Look,
  records: readonly GroupRecord[],
  instances: readonly InstanceRecord[],
): Group[] {
  const names = scope.groups.filter((name) => records.every((record) => record.name !== name));
  return names.map((name) => {
    const left = instancesOfGroup({ name, members: [] }, [], instances, now);
    const ids = left.map(({ instanceId }) => instanceId).join(', ');
    const advice =
      left.length > 0 ? `, but ${ids} still bear our tags; drain and terminate them by hand` : '';
    const launch = { obstacle: `there is no Auto Scaling group of this name${advice}` };
    return { ...NO_GROUP, name, instances: left, launch };
  });
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
  record: GroupRecord,
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
  for (const source of group.rollout ? group.trafficSources : [])
    targetHealth.push({ source, byInstance: await describeTargetHealth(aws, source) });
  const endings = await endingsOf(aws, group, look.now, memory);
  const detailed = {
    ...group,
    instanceRefresh,
    targetHealth,
    failedLaunches: await failedLaunchesOf(aws, group, observation, settings),
    ...endings,
    ...(await entriesOf(aws, group, endings.lifecycleHooks, memory)),
    ...(await providedBy(aws, group, observation.cluster, memory)),
  };
  return withLaunchHistory(aws, record, detailed, observation, settings);
}

/** Why members are lacking, or came late, if they are or did. */
async function failedLaunchesOf(aws: Aws, group: Group, observation: Observation, settings: Settings) {
  const { name, rollout, members, desiredCapacity } = group;
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  const isConcerned =
    present < desiredCapacity || hasLateComer(group, observation, settingsOf(group, settings));
  return rollout !== undefined && isConcerned ? describeFailedLaunches(aws, name, rollout.startedAt) : [];
}

/** Asked once in an invocation: who stands for a group hardly ever changes. */
async function providedBy(aws: Aws, { name }: Group, cluster: string, { providers }: Memory) {
  const all = providers.get(cluster) ?? (await describeGroupProviders(aws, cluster));
  providers.set(cluster, all);
  const own = all.filter(({ group }) => group === name);
  return {
    hasCapacityProvider: own.length > 0,
    hasManagedScaling: own.some(({ hasManagedScaling }) => hasManagedScaling),
  };
}

async function withLaunchHistory(
  aws: Aws,
  record: GroupRecord,
  group: Group,
  observation: Observation,
  settings: Settings,
): Promise<Group> {
  if ('obstacle' in group.launch || !needsLaunchHistory(group, observation, settings)) return group;
  return { ...group, ...(await launchHistory(aws, record, group.launch.sources)) };
}
