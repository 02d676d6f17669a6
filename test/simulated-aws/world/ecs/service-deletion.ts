import type { State } from '../state.ts';
import type { Service } from './model.ts';
import { scheduled } from './stops.ts';
import { stopTask } from './tasks.ts';
import { touchService } from './touch.ts';

/** By force, with tasks that run. */
export function deleteService(state: State, service: Service, cause: 'call' | 'owner') {
  if (service.status !== 'ACTIVE') return;
  service.status = 'DRAINING';
  service.desiredCount = 0;
  state.emit({ kind: 'service-changed', service, cause });
  for (const task of service.tasks) stopTask(state, task, scheduled(service, 'owner'));
  touchService(state, service);
}

/** INACTIVE once its tasks have stopped, and described as such for a while. */
export function windDown(state: State, service: Service) {
  if (service.status !== 'DRAINING' || service.tasks.size > 0) return;
  service.status = 'INACTIVE';
  const { services } = service.cluster;
  state.after('goneButVisibleSeconds', () => {
    if (services.get(service.name) === service) services.delete(service.name);
  });
}
