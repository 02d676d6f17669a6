import { type ContainerInstance, isReplicaTask, type Task } from '../world/ecs/model.ts';
import { isProtected, isSpared } from '../world/ecs/protection.ts';
import type { Cause, Listener } from '../world/events.ts';
import { mayBeStopped, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/**
 * 2. No instance is terminated under a service task or drained under a protected one, no task is orphaned,
 * stopped or cut short by itself.
 */
export function watchEndings(watch: Watch, ledger: Ledger): Listener {
  const wanted = watchWanted(watch);
  // A daemon ends with its instance as well as before, unless requests to it are cut off.
  const isKept = (task: Task) =>
    task.service
      ? isReplicaTask(task) || task.service.isLoadBalanced
      : !watch.expectations.allowsCutStandaloneTasks;

  const checkDrain = (containerInstance: ContainerInstance, cause: Cause) => {
    if (cause !== 'call' || containerInstance.status !== 'DRAINING') return;
    const risked = [...containerInstance.tasks].filter((task) => isSparedElsewhere(watch, task));
    const { id } = containerInstance.instance;
    ledger.expect(2, risked.length === 0, () => `${id} was drained under protected ${listed(risked)}`);
  };

  return (event) => {
    wanted.note(event);
    if (event.kind === 'task-stopping' && event.cause === 'stop-task') {
      const { id } = event.task.containerInstance.instance;
      ledger.expect(2, mayBeStopped(watch, event.task), () => `${listed([event.task])} was stopped on ${id}`);
    }
    if (event.kind === 'container-instance-changed') checkDrain(event.containerInstance, event.cause);
    if (event.kind === 'host-lost') {
      const { instance } = event.containerInstance;
      if (!wanted.isByCalls(event.cause, instance)) return;
      const cut = event.tasks.filter((task) => isKept(task) && !hasBeenReplaced(task));
      ledger.expect(2, cut.length === 0, () => `${instance.id} was terminated under ${listed(cut)}`);
    }
    if (event.kind === 'container-instance-deregistered') {
      if (event.cause !== 'call') return;
      const { containerInstance } = event;
      const orphans = event.orphans.filter((task) => !hasBeenReplaced(task));
      ledger.expect(
        2,
        orphans.length === 0,
        () => `${containerInstance.instance.id} was deregistered, which orphans ${listed(orphans)}`,
      );
    }
  };
}

/** ECS would have left it alone if its instance didn't drain. */
const isSparedElsewhere = ({ state }: Watch, task: Task) =>
  task.desiredStatus === 'RUNNING' && isProtected(state, task) && !isSpared(state, task);

/**
 * Nobody can tell any more whether it runs, and ECS has told it to stop, when its service could do without.
 */
const hasBeenReplaced = ({ containerInstance, lastStatus }: Task) =>
  containerInstance.isForsaken && lastStatus === 'STOPPING';

const listed = (tasks: readonly Task[]) =>
  tasks.map(({ group, lastStatus }) => `${group} (${lastStatus})`).join(', ');
