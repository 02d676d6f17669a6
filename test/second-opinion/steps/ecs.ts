import {
  DeregisterContainerInstanceCommand,
  DescribeClustersCommand,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  ListContainerInstancesCommand,
  ListServicesCommand,
  ListTasksCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const { cluster } = NAMES;
const UNKNOWN = '0123456789abcdef0123456789abcdef';

const list = (status?: 'ACTIVE' | 'DRAINING') => (at: Account) =>
  at.ecs.send(new ListContainerInstancesCommand({ cluster, status }));
const describe = (containerInstances: readonly string[] | undefined) => (at: Account) =>
  at.ecs.send(
    new DescribeContainerInstancesCommand({
      cluster,
      containerInstances: [...(containerInstances ?? at.containerInstances)],
    }),
  );
const setStatus = (status: 'ACTIVE' | 'DRAINING') => (at: Account) =>
  at.ecs.send(
    new UpdateContainerInstancesStateCommand({
      cluster,
      containerInstances: at.containerInstances.slice(0, 2),
      status,
    }),
  );
const deregister = (at: Account) =>
  at.ecs.send(
    new DeregisterContainerInstanceCommand({ cluster, containerInstance: at.containerInstances[0] }),
  );

export const ECS_STEPS: readonly Step[] = [
  step('describe a cluster, and one that is unknown', ({ ecs }) =>
    ecs.send(new DescribeClustersCommand({ clusters: [cluster, 'unknown'] })),
  ),
  step('list the container instances of an unknown cluster', ({ ecs }) =>
    ecs.send(new ListContainerInstancesCommand({ cluster: 'unknown' })),
  ),
  step('list container instances', list()),
  step('describe container instances', describe(undefined)),
  step('describe an unknown container instance', describe([UNKNOWN])),
  step('set container instances DRAINING', setStatus('DRAINING')),
  step('list DRAINING container instances', list('DRAINING')),
  step('list ACTIVE container instances', list('ACTIVE')),
  step('set container instances ACTIVE again', setStatus('ACTIVE')),
  step('set a container instance of an unknown cluster DRAINING', ({ ecs, containerInstances }) =>
    ecs.send(
      new UpdateContainerInstancesStateCommand({
        cluster: 'unknown',
        containerInstances: containerInstances.slice(0, 1),
        status: 'DRAINING',
      }),
    ),
  ),
  step('list services', ({ ecs }) => ecs.send(new ListServicesCommand({ cluster }))),
  step('list the services of an unknown cluster', ({ ecs }) =>
    ecs.send(new ListServicesCommand({ cluster: 'unknown' })),
  ),
  step('describe a service, and one that is unknown', ({ ecs }) =>
    ecs.send(new DescribeServicesCommand({ cluster, services: [NAMES.service, 'unknown'] })),
  ),
  step('list tasks, where there is none', ({ ecs }) => ecs.send(new ListTasksCommand({ cluster }))),
  step('list the tasks of a container instance', ({ ecs, containerInstances: [containerInstance] }) =>
    ecs.send(new ListTasksCommand({ cluster, containerInstance, desiredStatus: 'STOPPED' })),
  ),
  step('describe an unknown task', ({ ecs }) =>
    ecs.send(new DescribeTasksCommand({ cluster, tasks: [UNKNOWN] })),
  ),
  step('deregister a container instance', deregister),
  step('list container instances after that', list()),
  step('deregister an unknown container instance', ({ ecs }) =>
    ecs.send(new DeregisterContainerInstanceCommand({ cluster, containerInstance: UNKNOWN })),
  ),
];
