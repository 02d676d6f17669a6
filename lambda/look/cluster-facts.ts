import { type DescribedGroup, describeGroups } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import type { Observation } from '../core/model/observation.ts';
import type { Warning } from '../core/reasons/warnings.ts';
import { learnOthers } from './belonging.ts';
import { containerInstancesIn } from './discovered.ts';
import { eachOrFault } from './faults.ts';
import { goneGroups } from './gone-groups.ts';
import { instancesOf, type Silence } from './instances.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';
import { type SeenGroup, seenGroup } from './seen-group.ts';

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
  const containerInstances = await containerInstancesIn(aws, look, memory);
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
