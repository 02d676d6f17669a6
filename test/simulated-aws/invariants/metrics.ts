import type { Instance } from '../world/ec2/model.ts';
import { isReplicaTask, type Task } from '../world/ecs/model.ts';
import type { Listener } from '../world/events.ts';

/** What a roll cost the tasks, collected along the way. */
export function collectMetrics() {
  const replaced = new Set<Instance>();
  const stoppedByDrain = new WeakSet<Task>();
  const latest = new Map<string, Task>();
  /** By service and slot: what replaces a task has its slot, and is the same task moved. */
  const moves = new Map<string, number>();

  const wasMoved = (task: Task) => stoppedByDrain.has(task) || task.containerInstance.status === 'DRAINING';

  const notePlaced = (task: Task) => {
    const key = `${task.service?.arn} ${task.slot}`;
    const previous = latest.get(key);
    if (previous && wasMoved(previous)) moves.set(key, (moves.get(key) ?? 0) + 1);
    latest.set(key, task);
  };

  const listener: Listener = (event) => {
    if (event.kind === 'task-placed' && isReplicaTask(event.task)) notePlaced(event.task);
    if (event.kind === 'task-stopping' && event.cause === 'drain') stoppedByDrain.add(event.task);
    if (event.kind === 'instance-terminating' && event.cause === 'call')
      if (event.instance.launchedBy) replaced.add(event.instance);
  };

  return {
    listener,
    /** Tasks that run already when the watch begins. */
    noteRunning(task: Task) {
      if (isReplicaTask(task)) latest.set(`${task.service?.arn} ${task.slot}`, task);
    },
    instancesReplaced: () => replaced.size,
    /** How often each task that had to move was moved; 1 is the best there is. */
    meanTaskMoves() {
      const total = [...moves.values()].reduce((sum, count) => sum + count, 0);
      return moves.size === 0 ? 0 : total / moves.size;
    },
  };
}
