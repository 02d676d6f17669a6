import {
  type Deployment as AwsDeployment,
  type Service as AwsService,
  type CapacityProviderStrategyItem,
  type DeploymentConfiguration,
  DescribeServicesCommand,
  type LaunchType,
  paginateListServices,
  type TaskSet,
} from '@aws-sdk/client-ecs';
import type { Deployment, Service } from '../core/model/cluster.ts';
import { endOfArn } from '../core/model/end-of-arn.ts';
import { piecesOf } from '../core/model/pieces.ts';
import type { ServicePlacement } from '../core/model/placement.ts';
import { targetGroupIn } from '../core/model/task-group.ts';
import type { Aws } from './clients.ts';
import { FARGATE, refuseFailures } from './ecs.ts';

/** The longest page, and the limit of services in a Describe call. */
const PAGE = 100;
const DESCRIBE_BATCH = 10;

/** ARNs of all services of a cluster. */
export async function listServices({ ecs }: Aws, cluster: string): Promise<string[]> {
  const arns: string[] = [];
  const pages = paginateListServices({ client: ecs, pageSize: PAGE }, { cluster });
  for await (const page of pages) arns.push(...(page.serviceArns ?? []));
  return arns;
}

/** Active services whose tasks run on EC2 instances, by their names or ARNs. One that is gone is missing. */
export async function describeServices(
  { ecs }: Aws,
  cluster: string,
  names: readonly string[],
): Promise<Service[]> {
  const found: Service[] = [];
  for (const batch of piecesOf(names, DESCRIBE_BATCH)) {
    const command = new DescribeServicesCommand({ cluster, services: batch });
    const { services = [], failures } = await ecs.send(command);
    refuseFailures('DescribeServices', failures);
    found.push(...services.filter((each) => each.status === 'ACTIVE' && runsOnEc2(each)).map(serviceOf));
  }
  return found;
}

function serviceOf(service: AwsService): Service {
  const { runningCount = 0, pendingCount = 0 } = service;
  const deployment = latestDeployment(service);
  const completedDeployments = completedOf(service, deployment);
  return {
    name: service.serviceName ?? '',
    daemon: isDaemon(service),
    desiredCount: desiredCountOf(service),
    runningCount,
    pendingCount,
    deploying: isDeploying(service),
    placement: placementOf(service),
    ...(service.availabilityZoneRebalancing === 'ENABLED' && { evensOut: true }),
    ...(deployment && { deployment }),
    ...(completedDeployments && { completedDeployments }),
    ...percentsOf(service),
    ...healthOf(service),
    ...registrationOf(service),
  };
}

/**
 * "service myService failed to register targets in target-group myTargetGroup with (error …)", or a task "is
 * not healthy in target-group … due to `TARGET IS NOT FOUND`", until others are registered there.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshooting-blue-green.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages-list.html
 *
 * An old event says nothing: "If the cause is not resolved within six hours, you receive another".
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages.html
 */
function registrationOf({ events = [] }: AwsService): Pick<Service, 'unregistered'> {
  const latest = new Map<string, string>();
  for (const event of events) {
    if (timeOf(events[0] ?? event) - timeOf(event) > REPEATED_MS) break;
    const { message = '' } = event;
    const source = OF_TARGETS.test(message) ? targetGroupIn(message) : undefined;
    if (source !== undefined && !latest.has(source)) latest.set(source, message);
  }
  const unregistered = [...latest.values()].filter((message) => UNREGISTERED.test(message));
  return unregistered.length > 0 ? { unregistered } : {};
}

