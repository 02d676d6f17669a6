import type { State } from '../state.ts';
import type { Deployment, Service, Task } from './model.ts';

const DEFAULT_BOUNDS = { minimumHealthyPercent: 100, maximumPercent: 200 };

/**
 * How few healthy tasks, and how many at all, the service may have meanwhile. With CODE_DEPLOY or EXTERNAL
 * the percents that it was given mean nothing; a drain goes by the defaults.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html
 */
export function boundsOf(service: Service) {
  const { desiredCount } = service;
  const { minimumHealthyPercent, maximumPercent } = service.controller === 'ECS' ? service : DEFAULT_BOUNDS;
  return {
    minimum: Math.ceil((desiredCount * minimumHealthyPercent) / 100),
    maximum: Math.floor((desiredCount * maximumPercent) / 100),
  };
}

export const wantedOf = ({ tasks }: Service): Task[] =>
  [...tasks].filter(({ desiredStatus }) => desiredStatus === 'RUNNING');

/**
 * How many tasks more it may have. The API's reference counts those that are RUNNING or PENDING, the
 * developer guide those that are STOPPING too.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service_definition_parameters.html
 *
 * @param deployment counts its tasks alone
 */
export function roomOf({ readings }: State, service: Service, deployment?: Deployment): number {
  const counted = readings.stoppingInMaximum === 'counts' ? [...service.tasks] : wantedOf(service);
  const own = counted.filter((task) => deployment === undefined || task.deployment === deployment);
  return boundsOf(service).maximum - own.length;
}

export const isOnDraining = ({ containerInstance }: Task) => containerInstance.status === 'DRAINING';

/** Its instance drains, or its deployment is over. */
export const isLeaving = (task: Task) => isOnDraining(task) || task.deployment !== task.service?.deployment;

export const stayingOf = (service: Service) => wantedOf(service).filter((task) => !isLeaving(task));
