import type { State } from '../state.ts';
import { reconcileDaemon } from './daemon.ts';
import { reconcileReplica } from './replica.ts';
import { windDown } from './service-deletion.ts';

/** The service scheduler: looks at a service whenever something that concerns it has changed. */
export function scheduleServices(state: State) {
  state.subscribe((event) => {
    if (event.kind !== 'scheduler-due') return;
    const { service } = event;
    if (service.status !== 'ACTIVE') windDown(state, service);
    else if (service.strategy === 'DAEMON') reconcileDaemon(state, service);
    else reconcileReplica(state, service);
  });
}
