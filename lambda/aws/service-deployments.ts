import type { Service as AwsService, DeploymentConfiguration } from '@aws-sdk/client-ecs';
import type { Deployment } from '../core/model/cluster.ts';

/** CODE_DEPLOY or EXTERNAL: somebody else than ECS deploys it, in task sets. */
export function hasTaskSets({ deploymentController }: AwsService): boolean {
  return deploymentController?.type === 'CODE_DEPLOY' || deploymentController?.type === 'EXTERNAL';
}

/**
 * A deployment in task sets has two of them from its beginning to its end. That the PRIMARY one is
 * STABILIZING tells of no deployment: so it is for as long as a task of it runs on an instance that drains.
 *
 * One that ECS's circuit breaker has ended, and not rolled back, is FAILED until somebody deploys again; the tasks of the one
 * before serve beside it.
 */
export function isDeploying(service: AwsService): boolean {
  const { deployments = [], taskSets = [] } = service;
  if (hasTaskSets(service)) return taskSets.some(({ status }) => status !== 'PRIMARY');
  if (hasFailed(service)) return false;
  return deployments.some(
    ({ status, rolloutState }) => status !== 'PRIMARY' || rolloutState === 'IN_PROGRESS',
  );
}

function hasFailed({ deployments = [] }: AwsService): boolean {
  return deployments.some(({ status, rolloutState }) => status === 'PRIMARY' && rolloutState === 'FAILED');
}

/** Of a service that is being deployed, or whose deployment has failed. */
export function latestDeployment(service: AwsService): Deployment | undefined {
  if (!isDeploying(service) && !hasFailed(service)) return undefined;
  const { deployments = [], taskSets = [], deploymentConfiguration = {} } = service;
  // A task set is ACTIVE until the traffic goes over to it, and PRIMARY from then on.
  const sets = [...taskSets].sort((a, b) => timeOf(b) - timeOf(a));
  const latest = hasTaskSets(service) ? sets[0] : deployments.find(({ status }) => status === 'PRIMARY');
  if (latest?.createdAt === undefined || latest.id === undefined) return undefined;
  const { id, createdAt, runningCount = 0 } = latest;
  const failedTasks = 'failedTasks' in latest ? (latest.failedTasks ?? 0) : 0;
  const succeeded = 'rolloutState' in latest && latest.rolloutState === 'COMPLETED';
  const isOnly = deployments.length + taskSets.length === 1;
  return {
    id,
    succeeded: succeeded || isOnly,
    createdAt,
    runningCount,
    failedTasks,
    bakeSeconds: bakeSeconds(deploymentConfiguration),
  };
}

function timeOf({ createdAt }: { readonly createdAt?: Date | undefined }): number {
  return createdAt?.getTime() ?? 0;
}

/** In percent of the traffic, and minutes. */
const LINEAR = { stepPercent: 10, stepBakeTimeInMinutes: 6 } as const;
const CANARY = { canaryBakeTimeInMinutes: 10 } as const;

/**
 * How long a deployment goes on at least once the new tasks are there: as a rule old ones run beside them. The last step of a
 * linear deployment has the bake time alone.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
function bakeSeconds(configuration: DeploymentConfiguration): number {
  const { strategy, bakeTimeInMinutes = 0, linearConfiguration, canaryConfiguration } = configuration;
  switch (strategy) {
    case 'LINEAR': {
      const { stepPercent, stepBakeTimeInMinutes } = { ...LINEAR, ...linearConfiguration };
      const steps = Math.ceil(100 / (stepPercent || LINEAR.stepPercent)) - 1;
      return 60 * (steps * (stepBakeTimeInMinutes ?? LINEAR.stepBakeTimeInMinutes) + bakeTimeInMinutes);
    }
    case 'CANARY': {
      const { canaryBakeTimeInMinutes } = { ...CANARY, ...canaryConfiguration };
      return 60 * ((canaryBakeTimeInMinutes ?? CANARY.canaryBakeTimeInMinutes) + bakeTimeInMinutes);
    }
    // A rolling update with alarms bakes, too, until which it stays IN_PROGRESS.
    default:
      return 60 * bakeTimeInMinutes;
  }
}
