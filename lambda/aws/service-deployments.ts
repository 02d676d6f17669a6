import type { Service as AwsService, DeploymentConfiguration, TaskSet } from '@aws-sdk/client-ecs';
import type { Deployment } from '../core/model/cluster.ts';

/** CODE_DEPLOY or EXTERNAL: something other than ECS deploys it, in task sets. */
export function hasTaskSets({ deploymentController }: AwsService): boolean {
  return deploymentController?.type === 'CODE_DEPLOY' || deploymentController?.type === 'EXTERNAL';
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
  return state === 'IN_PROGRESS' || deployments.some(({ status }) => status !== 'PRIMARY');
}

function hasFailed(service: AwsService): boolean {
  return rolloutState(service) === 'FAILED';
}

/** Of the latest deployment; ECS doesn't tell it of every service. */
function rolloutState({ deployments = [] }: AwsService): string | undefined {
  return deployments.find(({ status }) => status === 'PRIMARY')?.rolloutState;
}

/** The latest deployment of a service that is being deployed, or whose deployment failed. */
export function latestDeployment(service: AwsService): Deployment | undefined {
  if (!isDeploying(service) && !hasFailed(service)) return undefined;
  const { deployments = [], taskSets = [], deploymentConfiguration = {} } = service;
  // A task set is ACTIVE until it gets the traffic, and PRIMARY from then on.
  const sets = newestFirst(taskSets);
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
    ...shiftOf(service),
  };
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
  const pauses = lifecycleHooks.filter(({ targetType }) => targetType === 'PAUSE');
  return { shift: { pausesAt: pauses.flatMap(({ lifecycleStages }) => lifecycleStages ?? []) } };
}

/** None of the earlier tasks is left. */
function isAlone(earlier: readonly Pick<TaskSet, 'runningCount' | 'pendingCount'>[]): boolean {
  return earlier.every(({ runningCount = 0, pendingCount = 0 }) => runningCount + pendingCount === 0);
}

function newestFirst(taskSets: readonly TaskSet[]): TaskSet[] {
  return [...taskSets].sort((a, b) => timeOf(b) - timeOf(a));
}

function timeOf({ createdAt }: { readonly createdAt?: Date | undefined }): number {
  return createdAt?.getTime() ?? 0;
}

/** AWS's defaults, in percent of the traffic and minutes. */
const LINEAR = { stepPercent: 10, stepBakeTimeInMinutes: 6 } as const;
const CANARY = { canaryBakeTimeInMinutes: 10 } as const;

/**
 * How many seconds a deployment lasts at least once the new tasks are there; as a rule old ones run beside
 * them until then. The last step of a linear deployment has only the bake time.
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
    // A rolling update with alarms bakes too, and stays IN_PROGRESS until then.
    default:
      return 60 * bakeTimeInMinutes;
  }
}
