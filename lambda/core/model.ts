import type { GroupSettings } from './settings.ts';

/**
 * The nouns of a rollout: all that is observed of AWS at one moment, as readonly data. `settings.ts` has what is asked for,
 * `decision.ts` what is to be done.
 */

export interface Image {
  readonly imageId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly rootDeviceName: string;
  /** As AWS writes it: `x86_64`, `arm64`, … */
  readonly architecture: string;
  /** As AWS writes it; instances are launched from an `available` one only. */
  readonly state: string;
  readonly deprecatedAt?: Date;
}

/** How a group's owner chose to name the version of a launch template; a rollout keeps it so. */
export type TemplateReference = '$Latest' | '$Default' | 'number';

/** Where a group has an image from: most have one such place, a mixed instances policy may have many. */
export type LaunchPlace =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      /** The UUID in its ARN: tells it from a later one of the same name. */
      readonly uuid: string;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly reference: TemplateReference;
      /** The version that this comes to now. */
      readonly version: number;
      /** The image is written there as `resolve:ssm:…`: launches follow the parameter, and nothing is to be written. */
      readonly alias?: string;
    }
  | {
      /** Overrides of a mixed instances policy that name an image of their own. */
      readonly kind: 'override';
      readonly templateId: string;
      readonly version: number;
      readonly instanceTypes: readonly string[];
      readonly alias?: string;
    };

/** One image that a group launches, and the image to roll it onto. */
export interface LaunchSource {
  readonly place: LaunchPlace;
  readonly imageId: string;
  readonly target: Image;
  /** The target, which an alias has launched already, is too young yet to replace anything for. */
  readonly soaks?: boolean;
}

/** One place of a mixed instances policy: all that name the version, or the image, of a template there get the new one. */
export type PolicyChange =
  | { readonly kind: 'version'; readonly templateId: string; readonly from: number; readonly to: number }
  | { readonly kind: 'image'; readonly from: string; readonly to: string };

/** A launch configuration or template version that an earlier rollout, or this one, has made. */
export type OwnLaunchSpec =
  | {
      readonly kind: 'launch-configuration';
      readonly name: string;
      readonly createdAt: Date;
    }
  | {
      readonly kind: 'launch-template';
      readonly templateId: string;
      readonly version: number;
      readonly sourceVersion: number;
      readonly imageId: string;
      /** It is the template's default, or some group names it by its number. */
      readonly inUse: boolean;
    };

/** A group that launches from a template, by whichever reference, and what that comes to now. */
export interface TemplateUser {
  readonly templateId: string;
  readonly group: string;
  readonly reference: TemplateReference;
  readonly version: number;
}

/** One member as the Auto Scaling group's own record has it. */
export interface Member {
  readonly instanceId: string;
  /** As AWS writes it: `InService`, `Pending`, `Terminating:Wait`, `Warmed:Stopped`, … */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  readonly instanceType: string;
  /** How much of the desired capacity it makes up: 1, but where a mixed instances policy weighs its types. */
  readonly weight: number;
  /** Undefined where AWS tells nothing of it, as once its launch configuration is deleted. */
  readonly launchedFrom?: LaunchedFrom;
}

export type LaunchedFrom =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | { readonly kind: 'launch-template'; readonly templateId: string; readonly version: number };

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
  /** Its owner's tag has it left out. */
  readonly excluded: boolean;
  /** There when the instance bears both of our tags. */
  readonly mark?: Mark;
}

/** What our tags on a group say. It stands from before the first change until after the last. */
export interface Rollout {
  /** The images that the group is rolled onto, one for each family and architecture that it launches. */
  readonly imageIds: readonly string[];
  readonly startedAt: Date;
  /** The image was asked for by its id: members that run a newer one are replaced too. */
  readonly exact: boolean;
  /** Members launched before this time are replaced whatever image they run. */
  readonly forceBefore?: Date;
  readonly hold: Hold;
}

/** What we have changed of a group, or are about to, and are to put back: this and no more. */
export interface Hold {
  /** Processes that we have suspended. */
  readonly suspended: readonly string[];
  readonly held: HeldSizes;
}

/** How much of a group's sizes is ours, to be given back: what is left without it is as its owner, or a policy, has it. */
export interface HeldSizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
  /** The desired capacity that ours came on top of; there when any is ours. */
  readonly over?: number;
  /** A change that has been, or is about to be, made. It is settled by what the sizes are seen to be. */
  readonly change?: SizeChange;
}

export interface Sizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

export interface SizeChange {
  readonly from: Sizes;
  readonly to: Sizes;
  /** How much the marked members of the group made up before the change; detaching them is what lowers the capacity. */
  readonly marked: number;
}

/** What sends requests to the members of a group by itself, so that one that leaves stops serving at once. */
export type TrafficSource =
  | { readonly kind: 'target-group'; readonly arn: string }
  | { readonly kind: 'load-balancer'; readonly name: string };

/** How one traffic source finds an instance. */
export interface TargetHealth {
  readonly healthy: boolean;
  /** As AWS writes it: `initial`, `unhealthy`, `OutOfService`, … */
  readonly state: string;
  readonly description?: string;
}

export interface Group {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  /** Instances that the group keeps ready beside its members. */
  readonly warmPool: readonly Member[];
  readonly instances: readonly Instance[];
  readonly suspendedProcesses: readonly string[];
  readonly trafficSources: readonly TrafficSource[];
  /** By instance, for each traffic source; read once a roll has begun. */
  readonly targetHealth: readonly TargetHealthIn[];
  readonly rollout?: Rollout;
  /** The time of a request to replace every older member, until it is seen on the group's tags. */
  readonly forceRequestedAt?: Date;
  /** Settings that tags on the group override. */
  readonly overrides: Partial<GroupSettings>;
  /** The owner's tag has the group left out. */
  readonly excluded: boolean;
  /** An instance refresh that is under way. */
  readonly instanceRefresh?: string;
  /** What the group launches, and the images to roll it onto; or why that can't be told or isn't handled. */
  readonly launch: Launch | { readonly obstacle: string };
  /** Read only when a launch spec is to be made or cleared away: see `needsLaunchHistory`. */
  readonly ownLaunchSpecs?: readonly OwnLaunchSpec[];
  /** Read with them: all groups that name the launch templates, this one too. */
  readonly templateUsers?: readonly TemplateUser[];
  readonly watch: Watch;
}

export interface Launch {
  readonly sources: readonly LaunchSource[];
  /** The templates stand in a mixed instances policy, and are changed there. */
  readonly mixed: boolean;
}

export interface TargetHealthIn {
  readonly source: TrafficSource;
  readonly byInstance: ReadonlyMap<string, TargetHealth>;
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
