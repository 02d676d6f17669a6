import { selects } from './constraints.ts';
import { fargateHost } from './hosts.ts';
import type { Cluster, ContainerInstance, Service } from './model.ts';

/** Only an ACTIVE instance whose agent is connected takes tasks. */
export function takesTasks(containerInstance: ContainerInstance): boolean {
  return containerInstance.status === 'ACTIVE' && containerInstance.agentConnected;
}

/** Whether a task of the service may be put there at all. */
export function isHostOf(containerInstance: ContainerInstance, service: Service): boolean {
  return (
    containerInstance.launchType === service.launchType &&
    takesTasks(containerInstance) &&
    meetsConstraints(containerInstance, service)
  );
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement.html */
function meetsConstraints(containerInstance: ContainerInstance, service: Service): boolean {
  if (service.launchType === 'FARGATE') return true;
  const { capacityProvider, expressions, definition } = service;
  const { attributes, capacityProviderName } = containerInstance;
  return (
    (capacityProvider === undefined || capacityProvider === capacityProviderName) &&
    expressions.every((each) => selects(each)(containerInstance)) &&
    definition.expressions.every((each) => selects(each)(containerInstance)) &&
    definition.requiresAttributes.every((name) => attributes.has(name))
  );
}

/** Beside what its tasks have reserved. A host's port, like a GPU, is one task's alone. */
function hasRoomFor(containerInstance: ContainerInstance, service: Service): boolean {
  if (!hasRoom(containerInstance, service.cpu)) return false;
  const { hostPort } = service.definition;
  let { memory, gpus } = service.definition;
  for (const { service: other } of containerInstance.tasks) {
    if (other === undefined) continue;
    if (service.distinctInstance && other === service) return false;
    if (hostPort !== undefined && other.definition.hostPort === hostPort) return false;
    memory += other.definition.memory;
    gpus += other.definition.gpus;
  }
  return memory <= containerInstance.memory && gpus <= containerInstance.gpus;
}

export function hasRoom(containerInstance: ContainerInstance, cpu: number): boolean {
  return containerInstance.cpu - containerInstance.reservedCpu >= cpu;
}

/**
 * Where a task of the service goes: with `spread` to where the fewest of its own tasks are, with `binpack` to the
 * fullest instance that still has room. There is no cordon: an old instance that is ACTIVE is as good as a new one.
 * Fargate has room for everything.
 */
export function choosePlace(cluster: Cluster, service: Service): ContainerInstance | undefined {
  if (service.launchType === 'FARGATE') return fargateHost(cluster);
  const own = countByInstance(service);
  let best: ContainerInstance | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const candidate of cluster.containerInstances.values()) {
    // First what is cheap to tell: there may be hundreds of candidates.
    const score = scoreOf(candidate, service, own);
    if (score >= bestScore || !isHostOf(candidate, service) || !hasRoomFor(candidate, service)) continue;
    best = candidate;
    bestScore = score;
  }
  return best;
}

/** Between equals the emptier (or fuller) one, then the one that registered first. */
function scoreOf(
  candidate: ContainerInstance,
  { placement }: Service,
  own: ReadonlyMap<ContainerInstance, number>,
): number {
  const fullness = candidate.reservedCpu / candidate.cpu;
  return placement === 'binpack' ? -fullness : (own.get(candidate) ?? 0) + fullness / 2;
}

function countByInstance(service: Service) {
  const counts = new Map<ContainerInstance, number>();
  for (const { containerInstance, desiredStatus } of service.tasks)
    if (desiredStatus === 'RUNNING') counts.set(containerInstance, (counts.get(containerInstance) ?? 0) + 1);
  return counts;
}
