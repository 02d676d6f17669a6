import type { Service } from '../world/ecs/model.ts';
import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** 7. Calls don't change a service's desired count, and don't delete services. */
export function watchServices({ state }: Watch, ledger: Ledger): Listener {
  const wanted = new Map<Service, number>();
  for (const { services } of state.clusters.values())
    for (const service of services.values()) wanted.set(service, wantedOf(service));

  return (event) => {
    if (event.kind !== 'service-changed') return;
    const { service, cause } = event;
    const now = wantedOf(service);
    const owners = cause === 'call' ? (wanted.get(service) ?? now) : now;
    wanted.set(service, owners);
    ledger.keep(
      7,
      `size of ${service.arn}`,
      Math.abs(now - owners),
      () =>
        `Service ${service.name} ${isDeleted(service) ? 'was deleted' : `was set to run ${now} tasks, not ${owners}`}`,
      cause === 'call',
    );
  };
}

const isDeleted = ({ status }: Service) => status !== 'ACTIVE';

/** A daemon runs one task on each instance. */
function wantedOf(service: Service): number {
  if (isDeleted(service)) return 0;
  return service.strategy === 'DAEMON' ? 1 : service.desiredCount;
}
