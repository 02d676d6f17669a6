import { boundsOf } from '../world/ecs/bounds.ts';
import type { Service, Task } from '../world/ecs/model.ts';
import type { Cause, Listener } from '../world/events.ts';
import { mayBeStopped, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/**
 * Who may take a healthy task away without asking for the minimum; what it took is set aside until it is
 * back.
 */
const SET_ASIDE: ReadonlySet<Cause> = new Set(['fault', 'group', 'owner']);

/** 1. A service never runs fewer healthy tasks than its minimumHealthyPercent allows. */
export function watchHealth(watch: Watch, ledger: Ledger) {
  const { state } = watch;
  const wanted = watchWanted(watch);
  const settled = new Set<Service>();
  const setAside = new Map<Service, number>();
  const lowestPercent = new Map<Service, number>();

  const settle = (service: Service) => {
    const { desiredCount, healthyCount } = service;
    if (service.strategy !== 'REPLICA' || healthyCount < desiredCount) return;
    settled.add(service);
    lowestPercent.set(service, lowestPercent.get(service) ?? 100);
    setAside.delete(service);
  };
  for (const cluster of state.clusters.values())
    for (const service of cluster.services.values()) settle(service);

  const check = (service: Service) => {
    if (!settled.has(service) || service.desiredCount === 0) return;
    const { name, healthyCount, desiredCount } = service;
    const percent = Math.min(100, (100 * healthyCount) / desiredCount);
    const lowest = lowestPercent.get(service) ?? 100;
    lowestPercent.set(service, Math.min(lowest, percent));
    const least = boundsOf(service).minimum - (setAside.get(service) ?? 0);
    ledger.keep(
      1,
      service.arn,
      least - healthyCount,
      () => `Service ${name} has ${healthyCount} healthy tasks, fewer than ${least}`,
    );
  };

  const isSetAside = (task: Task, cause: Cause) => {
    if (cause === 'stop-task') return mayBeStopped(watch, task);
    return SET_ASIDE.has(cause) && !wanted.isByCalls(cause, task.containerInstance.instance);
  };

  const listener: Listener = (event) => {
    wanted.note(event);
    if (event.kind === 'service-changed') {
      // A service that is scaled out has to come up first.
      settled.delete(event.service);
      settle(event.service);
      ledger.keep(1, event.service.arn, 0, () => '');
    }
    if (event.kind !== 'health-changed') return;
    const { service, task, cause } = event;
    if (!task.isHealthy && isSetAside(task, cause)) setAside.set(service, (setAside.get(service) ?? 0) + 1);
    settle(service);
    check(service);
  };
  return { listener, lowestPercent };
}
