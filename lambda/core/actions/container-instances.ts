import type { ContainerInstance, Task } from '../model/cluster.ts';
import { endOfArn } from '../model/end-of-arn.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import { listIds } from '../reasons/words.ts';
import type { Definitions } from './definition.ts';
import { type Foreseen, withContainerInstances } from './foreseen.ts';

/** Instances as ECS has them, and their tasks. */
export interface ContainerInstanceActions {
  /** Undoes a drain. */
  activate: SomeContainerInstances;
  'stop-tasks': { readonly tasks: readonly Task[]; readonly because: string };
  drain: SomeContainerInstances & {
    /** Who else takes tasks, of the members that stay. If one of them no longer does, nothing drains. */
    readonly beside: readonly ContainerInstance[];
    /** Who has a turn as well, and no leave to use it. If one of them drains by then, nothing else does. */
    readonly next: readonly ContainerInstance[];
  };
  deregister: {
    readonly containerInstance: ContainerInstance;
    /** If AWS refuses, the registration stays, and its instance is ended all the same. */
    readonly mayStay?: boolean;
  };
}

interface SomeContainerInstances {
  readonly containerInstances: readonly ContainerInstance[];
}

export const CONTAINER_INSTANCE_ACTIONS: Definitions<ContainerInstanceActions> = {
  activate: {
    describe: ({ containerInstances }) => `set ${listIds(instanceIdsOf(containerInstances))} back ACTIVE`,
    foresee: (observation, some) => withStatus(observation, some, 'ACTIVE'),
    takesTime: true,
  },
  'stop-tasks': {
    describe: ({ tasks }) => `stop ${listIds(tasks.map(({ arn }) => endOfArn(arn)))}`,
    takesTime: true,
  },
  drain: {
    describe: ({ containerInstances }) => `drain ${listIds(instanceIdsOf(containerInstances))}`,
    foresee: (observation, some) => withStatus(observation, some, 'DRAINING'),
    ends: () => [],
    takesTime: true,
  },
  deregister: {
    describe: ({ containerInstance, mayStay }) =>
      `deregister ${containerInstance.instanceId}${mayStay ? ', if ECS allows it' : ''}`,
    foresee: (observation, { containerInstance }) =>
      withContainerInstances(observation, (each) => (each.arn === containerInstance.arn ? [] : [each])),
    ends: () => [],
  },
};

function withStatus(
  observation: Foreseen,
  { containerInstances }: SomeContainerInstances,
  status: string,
): Foreseen {
  return withContainerInstances(observation, (each) =>
    containerInstances.some(({ arn }) => arn === each.arn) ? [{ ...each, status }] : [each],
  );
}
