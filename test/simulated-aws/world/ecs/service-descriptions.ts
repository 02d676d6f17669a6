import type {
  Deployment as DeploymentDescription,
  Service as ServiceDescription,
  TaskSet,
} from '@aws-sdk/client-ecs';
import type { Readings } from '../readings.ts';
import type { State } from '../state.ts';
import { count, date, isRunning, pendingBy } from './descriptions.ts';
import type { Deployment, Service, Task } from './model.ts';
import { targetGroupArn } from './target-groups.ts';

export function describeService(state: State, service: Service): ServiceDescription {
  const { cluster, controller, deployment, tasks } = service;
  const deployments = [deployment, ...earlierDeployments(service)];
  return {
    serviceArn: service.arn,
    serviceName: service.name,
    clusterArn: cluster.arn,
    status: service.status,
    desiredCount: shownCount(service),
    runningCount: count(tasks, isRunning),
    pendingCount: count(tasks, pendingBy(state.readings)),
    ...computeOf(state, service, state.readings.strategyOfMoved),
    // With controller EXTERNAL only its task sets have one.
    ...(controller !== 'EXTERNAL' && networkOf(service)),
    placementConstraints: [
      ...service.expressions.map((expression) => ({ type: 'memberOf', expression })),
      ...(service.distinctInstance ? [{ type: 'distinctInstance' }] : []),
    ],
    placementStrategy: [...service.placementStrategy],
    availabilityZoneRebalancing: service.availabilityZoneRebalancing,
    schedulingStrategy: service.strategy,
    taskDefinition: taskDefinitionArn(service, deployment.number),
    deploymentController: { type: controller },
    deploymentConfiguration: {
      minimumHealthyPercent: service.minimumHealthyPercent,
      maximumPercent: service.maximumPercent,
      ...(controller === 'ECS' && {
        strategy: service.deploymentStrategy,
        ...service.deploymentConfiguration,
      }),
    },
    deployments:
      controller === 'ECS' ? deployments.map((one) => describeDeployment(state, service, one)) : [],
    taskSets: controller === 'ECS' ? [] : deployments.map((one) => describeTaskSet(state, service, one)),
    loadBalancers: service.isLoadBalanced
      ? [{ targetGroupArn: targetGroupArn(service), containerName: 'main', containerPort: 80 }]
      : [],
    enableExecuteCommand: service.features.includes('exec'),
    healthCheckGracePeriodSeconds: service.healthCheckGracePeriodSeconds,
    events: service.events.map(({ atMs, message }) => ({ createdAt: date(atMs), message })),
    createdAt: date(service.createdAtMs),
  } as ServiceDescription;
}

/**
 * `capacityProviderStrategy` "is omitted if the service was created using a launch type", and one may
 * move from that to a strategy. Of a deployment it is the one "that the deployment is using".
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Service.html
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html
 */
function computeOf(
  { account, region, readings }: State,
  { capacityProvider: used, createdWith, launchType, idleProviders }: Service,
  strategyOfMoved: Readings['strategyOfMoved'] = 'told',
): Pick<TaskSet, 'launchType' | 'capacityProviderStrategy'> {
  if (used === undefined) return { launchType };
  const prefix =
    readings.providersShown === 'arns' ? `arn:aws:ecs:${region}:${account}:capacity-provider/` : '';
  const capacityProviderStrategy = [
    { capacityProvider: `${prefix}${used}`, weight: 1, base: 0 },
    ...idleProviders.map((each) => ({ capacityProvider: `${prefix}${each}`, weight: 0, base: 0 })),
  ];
  if (createdWith === undefined) return { capacityProviderStrategy };
  return { launchType: createdWith, ...(strategyOfMoved === 'told' && { capacityProviderStrategy }) };
}

/** "Multiplying the service's `desiredCount` by the task set's `scale` … always rounded up". */
function shownCount({ desiredCount, scale }: Service): number {
  return Math.floor((desiredCount * 100) / scale);
}

function networkOf({ definition, subnetIds }: Service): Pick<TaskSet, 'networkConfiguration'> {
  if (definition.networkMode !== 'awsvpc') return {};
  return {
    networkConfiguration: { awsvpcConfiguration: { subnets: [...subnetIds], assignPublicIp: 'DISABLED' } },
  };
}

