import type { Fault } from '../reasons/faults.ts';
import type { Instance, TrafficSource } from './group.ts';
import type { Resources, ServicePlacement, Traits } from './placement.ts';

export interface ContainerInstance {
  readonly arn: string;
  readonly instanceId: string;
  /** As ECS writes it: `ACTIVE`, `DRAINING`, `REGISTERING`, … */
  readonly status: string;
  /** Why it is in this status, if ECS says. */
  readonly statusReason?: string;
  readonly registeredAt?: Date;
  readonly agentConnected: boolean;
  /** What runs its containers doesn't answer its agent. */
  readonly isImpaired?: boolean;
  /** ECS launched and ends it: it takes tasks of services that name its capacity provider, and no others. */
  readonly managed?: true;
  readonly pendingTasksCount: number;
  /** Tasks of any kind that should run on it. */
  readonly runningTasksCount: number;
  /** What ECS considers when it places tasks there. */
  readonly traits?: Traits;
  /** What its tasks leave of its resources. */
  readonly remaining?: Resources;
}

export interface Service {
  readonly name: string;
  readonly daemon: boolean;
  /** Of all its task sets, if it has these. */
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  /** A deployment is in progress, or an older one still has its tasks, unless the latest has failed. */
  readonly deploying: boolean;
  /**
   * The latest deployment while it is in progress, or once it has failed; absent if AWS says nothing about
   * it.
   */
  readonly deployment?: Deployment;
  /**
   * The deployments that have completed once and that ECS still lists: any other has failed, is not proven
   * yet, or has no tasks any more. Absent if something other than ECS deploys it.
   */
  readonly completedDeployments?: readonly { readonly id: string; readonly createdAt: Date }[];
  /**
   * ARNs of the container instances that its tasks run on, or did within the last hour; read if the roll may
   * not have moved the service at all.
   */
  readonly hosts?: readonly string[];
  /** In percent of the desired count; ECS keeps to it when an instance drains. */
  readonly minimumHealthyPercent: number;
  readonly maximumPercent: number;
  /** ECS evens it out across zones by itself. */
  readonly evensOut?: boolean;
  /** What its load balancers find its tasks in. */
  readonly sources?: readonly TrafficSource[];
  /** ARNs of its VPC Lattice target groups, whose health isn't read. */
  readonly unreadSources?: readonly string[];
  /** Why ECS can't register targets for it, as ECS writes it; of each target group. */
  readonly unregistered?: readonly string[];
  /** For so long after a task has started, ECS ignores health checks that fail. */
  readonly graceSeconds?: number;
  /** Where its tasks run; absent if it runs on no container instance. */
  readonly placement?: ServicePlacement;
}

/** How far a service's deployment has come. */
export interface Deployment {
  readonly id: string;
  /** When it was created, or a rollback to it began. */
  readonly begunAt: Date;
  /** How long old and new tasks run side by side under its deployment strategy. */
  readonly bakeSeconds: number;
  /** Running tasks of this deployment. */
  readonly runningCount: number;
  /** Tasks of this deployment that failed in a row. */
  readonly failedTasks: number;
  /** It has completed once, or is the first: what it deploys runs. */
  readonly succeeded: boolean;
  /**
   * Present if traffic moves from one set of tasks to the other, and both are kept until then. ECS ends it by
   * itself: a stage lasts up to a day, a pause up to two weeks.
   */
  readonly shift?: {
    /** The longest that CodeDeploy takes for it: what is left after that has failed, and stays. */
    readonly mostSeconds?: number;
    /** Stages at which hooks of its owner pause it. */
    readonly pausesAt: readonly string[];
  };
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
  /** When it began to stop, if ECS says. */
  readonly stoppingAt?: Date;
  /** It was told to stop, and requests to it are running out. */
  readonly deactivating?: boolean;
  /** ARN of its task definition. */
  readonly definition?: string;
  /** How long its containers may take to stop, if its definition says; read once a drain takes long. */
  readonly stopTimeoutSeconds?: number;
  /** It is protected until then: we never stop it before. */
  readonly protectedUntil?: Date;
}

/** When a task of a service began to run, and to stop. */
export interface DatedTask {
  readonly service: string;
  /** It runs, so its service counts it, whether or not it was told to stop. */
  readonly runs: boolean;
  /** It has stopped, or was told to. */
  readonly stops: boolean;
  readonly startedAt?: Date;
  readonly stoppingAt?: Date;
}

/** A task of a service, other than a daemon, that moves if its container instance drains. */
export interface Movable {
  readonly service: string;
  /** What it asks for; absent if its task definition couldn't be read. */
  readonly needs?: Resources;
  /** An instance has room for one task of its service only. */
  readonly exclusive: boolean;
}

/** A service whose last healthy targets in a zone are on an instance that drains next. */
export interface LastInZone {
  readonly service: string;
  readonly zone: string;
  /** ECS is about to start a task there by itself. */
  readonly comes: boolean;
}

/** A task that should run and does, but doesn't serve: that it runs is all that its service counts. */
export interface UnhealthyTask {
  readonly arn: string;
  readonly service: string;
  readonly containerInstanceArn: string;
  readonly startedAt?: Date;
  /** Its checks haven't failed as far as is known: they haven't passed yet. */
  readonly starting: boolean;
  /** No image is to blame: its load balancer can't use it where it is, or can't tell. */
  readonly ofNoImage: boolean;
  /** A zonal shift moves requests away from it. */
  readonly shifted?: true;
  /** As AWS writes it, and where. */
  readonly says: string;
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
  /** The deployment that started it, for a task of a service. */
  readonly deploymentId?: string;
}

/** What stays known of an instance even after it is gone. */
export type Host = Pick<Instance, 'imageId' | 'launchedAt'>;

/** A service whose tasks on an instance could go nowhere else if it drained. */
export interface Stranded {
  readonly service: string;
  readonly why: Fault;
  /** The new image is what lacks something. */
  readonly byImage: boolean;
}
