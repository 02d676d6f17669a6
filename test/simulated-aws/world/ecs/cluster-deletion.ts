import type { State } from '../state.ts';
import { deregister } from './container-instances.ts';
import type { Cluster } from './model.ts';
import { deleteService } from './service-deletion.ts';
import { byUser } from './stops.ts';
import { endTask } from './tasks.ts';

/** All that its owner has to do before, and the deletion itself, in one moment. */
export function deleteCluster(state: State, cluster: Cluster) {
  for (const service of cluster.services.values()) deleteService(state, service, 'owner');
  for (const task of cluster.tasks.values()) endTask(state, task, byUser('Task stopped by user', 'owner'));
  for (const one of cluster.containerInstances.values())
    if (one.status !== 'INACTIVE') deregister(state, one, 'owner');
  cluster.status = 'INACTIVE';
  state.after('goneButVisibleSeconds', () => {
    if (state.clusters.get(cluster.name) === cluster) state.clusters.delete(cluster.name);
  });
}
