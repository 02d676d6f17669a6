import {
  type Service as AwsService,
  DescribeServicesCommand,
  paginateListServices,
} from '@aws-sdk/client-ecs';
import { batches } from '../core/group/budget.ts';
import type { Service } from '../core/model/cluster.ts';
import type { Aws } from './clients.ts';
import { refuseFailures } from './ecs-failures.ts';
import { hasTaskSets, isDeploying, latestDeployment } from './service-deployments.ts';
import { isFargate, placementOf } from './service-placement.ts';

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
  for (const batch of batches(names, DESCRIBE_BATCH)) {
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
    ...percentsOf(service),
    ...healthOf(service),
  };
}

/**
 * Each task set keeps its own share of the service's desired count running, and two of them may stay.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_TaskSet.html
 */
function desiredCountOf(service: AwsService): number {
  const { desiredCount = 0, taskSets = [] } = service;
  if (!hasTaskSets(service)) return desiredCount;
  const kept = taskSets.filter(({ status }) => status !== 'DRAINING');
  return kept.reduce((sum, { computedDesiredCount = desiredCount }) => sum + computedDesiredCount, 0);
}

/** Of blue and green target groups either may have the tasks. */
function healthOf(service: AwsService): Pick<Service, 'sources' | 'graceSeconds'> {
  const { loadBalancers = [], taskSets = [], healthCheckGracePeriodSeconds: graceSeconds = 0 } = service;
  const all = [...loadBalancers, ...taskSets.flatMap((each) => each.loadBalancers ?? [])];
  const arns = all.flatMap(({ targetGroupArn, advancedConfiguration }) =>
    [targetGroupArn, advancedConfiguration?.alternateTargetGroupArn].filter((arn) => arn !== undefined),
  );
  const names = all.flatMap(({ loadBalancerName }) => loadBalancerName ?? []);
  const sources = [
    ...[...new Set(arns)].map((arn) => ({ kind: 'target-group', arn }) as const),
    ...[...new Set(names)].map((name) => ({ kind: 'load-balancer', name }) as const),
  ];
  return { ...(sources.length > 0 && { sources }), ...(graceSeconds > 0 && { graceSeconds }) };
}

/**
 * Whether any of its tasks may run on EC2: an older deployment may run elsewhere than the latest. A provider
 * whose weight is 0 now may have placed some, as a new strategy "doesn't trigger a new service deployment". A
 * service has a launch type or a strategy; if ECS returns neither, it may run anywhere.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html
 */
function runsOnEc2(service: AwsService): boolean {
  const { deployments = [], taskSets = [] } = service;
  const told = [service, ...deployments, ...taskSets].flatMap(({ launchType, capacityProviderStrategy }) => {
    if (launchType !== undefined) return [launchType === 'EC2'];
    return capacityProviderStrategy?.length ? [!capacityProviderStrategy.every(isFargate)] : [];
  });
  return told.length === 0 || told.includes(true);
}

function isDaemon({ schedulingStrategy }: AwsService): boolean {
  return schedulingStrategy === 'DAEMON';
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html */
const DEFAULT = { minimumHealthyPercent: 100, maximumPercent: 200 } as const;

/** ECS stops a daemon's tasks on a draining instance and doesn't replace them elsewhere. */
const OF_DAEMONS = { minimumHealthyPercent: 0, maximumPercent: 100 } as const;

/**
 * When an instance drains, ECS uses its defaults, whatever is configured, unless ECS itself deploys the
 * service.
 */
function percentsOf(service: AwsService): Pick<Service, 'minimumHealthyPercent' | 'maximumPercent'> {
  if (isDaemon(service)) return OF_DAEMONS;
  if (hasTaskSets(service)) return DEFAULT;
  const { minimumHealthyPercent, maximumPercent } = service.deploymentConfiguration ?? {};
  return {
    minimumHealthyPercent: minimumHealthyPercent ?? DEFAULT.minimumHealthyPercent,
    maximumPercent: maximumPercent ?? DEFAULT.maximumPercent,
  };
}