/** With time to spare. */
const REPEATED_MS = 7 * 3_600_000;
const OF_TARGETS = /\b(register(ed \d+)? targets|is (not |un)healthy) in \(?target-group/i;
const UNREGISTERED = /failed to register targets|IS NOT FOUND/i;

/**
 * Each task set keeps its own share of the service's desired count running, and two of them may stay. What
 * ECS deployed before another controller did is still a deployment.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_TaskSet.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/update-service-parameters.html
 */
function desiredCountOf(service: AwsService): number {
  const { desiredCount = 0, taskSets = [], deployments = [] } = service;
  if (!hasTaskSets(service) || deployments.length > 0) return desiredCount;
  const kept = taskSets.filter(({ status }) => status !== 'DRAINING');
  return kept.reduce((sum, { computedDesiredCount = desiredCount }) => sum + computedDesiredCount, 0);
}

/** Of blue and green target groups either may have the tasks. */
function healthOf(service: AwsService): Pick<Service, 'sources' | 'unreadSources' | 'graceSeconds'> {
  const { loadBalancers = [], taskSets = [], deployments = [] } = service;
  const { healthCheckGracePeriodSeconds: graceSeconds = 0 } = service;
  const lattice = deployments.flatMap((each) => each.vpcLatticeConfigurations ?? []);
  const unread = lattice.flatMap(({ targetGroupArn }) => targetGroupArn ?? []);
  const all = [...loadBalancers, ...taskSets.flatMap((each) => each.loadBalancers ?? [])];
  const arns = all.flatMap(({ targetGroupArn, advancedConfiguration }) =>
    [targetGroupArn, advancedConfiguration?.alternateTargetGroupArn].flatMap((arn) => arn ?? []),
  );
  const names = all.flatMap(({ loadBalancerName }) => loadBalancerName ?? []);
  const sources = [
    ...[...new Set(arns)].map((arn) => ({ kind: 'target-group', arn }) as const),
    ...[...new Set(names)].map((name) => ({ kind: 'load-balancer', name }) as const),
  ];
  return {
    ...(sources.length > 0 && { sources }),
    ...(unread.length > 0 && { unreadSources: [...new Set(unread)] }),
    ...(graceSeconds > 0 && { graceSeconds }),
  };
}

/**
 * Whether any of its tasks may run on EC2: an older deployment may run elsewhere than the latest. A provider
 * whose weight is 0 now may have placed some, as a new strategy "doesn't trigger a new service deployment". A
 * service keeps the launch type that it was created with when it moves to a strategy, and ECS may show that
 * of its deployments alone; if it returns neither, it may run anywhere.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Service.html
 */
function runsOnEc2(service: AwsService): boolean {
  const { deployments = [], taskSets = [] } = service;
  const told = [service, ...deployments, ...taskSets].flatMap(({ launchType, capacityProviderStrategy }) => {
    if (capacityProviderStrategy?.length) return !capacityProviderStrategy.every(isFargate);
    return launchType ? launchType === 'EC2' : [];
  });
  return told.length === 0 || told.includes(true);
}

function isDaemon({ schedulingStrategy }: AwsService): boolean {
  return schedulingStrategy === 'DAEMON';
}

/** ECS stops a daemon's tasks on a draining instance and doesn't replace them elsewhere. */
const OF_DAEMONS = { minimumHealthyPercent: 0, maximumPercent: 100 } as const;

/**
 * When an instance drains, ECS uses its defaults, whatever is configured, unless ECS itself deploys the
 * service.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
function percentsOf(service: AwsService): Pick<Service, 'minimumHealthyPercent' | 'maximumPercent'> {
  if (isDaemon(service)) return OF_DAEMONS;
  const { deploymentConfiguration: own = {} } = service;
  const { minimumHealthyPercent = 100, maximumPercent = 200 } = hasTaskSets(service) ? {} : own;
  return { minimumHealthyPercent, maximumPercent };
}

const ELSEWHERE: readonly (LaunchType | undefined)[] = ['FARGATE', 'EXTERNAL', 'MANAGED_INSTANCES'];

export function isFargate({ capacityProvider = '' }: CapacityProviderStrategyItem): boolean {
  return FARGATE.includes(endOfArn(capacityProvider));
}

/**
 * Where a service's tasks run. With task sets the PRIMARY one says so: unless ECS deploys the service
 * itself, the service names no task definition.
 *
 * @returns undefined for a service whose next tasks run on no EC2 container instance
 */
export function placementOf(service: AwsService): ServicePlacement | undefined {
  const { taskSets = [], deployments = [], placementConstraints = [] } = service;
  const primary = primaryOf([...taskSets, ...deployments]);
  const launchType = service.launchType ?? primary?.launchType;
  const deployed = primary?.capacityProviderStrategy ?? [];
  // It may have gone back to EC2 from Fargate, which shows no new deployment.
  const strategy = launchType === 'EC2' && deployed.every(isFargate) ? [] : deployed;
  const providers = inUse(service.capacityProviderStrategy ?? strategy);
  if (providers.length > 0 ? providers.every(isFargate) : ELSEWHERE.includes(launchType)) return undefined;
  const { subnets } =
    (service.networkConfiguration ?? primary?.networkConfiguration)?.awsvpcConfiguration ?? {};
  return {
    taskDefinition: primary?.taskDefinition ?? service.taskDefinition,
    // One of type distinctInstance has none.
    expressions: placementConstraints.flatMap(({ expression }) => expression || []),
    distinctInstance: placementConstraints.some(({ type }) => type === 'distinctInstance'),
    // AWS doesn't say whether one that was given by its ARN is shown by its name.
    capacityProviders: providers.map(({ capacityProvider = '' }) => endOfArn(capacityProvider)),
    capabilities: capabilitiesOf(service),
    ...(subnets && { subnetIds: subnets }),
  };
}

/**
 * What a service asks of the agent by itself: its task definition's `requiresAttributes` have none of these.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-connect-concepts-deploy.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-exec.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ebs-volumes.html
 */
function capabilitiesOf({ deployments = [], enableExecuteCommand }: AwsService): string[] {
  const needs = {
    'service-connect-v1': deployments.some((each) => each.serviceConnectConfiguration?.enabled),
    'execute-command': enableExecuteCommand,
    'storage.ebs-task-volume-attach': deployments.some((each) => each.volumeConfigurations?.length),
  };
  return Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded ? `ecs.capability.${name}` : []));
}

