import type { Aws } from '../aws/clients.ts';
import { describeContainerInstances } from '../aws/ecs.ts';
import type { ContainerInstance } from '../core/model/cluster.ts';
import { isOver } from '../core/model/time.ts';
import type { Discovered } from './discover.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';

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
