import type { Service } from '../world/ecs/model.ts';
import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** For this long a place may still be on its way. */
const LASTING_MS = 300_000;

/**
 * 1. At most one drain keeps a service short that is placed by a constraint: its tasks find no place, and the
 *    roller could see that after the first.
 */
export function watchStarvation({ state, expectations }: Watch, ledger: Ledger): Listener {
  const since = new Map<Service, number>();
  const drains = new Map<Service, number>();
  const most = expectations.drainsThatStarve ?? 1;

  const note = (service: Service, now: number) => {
    const begun = since.get(service);
    if (isStarvedByDrain(service)) {
      since.set(service, begun ?? now);
      return;
    }
    since.delete(service);
    if (begun === undefined || now - begun < LASTING_MS) return;
    const count = (drains.get(service) ?? 0) + 1;
    drains.set(service, count);
    ledger.expect(1, count <= most, () => `Service ${service.name} was kept short by ${count} drains`);
  };

  return () => {
    const now = state.clock.now();
    for (const { services } of state.clusters.values())
      for (const service of services.values()) if (isConstrained(service)) note(service, now);
  };
}

function isStarvedByDrain({ isStarved, healthyCount, desiredCount, cluster }: Service): boolean {
  if (!isStarved || healthyCount >= desiredCount) return false;
  return [...cluster.containerInstances.values()].some(({ status }) => status === 'DRAINING');
}

/** Others find no place for want of room alone, which comes and goes. */
function isConstrained({ expressions, distinctInstance, capacityProvider, definition }: Service): boolean {
  const { expressions: ofDefinition, gpus, hostPort } = definition;
  const isTied = expressions.length + ofDefinition.length + gpus > 0 || hostPort !== undefined;
  return isTied || distinctInstance || capacityProvider !== undefined;
}
