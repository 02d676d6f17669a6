import {
  type Service as AwsService,
  DescribeServicesCommand,
  paginateListServices,
} from '@aws-sdk/client-ecs';
import { batches } from '../core/budget.ts';
import type { Service } from '../core/model.ts';
import type { Aws } from './clients.ts';
import { refuseFailures } from './ecs-failures.ts';
import { placementOf } from './service-placement.ts';

/** The longest page, and most services in one Describe call. */
const PAGE = 100;
const DESCRIBE_BATCH = 10;

/** Every active service of a cluster. */
export async function describeServices({ ecs }: Aws, cluster: string): Promise<Service[]> {
  const arns: string[] = [];
  const pages = paginateListServices({ client: ecs, pageSize: PAGE }, { cluster });
  for await (const page of pages) arns.push(...(page.serviceArns ?? []));
  const found: Service[] = [];
  for (const batch of batches(arns, DESCRIBE_BATCH)) {
    const command = new DescribeServicesCommand({ cluster, services: batch });
    const { services = [], failures } = await ecs.send(command);
    refuseFailures('DescribeServices', failures);
    found.push(...services.filter(({ status }) => status === 'ACTIVE').map(serviceOf));
  }
  return found;
}

function serviceOf(service: AwsService): Service {
  const { desiredCount = 0, runningCount = 0, pendingCount = 0 } = service;
  return {
    name: service.serviceName ?? '',
    daemon: isDaemon(service),
    desiredCount,
    runningCount,
    pendingCount,
    deploying: isDeploying(service),
    placement: placementOf(service),
    ...percentsOf(service),
  };
}

function isDaemon({ schedulingStrategy }: AwsService): boolean {
  return schedulingStrategy === 'DAEMON';
}

/** CODE_DEPLOY or EXTERNAL: somebody else than ECS deploys it, in task sets. */
function hasTaskSets({ deploymentController }: AwsService): boolean {
  return deploymentController?.type === 'CODE_DEPLOY' || deploymentController?.type === 'EXTERNAL';
}

/**
 * A deployment in task sets has two of them from its beginning to its end. That the PRIMARY one is
 * STABILIZING tells of no deployment: so it is for as long as a task of it runs on an instance that drains.
 */
function isDeploying(service: AwsService): boolean {
  const { deployments = [], taskSets = [] } = service;
  if (hasTaskSets(service)) return taskSets.some(({ status }) => status !== 'PRIMARY');
  return deployments.some(
    ({ status, rolloutState }) => status !== 'PRIMARY' || rolloutState === 'IN_PROGRESS',
  );
}

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html */
const DEFAULT = { minimumHealthyPercent: 100, maximumPercent: 200 } as const;

/** ECS stops the tasks of daemons on an instance that drains, and starts none elsewhere for them. */
const OF_DAEMONS = { minimumHealthyPercent: 0, maximumPercent: 100 } as const;

/**
 * When an instance drains ECS goes by its defaults, whatever is written, unless it is ECS itself that
 * deploys.
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
