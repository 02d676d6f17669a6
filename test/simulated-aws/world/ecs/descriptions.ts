import type {
  Cluster as ClusterDescription,
  ClusterField,
  ContainerInstance as ContainerInstanceDescription,
  ContainerInstanceHealthStatus,
  HealthStatus,
  NetworkBinding,
  Task as TaskDescription,
} from '@aws-sdk/client-ecs';
import { AGENT_VERSION } from '../ec2/public-parameters.ts';
import type { Readings } from '../readings.ts';
import type { State } from '../state.ts';
import { isImpaired } from './agents.ts';
import { type Cluster, type ContainerInstance, isStarting, type Task } from './model.ts';
import { definitionOf } from './room.ts';
import { CONTAINER_PORT, hostPortOf } from './target-groups.ts';

export const date = (epochMs: number | undefined) => (epochMs === undefined ? undefined : new Date(epochMs));

/** AWS doesn't say whether tasks that are PROVISIONING or ACTIVATING count. */
export const pendingBy =
  ({ countsOfStarting }: Readings) =>
  (task: Task) =>
    countsOfStarting === 'pending' ? isStarting(task) : task.lastStatus === 'PENDING';

/** Counts go by desired status: a task that is being stopped does not count as running. */
export const isRunning = (task: Task) => task.desiredStatus === 'RUNNING' && !isStarting(task);

export function count(tasks: Iterable<Task>, test: (task: Task) => boolean): number {
  let number = 0;
  for (const task of tasks) if (test(task)) number++;
  return number;
}

export function describeCluster(
  { readings }: State,
  cluster: Cluster,
  include: readonly ClusterField[] = [],
): ClusterDescription {
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
    pendingTasksCount: count(tasks, pendingBy(readings)),
    activeServicesCount: services.filter(({ status }) => status === 'ACTIVE').length,
    capacityProviders: [...cluster.capacityProviders],
    defaultCapacityProviderStrategy: [],
    ...(include.includes('TAGS') && { tags: [...cluster.tags].map(([key, value]) => ({ key, value })) }),
  };
}

export function describeContainerInstance(
  { readings }: State,
  one: ContainerInstance,
): ContainerInstanceDescription {
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
    pendingTasksCount: count(one.tasks, pendingBy(readings)),
    registeredAt: date(one.registeredAtMs),
    registeredResources: resource(one.cpu, one.memory),
    remainingResources: resource(one.cpu - one.reservedCpu, remainingMemory(one)),
    attributes: [...one.attributes].map(([name, value]) => ({ name, value })),
  };
}

export function describeHealth(state: State, one: ContainerInstance): ContainerInstanceHealthStatus {
  const status = isImpaired(state, one) ? 'IMPAIRED' : 'OK';
  return { overallStatus: status, details: [{ type: 'CONTAINER_RUNTIME', status }] };
}

const DOCKER_VERSION = 'DockerVersion: 25.0.13';

function remainingMemory({ memory, tasks }: ContainerInstance): number {
  const reserved = [...tasks].filter(({ holdsRoom }) => holdsRoom);
  return reserved.reduce((left, task) => left - definitionOf(task).memory, memory);
}

function gpuIds({ gpus, instance }: ContainerInstance): string[] {
  return Array.from({ length: gpus }, (_, index) => `GPU-${instance.id}-${index}`);
}

/** The deployment of its service, if it has one. */
export const startedByOf = ({ deployment }: Task) => deployment?.id;

/** Only what a load balancer sends requests to binds a port. */
function bindingsOf(task: Task): NetworkBinding[] {
  if (isStarting(task) || !task.service?.isLoadBalanced) return [];
  return [{ bindIP: '0.0.0.0', containerPort: CONTAINER_PORT, hostPort: hostPortOf(task), protocol: 'tcp' }];
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html */
function healthStatusOf({ service, failsChecks, isHealthy }: Task): HealthStatus {
  if (!service?.definition.checksHealth) return 'UNKNOWN';
  if (failsChecks) return 'UNHEALTHY';
  return isHealthy ? 'HEALTHY' : 'UNKNOWN';
}

export function describeTask({ readings }: State, task: Task): TaskDescription {
  const base = task.cluster.arn.replace(/:cluster\/.*/, ':task-definition/');
  // Of a task on Fargate, and of one that was never placed, there is none.
  const { launchType, arn, instance } = task.containerInstance;
  const { lastStatus, stopCode, stoppedReason: why } = task;
  const isOfVolume = why?.includes('ECS Infrastructure Role');
  const isOfContainer =
    readings.startFailures === 'of-container' &&
    stopCode === 'TaskFailedToStart' &&
    arn !== '' &&
    !isOfVolume;
  return {
    taskArn: task.arn,
    clusterArn: task.cluster.arn,
    containerInstanceArn: arn || undefined,
    availabilityZone: instance.availabilityZone || undefined,
    group: task.group,
    taskDefinitionArn: `${base}${task.family}:${task.deployment?.number ?? 1}`,
    startedBy: startedByOf(task),
    desiredStatus: task.desiredStatus,
    lastStatus,
    healthStatus: healthStatusOf(task),
    containers: [
      {
        name: 'main',
        lastStatus,
        networkBindings: bindingsOf(task),
        ...(isOfContainer && { reason: why }),
      },
    ],
    ...(isOfVolume && {
      attachments: [
        {
          type: 'AmazonElasticBlockStorage',
          status: 'FAILED',
          details: [{ name: 'statusReason', value: why ?? '' }],
        },
      ],
    }),
    cpu: String(task.cpu),
    launchType,
    createdAt: date(task.createdAtMs),
    startedAt: date(task.startedAtMs),
    stoppingAt: date(task.stoppingAtMs),
    stoppedAt: date(task.stoppedAtMs),
    stopCode,
    stoppedReason: isOfContainer || isOfVolume ? 'Task failed to start' : why,
  };
}