/**
 * "Capacity providers with weight of `0` cannot place tasks", unless a base is theirs.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CapacityProviderStrategyItem.html
 */
function inUse(strategy: readonly CapacityProviderStrategyItem[]): readonly CapacityProviderStrategyItem[] {
  const used = strategy.filter(({ weight = 0, base = 0 }) => weight > 0 || base > 0);
  return used.length > 0 ? used : strategy;
}

/** CODE_DEPLOY or EXTERNAL: something other than ECS deploys it, in task sets. */
export function hasTaskSets({ deploymentController }: AwsService): boolean {
  return (deploymentController?.type ?? 'ECS') !== 'ECS';
}

/**
 * With task sets there are two of them while a deployment lasts. A PRIMARY one that is STABILIZING doesn't
 * show a deployment: it is so whenever one of its tasks runs on a draining instance.
 *
 * A deployment that ECS's circuit breaker ended without rolling back stays FAILED until the next deployment;
 * tasks of the one before keep serving beside it. One that is COMPLETED by early success may leave tasks of
 * the one before for two weeks.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/early-success-criteria.html
 */
export function isDeploying(service: AwsService): boolean {
  const { deployments = [], taskSets = [] } = service;
  if (hasTaskSets(service)) return taskSets.some(({ status }) => status !== 'PRIMARY');
  const state = rolloutState(service);
  if (state === 'FAILED' || state === 'COMPLETED') return false;
  return state === 'IN_PROGRESS' || deployments.some(({ status }) => status === 'ACTIVE');
}

/** Of the latest deployment; ECS doesn't tell it of every service. */
function rolloutState({ deployments = [] }: AwsService): string | undefined {
  return primaryOf(deployments)?.rolloutState;
}

function primaryOf<Each extends Pick<TaskSet, 'status'>>(all: readonly Each[]): Each | undefined {
  return all.find(({ status }) => status === 'PRIMARY');
}

/** The latest deployment of a service that is being deployed, or whose deployment failed. */
export function latestDeployment(service: AwsService): Deployment | undefined {
  if (!isDeploying(service) && rolloutState(service) !== 'FAILED') return undefined;
  const { deployments = [], taskSets = [], deploymentConfiguration = {} } = service;
  // A task set is ACTIVE until it gets the traffic, and PRIMARY from then on.
  const latest = hasTaskSets(service) ? newestFirst(taskSets)[0] : primaryOf(deployments);
  if (latest?.createdAt === undefined || latest.id === undefined) return undefined;
  const { id, runningCount = 0 } = latest;
  const failedTasks = 'failedTasks' in latest ? (latest.failedTasks ?? 0) : 0;
  const succeeded = 'rolloutState' in latest && latest.rolloutState === 'COMPLETED';
  const isOnly = deployments.length + taskSets.length === 1;
  const isBack = isRollback(latest, deployments);
  return {
    id,
    succeeded: succeeded || isOnly || isBack,
    begunAt: (isBack && latest.updatedAt) || latest.createdAt,
    runningCount,
    failedTasks,
    bakeSeconds: bakeSeconds(deploymentConfiguration),
    ...shiftOf(service),
  };
}

