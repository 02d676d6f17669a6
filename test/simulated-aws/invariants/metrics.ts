import type { Instance } from '../world/ec2/model.ts';
import { isReplicaTask, type Task } from '../world/ecs/model.ts';
import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import { watchWanted } from './wanted.ts';

/** What a roll cost the tasks, collected along the way. */
export function collectMetrics(watch: Watch) {
  const wanted = watchWanted(watch);
  const replaced = new Set<Instance>();
  /** By service and slot: what replaces a task has its slot, and is the same task, placed again. */
  const placements = new Map<string, number>();

  const notePlaced = ({ service, slot }: Task) => {
    const key = `${service?.arn} ${slot}`;
    placements.set(key, (placements.get(key) ?? 0) + 1);
  };

  const listener: Listener = (event) => {
    if (event.kind === 'task-placed' && isReplicaTask(event.task)) notePlaced(event.task);
    wanted.note(event);
    if (event.kind !== 'instance-terminating') return;
    const { instance, cause } = event;
    if (instance.launchedBy && wanted.isByCalls(cause, instance)) replaced.add(instance);
  };

  return {
    listener,
    /** Tasks that run already when the watch begins. */
    noteRunning(task: Task) {
      if (isReplicaTask(task) && task.desiredStatus === 'RUNNING') notePlaced(task);
    },
    instancesReplaced: () => replaced.size,
    /** Placements of a task beyond its first, whatever caused them. */
    taskMoves() {
      const total = [...placements.values()].reduce((sum, count) => sum + count - 1, 0);
      return { mean: placements.size === 0 ? 0 : total / placements.size, total };
    },
  };
}
