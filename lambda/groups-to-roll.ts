import { CLUSTER_ITSELF, clusterResult } from './core/result.ts';
import type { Command } from './event.ts';
import { type Begun, type Discovered, discoverGroups, forgedBy, learn, scopesOf } from './look/discover.ts';
import { concernsRolls, isOrder } from './orders/order.ts';
import { distrust, fail, keyOf, type Progress, settle } from './progress.ts';

/** A command for begun rolls only needs no search for other groups. */
function concernsBegun({ action }: Command): boolean {
  return action === 'continue' || (isOrder(action) && concernsRolls(action));
}

/** Finds the groups that the command concerns, and says what no group's result would say. */
export async function findGroupsToRoll(progress: Progress, begun: Begun): Promise<void> {
  const { aws, command, settings, memory, clock } = progress;
  const groups = new Map(begun.groups);
  if (!concernsBegun(command)) {
    for (const cluster of command.clusters) {
      try {
        const found = await discoverGroups(aws, cluster);
        learn(memory, cluster, found, clock.now());
        const named = settings.groups.flatMap((each) => (each.cluster === cluster ? [each.group] : []));
        const all = new Set([...(groups.get(cluster) ?? []), ...found.groups, ...named]);
        groups.set(cluster, all);
        reportCluster(progress, cluster, all.size, found);
      } catch (error) {
        groups.delete(cluster);
        fail(progress, cluster, CLUSTER_ITSELF, error);
      }
    }
  }
  for (const cluster of command.clusters)
    if (isOrder(command.action) && concernsBegun(command) && !groups.get(cluster)?.size)
      settle(progress, clusterResult(cluster, 'up-to-date', { code: 'no-roll-begun' }));
  await reportForged(progress, begun, groups);
  for (const scope of scopesOf(groups)) progress.open.set(scope.cluster, scope);
}

/** Reports forged marks on instances outside these groups, as no group's result would. */
async function reportForged(progress: Progress, { forged }: Begun, groups: Begun['groups']): Promise<void> {
  const { aws, command, results } = progress;
  const names = new Set([...groups.values()].flatMap((each) => [...each]));
  for (const [cluster, untrusted] of await forgedBy(aws, command.clusters, forged, names)) {
    if (untrusted.length === 0) continue;
    distrust(progress, cluster, CLUSTER_ITSELF, untrusted);
    const resources = untrusted.map(({ resource }) => resource).sort();
    const said = results.get(keyOf(cluster, CLUSTER_ITSELF));
    settle(progress, said ?? clusterResult(cluster, 'skipped', { code: 'tags-forged', resources }));
  }
}

/** Reports what no group's result would. */
function reportCluster(
  progress: Progress,
  cluster: string,
  groups: number,
  { strays, ghosts }: Discovered,
): void {
  // Gone instances need no roll; those in no group are skipped.
  const state = strays.length > 0 ? 'skipped' : 'up-to-date';
  if (strays.length + ghosts.length > 0)
    settle(progress, clusterResult(cluster, state, { code: 'instances-astray', strays, ghosts }));
  else if (groups === 0) settle(progress, clusterResult(cluster, 'up-to-date', { code: 'no-group' }));
}
