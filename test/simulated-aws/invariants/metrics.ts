import type { Instance } from '../world/ec2/model.ts';
import { isReplicaTask, type Task } from '../world/ecs/model.ts';
import type { Listener } from '../world/events.ts';

/** What a roll cost the tasks, collected along the way. */
export function collectMetrics() {
  const replaced = new Set<Instance>();
  /** By service and slot: what replaces a task has its slot, and is the same task, placed again. */
  const placements = new Map<string, number>();

  const notePlaced = ({ service, slot }: Task) => {
    const key = `${service?.arn} ${slot}`;
    placements.set(key, (placements.get(key) ?? 0) + 1);
  };

  const listener: Listener = (event) => {
    if (event.kind === 'task-placed' && isReplicaTask(event.task)) notePlaced(event.task);
    if (event.kind === 'instance-terminating' && event.cause === 'call')
      if (event.instance.launchedBy) replaced.add(event.instance);
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
