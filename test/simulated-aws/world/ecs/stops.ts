import type { TaskStopCode } from '@aws-sdk/client-ecs';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import { targetGroupArn } from './lookup.ts';
import type { Service } from './model.ts';

/**
 * Why a task ends.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/stopped-task-error-codes.html
 */
export interface Stop {
  readonly code: TaskStopCode;
  readonly reason: string;
  readonly cause: Cause;
}

export const exited = (cause: Cause): Stop => ({
  code: 'EssentialContainerExited',
  reason: 'Essential container in task exited',
  cause,
});

/** The host gets no answer of the registry. */
export const imageNotPulled = (family: string): Stop => ({
  code: 'TaskFailedToStart',
  reason:
    `CannotPullContainerError: pull image manifest has been retried 5 time(s): failed to resolve ref ${family}: ` +
    'failed to do request: dial tcp 10.0.3.17:443: i/o timeout',
  cause: 'fault',
});

/** The registry has deleted it. */
export const imageGone = (family: string): Stop => ({
  code: 'TaskFailedToStart',
  reason:
    'CannotPullContainerError: pull image manifest has been retried 1 time(s): ' +
    `failed to resolve ref ${family}@sha256:0123abcd: ${family}@sha256:0123abcd: not found`,
  cause: 'fault',
});

/** What the service scheduler stops for a scale-in, a deployment or a drain all reads the same. */
export const scheduled = ({ deployment }: Service, cause: Cause): Stop => ({
  code: 'ServiceSchedulerInitiated',
  reason: `Scaling activity initiated by (deployment ${deployment.id})`,
  cause,
});

export const healthChecksFailed = (service: Service): Stop => ({
  code: 'ServiceSchedulerInitiated',
  reason: service.isLoadBalanced
    ? `Task failed ELB health checks in (target-group ${targetGroupArn(service)})`
    : 'Task failed container health checks',
  cause: 'fault',
});

export const hostEnded = ({ id }: Instance, cause: Cause): Stop => ({
  code: 'TerminationNotice',
  reason: `Host EC2 (instance ${id}) terminated.`,
  cause,
});

export const byUser = (reason: string, cause: Cause): Stop => ({ code: 'UserInitiated', reason, cause });
