import { type DescribedGroup, describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { tryRead } from '../aws/errors.ts';
import { unprovenOf, withoutUnproven } from '../core/group/detachment-proof.ts';
import { detachedOf } from '../core/group/marked.ts';
import { NOT_WATCHED } from '../core/group/steadiness.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import type { Warning } from '../core/reasons/warnings.ts';
import { learnOthers, providersOf } from './belonging.ts';
import { containerInstancesIn } from './discover.ts';
import { eachOrFault } from './faults.ts';
import { instancesOf, instancesOfGroup, type Silence } from './instances.ts';
import { type Look, type SeenGroup, seenGroup } from './look.ts';
import type { Memory } from './memory.ts';

/** What every look reads about a cluster, whatever it runs. */
export interface ClusterFacts {
  /** Its groups are only those that are gone. */
  readonly observation: Observation;
  readonly seen: readonly SeenGroup[];
  /** The groups as Auto Scaling describes them. */
  readonly records: readonly DescribedGroup[];
  readonly instances: readonly DescribedInstance[];
  readonly silence?: Silence | undefined;
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
  const registered = await containerInstancesIn(aws, look, memory);
  const containerInstances = await withManaged(aws, cluster, registered, memory);
  const unread = await learnOthers(aws, { cluster, settings: look.settings }, memory);
  const all = await describeGroups(aws, names);
  const records = all.filter((record) => !memory.writes.isStale(record, look.now));
  const seen = await eachOrFault(records, faults, nameOf, (record) => seenGroup(aws, record));
  const asked = { cluster, now: look.now, seen, containerInstances };
  const { instances, silence } = await instancesOf(aws, asked, memory);
  learnHosts(memory, containerInstances, instances);
  await memory.launches.learn(records, look.now);
  await memory.images.learn(instances.map(({ imageId }) => imageId));
  const observation: Observation = {
    now: look.now,
    cluster,
    containerInstances,
    images: memory.images.known,
    groups: await goneGroups(aws, look, all, instances, memory),
  };
  return { observation, seen, records, instances, silence, unread };
}

/** Tells which of them ECS manages itself, if any may be so. */
async function withManaged(
  aws: Aws,
  cluster: string,
  all: readonly ContainerInstance[],
  memory: Memory,
): Promise<readonly ContainerInstance[]> {
  if (all.every(({ traits }) => traits?.capacityProvider === undefined)) return all;
  const providers = await providersOf(aws, cluster, memory);
  const managed = new Set(providers.flatMap(({ name, group }) => (group ? [] : (name ?? []))));
  return all.map((each) =>
    managed.has(each.traits?.capacityProvider ?? '') ? { ...each, managed: true } : each,
  );
}

function nameOf({ name }: DescribedGroup): string {
  return name;
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

/**
 * Groups that were deleted since they were found, or never existed. Instances detached from them may still
 * run.
 */
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
      instances: instancesOfGroup({ name, members: [], availabilityZones: [] }, [], instances, now),
    };
    // We do nothing about them, so if this can't be read they just stay unproven.
    await tryRead(detachments.learn(aws, { name, createdAt: now }, detachedOf(left), now));
    const group = withoutUnproven(left, detachments.of(name), now);
    const unproven = unprovenOf(group);
    const ids = group.instances.map(({ instanceId }) => instanceId);
    gone.push({
      ...group,
      launch: { obstacle: { code: 'group-gone', left: ids, ...(unproven && { unproven }) } },
    });
  }
  return gone;
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
  overrides: {},
  excluded: false,
  watch: NOT_WATCHED,
};
