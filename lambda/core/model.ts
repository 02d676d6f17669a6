/**
 * The nouns of a rollout: all that is observed of AWS at one moment, as readonly data. `settings.ts` has what is asked for,
 * `decision.ts` what is to be done.
 */

export interface Image {
  readonly imageId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly rootDeviceName: string;
}

/** What a group launches instances from. */
export type LaunchSpec =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      /** The UUID in its ARN: tells it from a later one of the same name. */
      readonly uuid: string;
      readonly imageId: string;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      /** How the group's owner chose to name the version; a rollout keeps it so. */
      readonly reference: '$Latest' | '$Default' | 'number';
      /** The version that this comes to now. */
      readonly version: number;
      readonly imageId: string;
    };

/** A launch configuration or template version that an earlier rollout, or this one, has made. */
export type OwnLaunchSpec =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      readonly createdAt: Date;
    }
  | {
      readonly kind: 'launch-template';
      readonly version: number;
      readonly sourceVersion: number;
      readonly imageId: string;
      /** It is the template's default, or some group names it by its number. */
      readonly inUse: boolean;
    };

/** A group that launches from a template, by whichever reference, and what that comes to now. */
export interface TemplateUser {
  readonly group: string;
  readonly reference: '$Latest' | '$Default' | 'number';
  readonly version: number;
}

/** One member as the Auto Scaling group's own record has it. */
export interface Member {
  readonly instanceId: string;
  /** As AWS writes it: `InService`, `Pending`, `Terminating:Wait`, … */
  readonly lifecycleState: string;
  readonly healthy: boolean;
}

/** What our tags on an instance say: that it is to be replaced, since when, and since when its turn to drain is. */
export interface Mark {
  readonly group: string;
  readonly detachStartedAt: Date;
  readonly drainStartedAt?: Date;
}

/** An EC2 instance, alive or not, that is a member of the group or bears our tags for it. */
export interface Instance {
  readonly instanceId: string;
  /** Neither `shutting-down` nor `terminated`. */
  readonly alive: boolean;
  readonly imageId: string;
  readonly launchedAt: Date;
  /** There when the instance bears both of our tags. */
  readonly mark?: Mark;
}

/** What our tags on a group say. It stands from before the first change until after the last. */
export interface Rollout {
  readonly imageId: string;
  readonly startedAt: Date;
  /** The image was asked for by its id: members that run a newer one are replaced too. */
  readonly exact: boolean;
  /** Members launched before this time are replaced whatever image they run. */
  readonly forceBefore?: Date;
}

export interface Group {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  readonly instances: readonly Instance[];
  readonly rollout?: Rollout;
  /** The time of a request to replace every older member, until it is seen on the group's tags. */
  readonly forceRequestedAt?: Date;
  /** What the group launches from, and the image to roll it onto; or why that can't be told or isn't handled. */
  readonly launch: { readonly spec: LaunchSpec; readonly target: Image } | { readonly obstacle: string };
  /** Read only when a launch spec is to be made or cleared away: see `needsLaunchHistory`. */
  readonly ownLaunchSpecs?: readonly OwnLaunchSpec[];
  /** Read with them: all groups that name the launch template, this one too. */
  readonly templateUsers?: readonly TemplateUser[];
  readonly watch: Watch;
}

/**
 * What one invocation has seen without a break. It is part of the observation and never outlives the invocation: a
 * steadiness that nobody watched doesn't count, so the next invocation begins to watch anew.
 */
export interface Watch {
  readonly unreadySince?: Date;
  readonly settledSince?: Date;
  readonly unsettledSince?: Date;
  /** The instances that were draining at the last look. */
  readonly draining: readonly string[];
}

export interface ContainerInstance {
  readonly arn: string;
  readonly instanceId: string;
  /** As ECS writes it: `ACTIVE`, `DRAINING`, `REGISTERING`, … */
  readonly status: string;
  readonly agentConnected: boolean;
  readonly pendingTasksCount: number;
  /** Tasks of any kind that are to run on it. */
  readonly runningTasksCount: number;
}

export interface Service {
  readonly name: string;
  readonly daemon: boolean;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  /** A deployment is in progress, or an older one still has its tasks. */
  readonly deploying: boolean;
}

/** A task that has not stopped yet, whatever is desired of it, on a container instance that drains. */
export interface Task {
  readonly arn: string;
  readonly containerInstanceArn: string;
  /** `service:<name>` for a task of a service. */
  readonly group: string;
}

/** Everything about one cluster at one moment. */
export interface Observation {
  readonly now: Date;
  readonly cluster: string;
  readonly containerInstances: readonly ContainerInstance[];
  /** Read only when something is to be drained: see `needsServices`. */
  readonly services?: readonly Service[];
  /** Tasks on the container instances of ours that drain. */
  readonly tasks: readonly Task[];
  /** Images by id: the targets, and what members run as far as AWS still knows it. */
  readonly images: ReadonlyMap<string, Image>;
  readonly groups: readonly Group[];
}