/**
 * ECS lists the PRIMARY deployment, and each that still has tasks. Of some services it tells no rollout
 * state: their earlier ones count as completed.
 */
function completedOf(service: AwsService, latest: Deployment | undefined): Service['completedDeployments'] {
  const { deployments = [] } = service;
  if (hasTaskSets(service) || deployments.length === 0) return undefined;
  const completed = deployments.filter(({ status, rolloutState = 'COMPLETED' }) =>
    status === 'PRIMARY' ? (latest?.succeeded ?? true) : rolloutState === 'COMPLETED',
  );
  return completed.flatMap(({ id, createdAt = new Date(0) }) => (id === undefined ? [] : { id, createdAt }));
}

/**
 * "When the rollback starts, the deployment changes from a COMPLETED to IN_PROGRESS": it keeps the date at
 * which it was created. What it goes back from is newer, and shown as long as it has tasks.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html
 */
function isRollback(latest: AwsDeployment | TaskSet, deployments: readonly AwsDeployment[]): boolean {
  const says = ('rolloutStateReason' in latest && latest.rolloutStateReason) || '';
  return /rolling back/i.test(says) || deployments.some((each) => timeOf(each) > timeOf(latest));
}

/**
 * CodeDeploy waits up to 2 days until traffic shifts and up to 2 until it deletes the earlier tasks; between
 * the first and the last shift it says 2 days of Lambda, and nothing of ECS. Each of 8 lifecycle events fails
 * after an hour.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/limits.html
 */
const CODE_DEPLOY_SECONDS = 3600 * (3 * 48 + 8);

/**
 * Where ECS itself or CodeDeploy moves traffic from one set of tasks to the other, and where hooks may pause
 * it. Once none of the earlier set runs there is nothing to spare, though its last tasks may stop for ever,
 * on a host that only a roll removes. Of an EXTERNAL one nobody knows what its task sets are for.
 */
function shiftOf(service: AwsService): Pick<Deployment, 'shift'> {
  const { deployments = [], taskSets = [], deploymentConfiguration, deploymentController } = service;
  if (deploymentController?.type === 'EXTERNAL') return {};
  if (hasTaskSets(service))
    return isAlone(newestFirst(taskSets).slice(1))
      ? {}
      : { shift: { pausesAt: [], mostSeconds: CODE_DEPLOY_SECONDS } };
  const { strategy = 'ROLLING', lifecycleHooks = [] } = deploymentConfiguration ?? {};
  if (strategy === 'ROLLING' || isAlone(deployments.filter(({ status }) => status !== 'PRIMARY'))) return {};
  const pausesAt = lifecycleHooks.flatMap(({ targetType, lifecycleStages = [] }) =>
    targetType === 'PAUSE' ? lifecycleStages : [],
  );
  return { shift: { pausesAt } };
}

/** None of the earlier tasks is left. */
function isAlone(earlier: readonly Pick<TaskSet, 'runningCount' | 'pendingCount'>[]): boolean {
  return earlier.every(({ runningCount, pendingCount }) => !runningCount && !pendingCount);
}

function newestFirst(taskSets: readonly TaskSet[]): TaskSet[] {
  return [...taskSets].sort((a, b) => timeOf(b) - timeOf(a));
}

function timeOf({ createdAt }: { readonly createdAt?: Date | undefined }): number {
  return createdAt?.getTime() ?? 0;
}

/**
 * How many seconds a deployment lasts at least once the new tasks are there; as a rule old ones run beside
 * them until then. The last step of a linear deployment has only the bake time. What isn't set is as AWS
 * has it by default.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
function bakeSeconds(configuration: DeploymentConfiguration): number {
  const { strategy = '', bakeTimeInMinutes = 0, linearConfiguration, canaryConfiguration } = configuration;
  const { stepPercent, stepBakeTimeInMinutes = 6 } = linearConfiguration ?? {};
  const steps = Math.ceil(100 / (stepPercent || 10)) - 1;
  const before: Partial<Record<string, number>> = {
    LINEAR: steps * stepBakeTimeInMinutes,
    CANARY: canaryConfiguration?.canaryBakeTimeInMinutes ?? 10,
  };
  // A rolling update with alarms bakes too, and stays IN_PROGRESS until then.
  return 60 * ((before[strategy] ?? 0) + bakeTimeInMinutes);
}
