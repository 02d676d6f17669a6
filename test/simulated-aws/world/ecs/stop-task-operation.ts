import { StopTaskCommand } from '@aws-sdk/client-ecs';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { describeTask } from './descriptions.ts';
import { findByArn, findCluster, invalidParameter } from './lookup.ts';
import { byUser } from './stops.ts';
import { stopTask } from './tasks.ts';
import { touchService } from './touch.ts';

/** It asks for no minimum and heeds no protection. A task that was stopped before is answered as it is. */
export function stopTaskOperation(state: State): Operation {
  return on(StopTaskCommand, 'all', (input) => {
    const cluster = findCluster(state, input.cluster);
    const task = findByArn(cluster.tasks, input.task ?? '');
    // ledger: stop-task-unknown
    if (!task) throw invalidParameter('The referenced task was not found.');
    stopTask(state, task, byUser(input.reason ?? 'Task stopped by user', 'stop-task'));
    if (task.service) touchService(state, task.service);
    return { task: describeTask(state, task) };
  });
}
