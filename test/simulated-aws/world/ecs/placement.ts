import type { State } from '../state.ts';
import { FEATURES } from './attributes.ts';
import { selects } from './constraints.ts';
import { fargateHost } from './hosts.ts';
import type { ContainerInstance, Service } from './model.ts';
import { isLower, rankingFor } from './placement-ranking.ts';
import { definitionOf } from './room.ts';

/** Only an ACTIVE instance whose agent is connected takes tasks. */
export function takesTasks(containerInstance: ContainerInstance): boolean {
  return containerInstance.status === 'ACTIVE' && containerInstance.agentConnected;
}

/** Whether a task of the service may be put there at all. */
export function isHostOf(state: State, containerInstance: ContainerInstance, service: Service): boolean {
  return (
    containerInstance.launchType === service.launchType &&
    takesTasks(containerInstance) &&
    meetsConstraints(containerInstance, service) &&
    isInSubnets(state, containerInstance, service)
  );
}

/**
 * Tasks in `awsvpc` mode run "in the same Availability Zones as those subnets" of their service; where events
 * are explained it is "in the same subnet".
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-networking-awsvpc.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages-list.html
 */
function isInSubnets(
  { readings, subnets }: State,
  { attributes, instance }: ContainerInstance,
  { launchType, definition, subnetIds }: Service,
): boolean {
  if (launchType === 'FARGATE' || definition.networkMode !== 'awsvpc') return true;
  return readings.awsvpcHosts === 'in-subnets'
    ? subnetIds.includes(attributes.get('ecs.subnet-id') ?? '')
    : subnetIds.some((id) => subnets.get(id)?.availabilityZone === instance.availabilityZone);
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement.html */
function meetsConstraints(containerInstance: ContainerInstance, service: Service): boolean {
  if (service.launchType === 'FARGATE') return true;
  const { capacityProvider, expressions, definition, features } = service;
  const { attributes, capacityProviderName } = containerInstance;
  return (
    (capacityProvider === undefined || capacityProvider === capacityProviderName) &&
    expressions.every((each) => selects(each)(containerInstance)) &&
    definition.expressions.every((each) => selects(each)(containerInstance)) &&
    definition.requiresAttributes.every((name) => attributes.has(name)) &&
    features.every((each) => attributes.has(FEATURES[each]))
  );
}

/**
 * Beside what its tasks have reserved. A host's port, like a GPU, is one task's alone. With
 * `distinctInstance` "Amazon ECS looks at the desired status of the tasks".
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-constraints.html
 */
function hasRoomFor(containerInstance: ContainerInstance, service: Service): boolean {
  if (!hasRoom(containerInstance, service.cpu)) return false;
  const { hostPort } = service.definition;
  let { memory, gpus } = service.definition;
  for (const task of containerInstance.tasks) {
    const { service: other, desiredStatus, holdsRoom } = task;
    if (service.distinctInstance && other === service && desiredStatus === 'RUNNING') return false;
    if (!holdsRoom) continue;
    const taken = definitionOf(task);
    if (hostPort !== undefined && taken.hostPort === hostPort) return false;
    memory += taken.memory;
    gpus += taken.gpus;
  }
  return memory <= containerInstance.memory && gpus <= containerInstance.gpus;
}

export function hasRoom(containerInstance: ContainerInstance, cpu: number): boolean {
  return containerInstance.cpu - containerInstance.reservedCpu >= cpu;
}

/**
 * Where a task of the service goes, by its placement strategy. There is no cordon: an old instance that is
 * ACTIVE is as good as a new one, and of equals the one that registered first is taken. Fargate has room for
 * everything.
 *
 * @param zone where it has to be. Default: anywhere
 */
export function choosePlace(state: State, service: Service, zone?: string): ContainerInstance | undefined {
  if (service.launchType === 'FARGATE') return fargateHost(service.cluster);
  const rankOf = rankingFor(service);
  let best: { readonly place: ContainerInstance; readonly rank: readonly number[] } | undefined;
  for (const place of service.cluster.containerInstances.values()) {
    // The cheap checks first: there may be hundreds of candidates.
    if ((zone ?? zoneOf(place)) !== zoneOf(place)) continue;
    const rank = rankOf(place);
    if (best && !isLower(rank, best.rank)) continue;
    if (isHostOf(state, place, service) && hasRoomFor(place, service)) best = { place, rank };
  }
  return best?.place;
}

export const zoneOf = ({ instance }: ContainerInstance) => instance.availabilityZone;
