import type { ContainerInstance, Service, Task } from '../world/ecs/model.ts';
import { isHostOf, takesTasks, zoneOf } from '../world/ecs/placement.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { isDrifted, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** Between a look and the call that follows from it nobody can see what happens. */
const UNSEEN_MS = 60_000;

/**
 * 1. Where a service's load balancer serves each zone from itself, calls don't drain the host of its last
 *    healthy targets in a zone while another detached host may drain first whose tasks may come there. Only
 *    ECS decides where its tasks go, so not every zone can be kept.
 */
export function watchLastInZone(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const changedAt = new Map<Service, number>();
  const before = new Map<ContainerInstance, string>();
  /** A call has set them back ACTIVE: they have had their turn, in vain. */
  const givenUp = new Set<ContainerInstance>();
  const isMember = ({ instance }: ContainerInstance) =>
    [...state.groups.values()].some(({ members }) => members.has(instance.id));
  // Nobody knows whose it is once somebody has forged its tags.
  const isDetached = (one: ContainerInstance) =>
    !isMember(one) &&
    isDrifted(watch, one.instance) &&
    takesTasks(one) &&
    !state.forgeries.instances.has(one.instance);

  /** Its health, or by others that one of its hosts takes tasks, or no longer does. */
  const noteChanges = (event: WorldEvent) => {
    const changed = event.kind === 'health-changed' ? [event.service] : servicesOnChanged(event);
    for (const service of changed) changedAt.set(service, state.clock.now());
  };

  return (event) => {
    noteChanges(event);
    if (event.kind !== 'container-instance-changed') return;
    const { containerInstance: host, cause } = event;
    const was = before.get(host);
    before.set(host, host.status);
    if (cause === 'call' && host.status === 'ACTIVE' && was === 'DRAINING') givenUp.add(host);
    if (cause !== 'call' || host.status !== 'DRAINING' || was === 'DRAINING') return;
    check(host);
  };

  function check(host: ContainerInstance) {
    const { cluster } = host;
    for (const service of cluster.services.values()) {
      if (service.balancer === 'application' || !isLast(service, host)) continue;
      if (state.clock.now() - (changedAt.get(service) ?? 0) <= UNSEEN_MS) continue;
      const first = [...cluster.containerInstances.values()].find(
        (one) =>
          one !== host && isDetached(one) && isAlike(one, host) && !givenUp.has(one) && isFree(one, host),
      );
      ledger.expect(
        1,
        first === undefined || watch.expectations.emptiesZones === true,
        () => `${host.instance.id} drains with the last targets of ${service.name} in ${zoneOf(host)}`,
      );
    }
  }

  /**
   * Each group rolls in its own turn; and in a rollback those of the image that failed wait for no others,
   * which wait for them.
   */
  function isAlike({ instance: one }: ContainerInstance, { instance: other }: ContainerInstance): boolean {
    return one.launchedBy === other.launchedBy && one.imageId === other.imageId;
  }

  /** It leaves as well, and is no zone's last. */
  function isFree(one: ContainerInstance, { cluster }: ContainerInstance): boolean {
    const isProtected = [...one.tasks].some(({ protectedUntilMs: until = 0 }) => until > state.clock.now());
    const services = [...cluster.services.values()].filter(({ balancer }) => balancer !== 'application');
    return (
      !isProtected && services.every((service) => isHostOf(state, one, service) && !isLast(service, one))
    );
  }
}

function servicesOnChanged(event: WorldEvent): Service[] {
  if (event.kind !== 'container-instance-changed' || event.cause === 'call') return [];
  return [...event.containerInstance.tasks].flatMap(({ service }) => service ?? []);
}

function isLast(service: Service, host: ContainerInstance): boolean {
  if (![...host.tasks].some((task) => task.service === service && isServing(task))) return false;
  const zone = zoneOf(host);
  return ![...service.tasks].some(
    (task) =>
      isServing(task) &&
      task.containerInstance !== host &&
      takesTasks(task.containerInstance) &&
      zoneOf(task.containerInstance) === zone,
  );
}

const isServing = ({ isHealthy, desiredStatus }: Task) => isHealthy && desiredStatus === 'RUNNING';
