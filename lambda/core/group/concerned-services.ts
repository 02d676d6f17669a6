import type { ContainerInstance, Service } from '../model/cluster.ts';
import { derived } from '../model/derived.ts';
import type { Group } from '../model/group.ts';
import type { Observation } from '../model/observation.ts';
import { isOver } from '../model/time.ts';

/** ECS reports a stopped task for an hour. */
const TOLD_SECONDS = 3000;

/**
 * The services a roll of the group may have moved or may move: those with tasks on its instances. If that is
 * unknown, a service counts.
 */
export function servicesOf(group: Group, observation: Observation): readonly Service[] {
  return servicesIn(observation)(group);
}

const servicesIn = derived((observation: Observation) =>
  derived((group: Group): readonly Service[] => {
    const { details: { services = [] } = {} } = observation;
    const doubtful = services.filter(({ hosts }) => hosts !== undefined);
    if (doubtful.length === 0 || drainsLong(group, observation)) return services;
    const apart = new Set(apartFrom(group, observation, doubtful));
    return services.filter((service) => !apart.has(service));
  }),
);

/** None of their tasks runs, or ran recently, on the group's instances or on unknown ones. */
function apartFrom(group: Group, observation: Observation, services: readonly Service[]): Service[] {
  const { containerInstances } = observation;
  const ours = new Set(group.instances.map(({ instanceId }) => instanceId));
  const own = containerInstances.filter(({ instanceId }) => ours.has(instanceId));
  const others = containerInstances.filter(({ instanceId }) => !ours.has(instanceId));
  const elsewhere = new Set(others.map(({ arn }) => arn));
  return services.filter(
    ({ name, hosts = [] }) => !hadTasksOn(name, own, observation) && hosts.every((arn) => elsewhere.has(arn)),
  );
}

/** The drain began too long ago to tell what ran on the instance then. */
function drainsLong({ instances }: Group, observation: Observation): boolean {
  return instances.some(
    ({ alive, mark }) =>
      alive && mark?.drainStartedAt !== undefined && isForgotten(mark.drainStartedAt, observation),
  );
}

/** Whether a service had tasks on one of these since it began to drain. */
export function hadTasksOn(
  service: string,
  containerInstances: readonly ContainerInstance[],
  { details: { servicesOn } = {} }: Observation,
): boolean {
  return containerInstances.some(({ arn }) => servicesOn?.get(arn)?.has(service));
}

/** An instance has drained for so long that it may have had tasks of any service. */
export function isForgotten(drainStartedAt: Date, { now }: Pick<Observation, 'now'>): boolean {
  return isOver(drainStartedAt, TOLD_SECONDS, now);
}
