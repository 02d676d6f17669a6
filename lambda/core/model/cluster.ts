import type { Fault } from './fault.ts';
import type { Instance } from './group.ts';
import type { ServicePlacement, Traits } from './placement.ts';

export interface ContainerInstance {
  readonly arn: string;
  readonly instanceId: string;
  /** As ECS writes it: `ACTIVE`, `DRAINING`, `REGISTERING`, … */
  readonly status: string;
  /** Why it came to be so, where ECS tells. */
  readonly statusReason?: string;
  readonly registeredAt?: Date;
  readonly agentConnected: boolean;
  readonly pendingTasksCount: number;
  /** Tasks of any kind that are to run on it. */
  readonly runningTasksCount: number;
  /** What ECS places tasks by there. */
  readonly traits?: Traits;
}

export interface Service {
  readonly name: string;
  readonly daemon: boolean;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  /** A deployment is in progress, or an older one still has its tasks, unless the latest has failed. */
  readonly deploying: boolean;
  /**
   * The latest deployment while it is in progress, or once it has failed; left out where AWS tells nothing of
   * it.
   */
  readonly deployment?: Deployment;
  /**
   * ARNs of the container instances that its tasks run on, or did within the last hour; read where the
   * service may be none that the roll can have moved.
   */
  readonly hosts?: readonly string[];
  /** In percent of the desired count; what ECS goes by when an instance drains. */
  readonly minimumHealthyPercent: number;
  readonly maximumPercent: number;
  /** Where its tasks run; left out of one that runs on no container instance. */
  readonly placement?: ServicePlacement;
}

/** How far a service's deployment has come. */
export interface Deployment {
  readonly id: string;
  readonly createdAt: Date;
  /** How long old and new tasks run side by side under its deployment strategy. */
  readonly bakeSeconds: number;
  /** Running tasks of this deployment. */
  readonly runningCount: number;
  /** Tasks of this deployment that failed in a row. */
  readonly failedTasks: number;
  /** It has been completed once, or there is none before it: what it deploys runs. */
  readonly succeeded: boolean;
}

/** A task on a draining container instance that has not stopped yet, whatever its desired status. */
export interface Task {
  readonly arn: string;
  readonly containerInstanceArn: string;
  /** `service:<name>` for a task of a service. */
  readonly group: string;
  /** It was told to stop and takes its time. */
  readonly stopping: boolean;
  /** It runs, so its service counts it, whether or not it was told to stop. */
  readonly running?: boolean;
  /** It was told to stop, and requests to it are running out. */
  readonly deactivating?: boolean;
  /** It is protected until then: we never stop it before. */
  readonly protectedUntil?: Date;
}

/** A task that failed: one of its containers exited, it didn't start, or it failed a health check. */
export interface Crash {
  readonly taskArn: string;
  readonly containerInstanceArn: string;
  /** The instance it ran on; absent if that is no longer known. */
  readonly host?: Host;
  /** `service:<name>` for a task of a service. */
  readonly group: string;
  readonly at: Date;
  /** As AWS writes it. */
  readonly reason: string;
  /** That started it, for a task of a service. */
  readonly deploymentId?: string;
}

/** What stays known of an instance even after it is gone. */
export type Host = Pick<Instance, 'imageId' | 'launchedAt'>;

/** A service whose tasks on an instance could go nowhere else if it drained. */
export interface Stranded {
  readonly service: string;
  readonly why: Fault;
  /** It is the new image that lacks something. */
  readonly byImage: boolean;
}