/** As long as they have tasks; of a rolling update that bakes, the one before it too. */
function earlierDeployments({ deployment, tasks }: Service): Set<Deployment> {
  const earlier = new Set([...tasks].flatMap((task) => task.deployment ?? []));
  const { bakesUntilMs, rolloutState } = deployment;
  if (bakesUntilMs !== undefined && rolloutState === 'IN_PROGRESS' && deployment.earlier)
    earlier.add(deployment.earlier);
  earlier.delete(deployment);
  return earlier;
}

function describeDeployment(state: State, service: Service, one: Deployment): DeploymentDescription {
  const own = tasksOf(service, one);
  const { features } = service;
  const isPrimary = one === service.deployment;
  const tellsRollout = state.readings.rolloutStates === 'of-all' || service.deploymentStrategy === 'ROLLING';
  return {
    id: one.id,
    status: isPrimary ? 'PRIMARY' : 'ACTIVE',
    ...computeOf(state, service),
    ...(features.includes('service-connect') && {
      serviceConnectConfiguration: { enabled: true, namespace: 'demo' },
    }),
    ...(features.includes('ebs-volumes') && {
      volumeConfigurations: [{ name: 'data', managedEBSVolume: { roleArn: 'arn:aws:iam::1:role/ecs' } }],
    }),
    taskDefinition: taskDefinitionArn(service, one.number),
    desiredCount: isPrimary ? service.desiredCount : 0,
    runningCount: count(own, isRunning),
    pendingCount: count(own, pendingBy(state.readings)),
    createdAt: date(one.createdAtMs),
    failedTasks: one.failedTasks,
    updatedAt: date(updatedAtMs(state, one, own)),
    ...(tellsRollout && {
      rolloutState: one.rolloutState,
      rolloutStateReason: one.rolloutStateReason ?? `ECS deployment ${one.id} in progress.`,
    }),
  };
}

/** Of a task that has stopped nothing is kept: the next one of its deployment tells of it. */
function updatedAtMs({ readings }: State, one: Deployment, own: readonly Task[]): number {
  if (readings.deploymentUpdates === 'of-state') return one.updatedAtMs;
  const moments = own.flatMap(({ createdAtMs, startedAtMs, stoppingAtMs }) => [
    createdAtMs,
    startedAtMs ?? 0,
    stoppingAtMs ?? 0,
  ]);
  return Math.max(one.updatedAtMs, ...moments);
}

function describeTaskSet(state: State, service: Service, one: Deployment): TaskSet {
  const own = tasksOf(service, one);
  const status = taskSetStatus(service, one);
  const computedDesiredCount = status === 'DRAINING' ? 0 : service.desiredCount;
  const runningCount = count(own, isRunning);
  const pendingCount = count(own, pendingBy(state.readings));
  const isSteady = runningCount === computedDesiredCount && pendingCount === 0;
  return {
    id: one.id,
    taskSetArn: `${service.arn.replace(':service/', ':task-set/')}/${one.id}`,
    serviceArn: service.arn,
    clusterArn: service.cluster.arn,
    status,
    taskDefinition: taskDefinitionArn(service, one.number),
    ...networkOf(service),
    scale: { value: service.scale, unit: 'PERCENT' },
    computedDesiredCount,
    runningCount,
    pendingCount,
    stabilityStatus: isSteady ? 'STEADY_STATE' : 'STABILIZING',
    createdAt: date(one.createdAtMs),
  };
}

/** The one that gets the traffic is PRIMARY, the one that will take it over ACTIVE. */
function taskSetStatus({ deployment }: Service, one: Deployment): 'PRIMARY' | 'ACTIVE' | 'DRAINING' {
  if (one === deployment) return one.trafficPercent === 100 ? 'PRIMARY' : 'ACTIVE';
  return deployment.trafficPercent === 100 ? 'DRAINING' : 'PRIMARY';
}

const tasksOf = ({ tasks }: Service, one: Deployment): Task[] =>
  [...tasks].filter(({ deployment }) => deployment === one);

function taskDefinitionArn(service: Service, revision: number): string {
  const base = service.cluster.arn.replace(/:cluster\/.*/, ':task-definition/');
  return `${base}${service.name}:${revision}`;
}
