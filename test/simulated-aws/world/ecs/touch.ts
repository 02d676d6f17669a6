import type { State } from '../state.ts';
import type { Cluster, Service } from './model.ts';

/** Has the service scheduler look at a service, a moment from now; a look that is due already will do. */
export function touchService(state: State, service: Service) {
  if (service.isReconcileScheduled) return;
  service.isReconcileScheduled = true;
  state.after('schedulerSeconds', () => {
    service.isReconcileScheduled = false;
    state.emit({ kind: 'scheduler-due', service });
  });
}

export function touchDaemons(state: State, cluster: Cluster) {
  for (const service of cluster.services.values())
    if (service.strategy === 'DAEMON') touchService(state, service);
}

/** Services with a task that found no place look again where room may have come up. */
export function touchStarved(state: State, cluster: Cluster) {
  for (const service of cluster.services.values()) if (service.isStarved) touchService(state, service);
}
