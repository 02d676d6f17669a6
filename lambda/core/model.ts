/**
 * The nouns of a rollout: what is observed of AWS, what is decided upon it, and the settings in between. Everything is
 * readonly data, so that one decision can be printed, planned, tested, logged and acted upon alike.
 */

/** How the image to roll onto is chosen. */
export type ImageSelector =
  /** The recommended image of the ECS-optimized family that the group runs. */
  | { readonly kind: 'auto' }
  /** The image that an SSM parameter holds, as a plain id or as AWS's JSON. */
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The newest image of an owner by creation date whose name matches; `*` and `?` are wildcards. */
  | { readonly kind: 'name'; readonly pattern: string; readonly owner: string }
  | { readonly kind: 'id'; readonly imageId: string };

/** So many instances, or so many percent of the group, rounded up. */
export type Surge =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number };

export interface Settings {
  /** Names, not ARNs. */
  readonly clusters: readonly string[];
  readonly image: ImageSelector;
  /** How much of a group may be detached and alive at once. */
  readonly maxSurge: Surge;
  /** How many old instances of a group may be draining at once. */
  readonly drainConcurrency: number;
  readonly pollSeconds: number;
  /** How long there must be no pending task and every service steady before an instance is ended or drained. */
  readonly stableSeconds: number;
  /** How long a replacement may take to be InService and registered. */
  readonly readyTimeoutSeconds: number;
  /** How long one instance may take from its turn until it is empty and the services are steady. */
  readonly drainTimeoutSeconds: number;
  /** How many superseded launch configurations or template versions of ours stay behind, for each group. */
  readonly keepLaunchSpecs: number;
}

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

/** What the invocation asks for, beyond the settings. */
export interface Request {
  /** Begin to roll groups that have drifted, or only go on with those that have begun. */
  readonly begin: boolean;
}

/** One change to AWS. Each may be repeated, and leaves a state from which the next decision finds on. */
export type Action =
  | {
      readonly kind: 'record-rollout';
      readonly group: string;
      readonly rollout: Rollout;
    }
  | {
      readonly kind: 'copy-launch-configuration';
      readonly group: string;
      readonly source: string;
      readonly name: string;
      readonly image: Image;
    }
  | {
      readonly kind: 'create-launch-template-version';
      readonly templateId: string;
      readonly sourceVersion: number;
      readonly imageId: string;
    }
  | {
      readonly kind: 'use-launch-configuration';
      readonly group: string;
      readonly name: string;
    }
  | {
      readonly kind: 'use-launch-template-version';
      readonly group: string;
      readonly templateId: string;
      readonly version: number;
    }
  | {
      readonly kind: 'set-default-version';
      readonly templateId: string;
      readonly version: number;
    }
  | {
      readonly kind: 'mark-instances';
      readonly instanceIds: readonly string[];
      readonly mark: Mark;
    }
  | {
      readonly kind: 'unmark-instances';
      readonly instanceIds: readonly string[];
    }
  | {
      readonly kind: 'detach-instances';
      readonly group: string;
      readonly instanceIds: readonly string[];
    }
  | {
      readonly kind: 'drain';
      readonly containerInstances: readonly ContainerInstance[];
    }
  | {
      readonly kind: 'deregister';
      readonly containerInstance: ContainerInstance;
    }
  | { readonly kind: 'terminate'; readonly instanceIds: readonly string[] }
  | { readonly kind: 'delete-launch-configuration'; readonly name: string }
  | {
      readonly kind: 'delete-launch-template-versions';
      readonly templateId: string;
      readonly versions: readonly number[];
    }
  | { readonly kind: 'clear-rollout'; readonly group: string };

/** What is to be done about one group now, with the reason as a sentence for a person. */
export type Decision =
  | { readonly kind: 'up-to-date'; readonly reason: string }
  | {
      readonly kind: 'act';
      readonly reason: string;
      readonly actions: readonly Action[];
    }
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  /** The last actions: once they are carried out, the rollout is over. */
  | {
      readonly kind: 'finish';
      readonly reason: string;
      readonly actions: readonly Action[];
    };
