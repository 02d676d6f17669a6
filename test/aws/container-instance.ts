import type { ContainerInstance } from '../../lambda/core/model/cluster.ts';

/** A container instance on which nothing runs. */
export function containerInstance(arn: string): ContainerInstance {
  return {
    arn,
    instanceId: `i-${arn}`,
    status: 'ACTIVE',
    agentConnected: true,
    pendingTasksCount: 0,
    runningTasksCount: 0,
  };
}
