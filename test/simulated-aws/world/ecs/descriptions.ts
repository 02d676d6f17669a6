import type {
  Cluster as ClusterDescription,
  ClusterField,
  ContainerInstance as ContainerInstanceDescription,
  Task as TaskDescription,
} from '@aws-sdk/client-ecs';
import { AGENT_VERSION } from '../ec2/public-parameters.ts';
import type { Cluster, ContainerInstance, Task } from './model.ts';
import { DEFAULT_DEFINITION } from './task-definitions.ts';

export const date = (epochMs: number | undefined) => (epochMs === undefined ? undefined : new Date(epochMs));

export const isPending = (task: Task) => task.lastStatus === 'PENDING';

/** Counts go by desired status: a task that is being stopped does not count as running. */
export const isRunning = (task: Task) => task.desiredStatus === 'RUNNING' && !isPending(task);

export function count(tasks: Iterable<Task>, test: (task: Task) => boolean): number {
  let number = 0;
  for (const task of tasks) if (test(task)) number++;
  return number;
}

export function describeCluster(cluster: Cluster, include: readonly ClusterField[] = []): ClusterDescription {
  const instances = [...cluster.containerInstances.values()];
  const services = [...cluster.services.values()];
  // Fargate tasks are on no container instance, standalone ones of no service.
  const tasks = new Set([...instances, ...services].flatMap((one) => [...one.tasks]));
  return {
    clusterArn: cluster.arn,
    clusterName: cluster.name,
    status: cluster.status,
    // The DRAINING ones included.
    registeredContainerInstancesCount: instances.filter((one) => one.status !== 'INACTIVE').length,
    runningTasksCount: count(tasks, isRunning),
    pendingTasksCount: count(tasks, isPending),
    activeServicesCount: services.filter(({ status }) => status === 'ACTIVE').length,
    capacityProviders: [...cluster.capacityProviders],
    defaultCapacityProviderStrategy: [],
    ...(include.includes('TAGS') && { tags: [...cluster.tags].map(([key, value]) => ({ key, value })) }),
  };
}

export function describeContainerInstance(one: ContainerInstance): ContainerInstanceDescription {
  const resource = (cpu: number, memory: number) => [
    { name: 'CPU', type: 'INTEGER', integerValue: cpu },
    { name: 'MEMORY', type: 'INTEGER', integerValue: memory },
    ...(one.gpus > 0 ? [{ name: 'GPU', type: 'STRINGSET', stringSetValue: gpuIds(one) }] : []),
  ];
  return {
    containerInstanceArn: one.arn,
    ec2InstanceId: one.instance.id,
    capacityProviderName: one.capacityProviderName,
    status: one.status,
    statusReason: one.statusReason,
    agentConnected: one.agentConnected,
    versionInfo: { agentVersion: AGENT_VERSION, dockerVersion: DOCKER_VERSION },
    version: one.version,
    runningTasksCount: count(one.tasks, isRunning),
    pendingTasksCount: count(one.tasks, isPending),
    registeredAt: date(one.registeredAtMs),
    registeredResources: resource(one.cpu, one.memory),
    remainingResources: resource(one.cpu - one.reservedCpu, remainingMemory(one)),
    attributes: [...one.attributes].map(([name, value]) => ({ name, value })),
  };
}

const DOCKER_VERSION = 'DockerVersion: 25.0.13';

/** A standalone task has reserved what a service's has by default. */
function remainingMemory({ memory, tasks }: ContainerInstance): number {
  const reserved = [...tasks].map(({ service }) => (service?.definition ?? DEFAULT_DEFINITION).memory);
  return reserved.reduce((left, each) => left - each, memory);
}

function gpuIds({ gpus, instance }: ContainerInstance): string[] {
  return Array.from({ length: gpus }, (_, index) => `GPU-${instance.id}-${index}`);
}

/** The deployment of its service, if it has one. */
export const startedByOf = ({ deployment }: Task) => deployment?.id;

export function describeTask(task: Task): TaskDescription {
  const base = task.cluster.arn.replace(/:cluster\/.*/, ':task-definition/');
  const { launchType, arn, instance } = task.containerInstance;
  return {
    taskArn: task.arn,
    clusterArn: task.cluster.arn,
    containerInstanceArn: launchType === 'FARGATE' ? undefined : arn,
    availabilityZone: instance.availabilityZone || undefined,
    group: task.group,
    taskDefinitionArn: `${base}${task.family}:${task.deployment?.number ?? 1}`,
    startedBy: startedByOf(task),
    desiredStatus: task.desiredStatus,
    lastStatus: task.lastStatus,
    healthStatus: 'UNKNOWN',
    cpu: String(task.cpu),
    launchType,
    createdAt: date(task.createdAtMs),
    startedAt: date(task.startedAtMs),
    stoppingAt: date(task.stoppingAtMs),
    stoppedAt: date(task.stoppedAtMs),
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
  };
}
