import type {
  Cluster as ClusterDescription,
  ContainerInstance as ContainerInstanceDescription,
  Service as ServiceDescription,
  Task as TaskDescription,
} from '@aws-sdk/client-ecs';
import type { Cluster, ContainerInstance, Service, Task } from './model.ts';

const date = (epochMs: number | undefined) => (epochMs === undefined ? undefined : new Date(epochMs));

const isPending = (task: Task) => task.lastStatus === 'PENDING';

/** Counts go by desired status: a task that is being stopped does not count as running. */
const isRunning = (task: Task) => task.desiredStatus === 'RUNNING' && !isPending(task);

function count(tasks: Iterable<Task>, test: (task: Task) => boolean): number {
  let number = 0;
  for (const task of tasks) if (test(task)) number++;
  return number;
}

export function describeCluster(cluster: Cluster): ClusterDescription {
  const instances = [...cluster.containerInstances.values()];
  const services = [...cluster.services.values()];
  // Fargate tasks are on no container instance, standalone ones of no service.
  const tasks = new Set([...instances, ...services].flatMap((one) => [...one.tasks]));
  return {
    clusterArn: cluster.arn,
    clusterName: cluster.name,
    status: 'ACTIVE',
    // The DRAINING ones included.
    registeredContainerInstancesCount: instances.filter((one) => one.status !== 'INACTIVE').length,
    runningTasksCount: count(tasks, isRunning),
    pendingTasksCount: count(tasks, isPending),
    activeServicesCount: services.length,
    capacityProviders: [...cluster.capacityProviders],
    defaultCapacityProviderStrategy: [],
  };
}

export function describeContainerInstance(one: ContainerInstance): ContainerInstanceDescription {
  const resource = (integerValue: number) => [{ name: 'CPU', type: 'INTEGER', integerValue }];
  return {
    containerInstanceArn: one.arn,
    ec2InstanceId: one.instance.id,
    capacityProviderName: one.capacityProviderName,
    status: one.status,
    agentConnected: one.agentConnected,
    version: one.version,
    runningTasksCount: count(one.tasks, isRunning),
    pendingTasksCount: count(one.tasks, isPending),
    registeredAt: date(one.registeredAtMs),
    registeredResources: resource(one.cpu),
    remainingResources: resource(one.cpu - one.reservedCpu),
    attributes: attributesOf(one),
  };
}

function attributesOf({ launchType, instance }: ContainerInstance) {
  if (launchType === 'EXTERNAL') return [{ name: 'ecs.capability.external' }];
  return [
    { name: 'ecs.ami-id', value: instance.imageId },
    { name: 'ecs.instance-type', value: instance.instanceType },
    { name: 'ecs.availability-zone', value: instance.availabilityZone },
  ];
}

export function describeService(service: Service): ServiceDescription {
  const { deployment, tasks } = service;
  const configuration = {
    minimumHealthyPercent: service.minimumHealthyPercent,
    maximumPercent: service.maximumPercent,
  };
  const describeDeployment = (of: Service['deployment']) => {
    const own = [...tasks].filter((task) => task.deployment === of);
    const isPrimary = of === deployment;
    return {
      id: of.id,
      status: isPrimary ? 'PRIMARY' : 'ACTIVE',
      taskDefinition: taskDefinitionArn(service, of.number),
      desiredCount: isPrimary ? service.desiredCount : 0,
      runningCount: count(own, isRunning),
      pendingCount: count(own, isPending),
      createdAt: date(of.createdAtMs),
      rolloutState: of.rolloutState,
    };
  };
  const earlier = new Set([...tasks].flatMap((task) => task.deployment ?? []));
  earlier.delete(deployment);
  return {
    serviceArn: service.arn,
    serviceName: service.name,
    clusterArn: service.cluster.arn,
    status: 'ACTIVE',
    desiredCount: service.desiredCount,
    runningCount: count(tasks, isRunning),
    pendingCount: count(tasks, isPending),
    launchType: service.launchType,
    schedulingStrategy: service.strategy,
    taskDefinition: taskDefinitionArn(service, deployment.number),
    deploymentConfiguration: configuration,
    deployments: [deployment, ...earlier].map(describeDeployment),
    loadBalancers: service.isLoadBalanced
      ? [{ targetGroupArn: `${service.arn}-targets`, containerPort: 80 }]
      : [],
    events: service.events.map(({ atMs, message }) => ({ createdAt: date(atMs), message })),
    createdAt: date(service.createdAtMs),
  } as ServiceDescription;
}

function taskDefinitionArn(service: Service, revision: number): string {
  const base = service.cluster.arn.replace(/:cluster\/.*/, ':task-definition/');
  return `${base}${service.name}:${revision}`;
}

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
    startedBy: task.deployment?.id,
    desiredStatus: task.desiredStatus,
    lastStatus: task.lastStatus,
    healthStatus: 'UNKNOWN',
    cpu: String(task.cpu),
    launchType,
    createdAt: date(task.createdAtMs),
    startedAt: date(task.startedAtMs),
    stoppedAt: date(task.stoppedAtMs),
    stoppedReason: task.stoppedReason,
  };
}
