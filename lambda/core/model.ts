import type { Belonging } from './belongs.ts';
import type {
  Image,
  Launch,
  LaunchedFrom,
  OwnLaunchSpec,
  PreviousLaunchSpec,
  TemplateUser,
} from './launch.ts';
import type { ServicePlacement, Traits } from './placement-model.ts';
import type { PreflightFacts } from './preflight.ts';
import type { GroupSettings } from './settings.ts';
import type { Stranded } from './stranded.ts';
import type { Untrusted } from './untrusted.ts';

/**
 * The nouns of a rollout: all that is observed of AWS at one moment, as readonly data. `settings.ts` has what is asked for,
 * `decision.ts` what is to be done.
 */

/** One member as the Auto Scaling group's own record has it. */
export interface Member {
  readonly instanceId: string;
  /** As AWS writes it: `InService`, `Pending`, `Terminating:Wait`, `Warmed:Stopped`, … */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  readonly instanceType: string;
  readonly availabilityZone: string;
  /** How much of the desired capacity it makes up: 1, but where a mixed instances policy weighs its types. */
  readonly weight: number;
  /** Undefined where AWS tells nothing of it, as once its launch configuration is deleted. */
  readonly launchedFrom?: LaunchedFrom;
}

/** What our tags on an instance say: that it is to be replaced, since when, and since when its turn to drain is. */
export interface Mark {
  readonly group: string;
  readonly detachStartedAt: Date;
  readonly drainStartedAt?: Date;
  /** When its drain was given up and undone; there until another turn begins. */
  readonly drainHeldAt?: Date;
  /** Services that ran short under that drain: it is not tried again unless somebody asks. */
  readonly tookDown?: readonly string[];
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
  /** How many tags it has, beside ours, of the 50 that AWS lets it have. */
  readonly otherTags?: number;
  /** There when the instance bears both of our tags. */
  readonly mark?: Mark;
}

/** What Auto Scaling tells of a marked instance that is no member: when its group detached it, or nothing yet. */
export type Detachment =
  | { readonly kind: 'told'; readonly at: Date }
  /** Since this invocation first asked. */
  | { readonly kind: 'missed'; readonly since: Date };

/** An instance that bears our tags, is no member, and was detached by its group as far as nobody tells. */
export interface Unproven {
  readonly instanceId: string;
  /** Since this invocation first asked. */
  readonly missedSince: Date;
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
  /** What the group launched from before we changed it; nothing where we change nothing of it. */
  readonly previous: readonly PreviousLaunchSpec[];
  /** Services that were not steady when the roll began, and hold it up only if they get worse. */
  readonly unsteady: readonly UnsteadyService[];
  readonly canary: Canary;
  readonly course: Course;
  readonly hold: Hold;
}

/** A service that was not steady when a roll began, with the tasks that it ran then. */
export interface UnsteadyService {
  readonly name: string;
  readonly runningCount: number;
}

/** How far the first batch of a roll has come. */
export type Canary =
  | { readonly kind: 'pending' }
  /** Its replacements have had tasks since then. */
  | { readonly kind: 'baking'; readonly since: Date }
  | { readonly kind: 'passed' };

/** Where a roll goes. */
export type Course =
  | { readonly kind: 'forward' }
  /** What is begun is finished, and the rest left as it is. */
  | { readonly kind: 'abort' | 'rollback'; readonly since: Date; readonly because: string };

/** Images that a group is not to be rolled onto again, unless somebody forces it. */
export interface Rejection {
  readonly imageIds: readonly string[];
  readonly because: string;
}

/** A launch that Auto Scaling has tried and that failed. */
export interface FailedLaunch {
  readonly at: Date;
  /** As AWS writes it. */
  readonly message: string;
}

/** What we have changed of a group, or are about to, and are to put back: this and no more. */
export interface Hold {
  /** Processes that we have suspended. */
  readonly suspended: readonly string[];
  readonly held: HeldSizes;
  /** There as long as the minimum size is, or is about to be, another than its owner's. */
  readonly floor?: Floor;
}

/** The minimum size of a group that is not to get smaller while it rolls. */
export interface Floor {
  /** What it was, and is to be again. */
  readonly owner: number;
  /** What we have raised it to, or are about to: any other size is somebody else's. */
  readonly ours: readonly number[];
  /** Since when nothing is left to be replaced. */
  readonly restsSince?: Date;
}

/** How much of a group's sizes is ours, to be given back: what is left without it is as its owner, or a policy, has it. */
export interface HeldSizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
  /** The sizes that ours came on top of; there when any of them is ours. */
  readonly over?: Sizes;
  /** A change that has been, or is about to be, made. It is settled by what the sizes are seen to be. */
  readonly change?: SizeChange;
  /** There where the group ends its old members itself: an earlier note that somebody puts back knows of fewer. */
  readonly departures?: Departures;
}

/** How many members the group was asked to end, and to get smaller by, since it was made larger. */
export interface Departures {
  readonly since: Date;
  readonly count: number;
}

export interface Sizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

/** Those that are to change. */
export interface NewSizes extends Partial<Sizes> {
  readonly minSize?: number;
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

/** A lifecycle hook of a group. */
export interface LifecycleHook {
  readonly name: string;
  readonly transition: 'launching' | 'terminating';
  /** How long it holds an instance of which nobody is heard. */
  readonly heartbeatSeconds: number;
  /** How long at most, whoever is heard. */
  readonly globalTimeoutSeconds: number;
  /** An instance of which nobody was heard is ended, rather than let on. */
  readonly abandons: boolean;
}

/** Those of a group, or why they couldn't be read. */
export type LifecycleHooks =
  | { readonly kind: 'read'; readonly hooks: readonly LifecycleHook[] }
  | { readonly kind: 'unread'; readonly because: string };

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
  /** Tags of ours on it and its instances that count for none. */
  readonly untrusted?: readonly Untrusted[];
  /** Not among the instances; left out where there are none. */
  readonly unproven?: readonly Unproven[];
  readonly suspendedProcesses: readonly string[];
  readonly trafficSources: readonly TrafficSource[];
  /** By instance, for each traffic source; read once a roll has begun. */
  readonly targetHealth: readonly TargetHealthIn[];
  readonly rollout?: Rollout;
  /** The tag that names the cluster of its roll says otherwise, or is gone. */
  readonly misnamed?: boolean;
  /** Since when nothing new is to begin, as somebody asked. */
  readonly pausedSince?: Date;
  readonly rejection?: Rejection;
  /** A capacity provider stands for the group: it ignores instances that are attached. */
  readonly hasCapacityProvider: boolean;
  /** ECS sizes the group by what its tasks need. */
  readonly hasManagedScaling: boolean;
  /** Launches that failed since the roll began, the latest first; read while members are lacking. */
  readonly failedLaunches: readonly FailedLaunch[];
  /** The time of a request to replace every older member, until it is seen on the group's tags. */
  readonly forceRequestedAt?: Date;
  /** Settings that tags on the group override. */
  readonly overrides: Partial<GroupSettings>;
  /** Why the group isn't taken for one of the cluster's: see `belonging`. */
  readonly apart?: Exclude<Belonging, { readonly kind: 'ours' }>;
  /** What is to be known of it beside its roll, such as tags that have no effect, a sentence each. */
  readonly warnings?: readonly string[];
  /** Read before the first change alone. */
  readonly preflight?: PreflightFacts;
  /** The owner's tag has the group left out. */
  readonly excluded: boolean;
  /** Each instance that it launches gets that tag too, and stays left out when the group no longer is. */
  readonly propagatesExclude?: boolean;
  /** An instance refresh that is under way. */
  readonly instanceRefresh?: string;
  /** What the group launches, and the images to roll it onto; or why that can't be told or isn't handled. */
  readonly launch: Launch | { readonly obstacle: string };
  /** What it would be rolled onto, of a group that is left alone: nothing is done by it but to tell of it. */
  readonly offered?: Launch;
  /** Read only when a launch spec is to be made or cleared away: see `needsLaunchHistory`. */
  readonly ownLaunchSpecs?: readonly OwnLaunchSpec[];
  /** Read with them: all groups that name the launch templates, this one too. */
  readonly templateUsers?: readonly TemplateUser[];
  /** Of the launch configurations that it may be given back, the UUIDs by name; read where it may. */
  readonly formerConfigurations?: ReadonlyMap<string, string>;
  /** Read of a group that is rolled, or is to be. */
  readonly lifecycleHooks?: LifecycleHooks;
  /** By instance, of those launched since the roll began; read where launch hooks may have held them before. */
  readonly inServiceSince?: ReadonlyMap<string, Date>;
  /** Detached instances in turn that EC2 will not terminate; there when there are any. */
  readonly terminationProtected?: ReadonlySet<string>;
  /** How many members it was asked to end since what its roll counts from; there where its size isn't as was noted. */
  readonly departed?: number;
  /** Since when the group has been ending members, by instance; there while it ends any of ours. */
  readonly endingSince?: ReadonlyMap<string, Date>;
  readonly watch: Watch;
  /** Processes that this invocation has suspended, whatever the tags say by now. */
  readonly suspendedHere?: readonly string[];
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
  /** Since when too few members have taken tasks. */
  readonly shortSince?: Date;
  readonly settledSince?: Date;
  readonly unsettledSince?: Date;
  /** Since when the services have not been steady for as long as they are to be, and what last kept them from it. */
  readonly unsteady?: { readonly since: Date; readonly by: readonly string[] };
  /** The container instances that were draining at the last look, by ARN. */
  readonly draining: readonly string[];
}

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
  /** The latest deployment while it is in progress, or once it has failed; left out where AWS tells nothing of it. */
  readonly deployment?: Deployment;
  /**
   * ARNs of the container instances that its tasks run on, or did within the last hour; read where the service may be none
   * that the roll can have moved.
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
  /** How long old and new tasks are to run side by side, as its strategy has it. */
  readonly bakeSeconds: number;
  /** Tasks of it that run. */
  readonly runningCount: number;
  /** Tasks of it that have failed one after the other. */
  readonly failedTasks: number;
  /** It has been completed once, or there is none before it: what it deploys runs. */
  readonly succeeded: boolean;
}

/** A task that has not stopped yet, whatever is desired of it, on a container instance that drains. */
export interface Task {
  readonly arn: string;
  readonly containerInstanceArn: string;
  /** `service:<name>` for a task of a service. */
  readonly group: string;
  /** It is to stop, and takes its time. */
  readonly stopping: boolean;
  /** It is to stop, and requests to it run out yet. */
  readonly deactivating?: boolean;
  /** Until then it is protected: it is never stopped by us. */
  readonly protectedUntil?: Date;
}

/** A task that stopped by a fault: a container of it exited, it failed to start, or it failed a health check. */
export interface Crash {
  readonly taskArn: string;
  readonly containerInstanceArn: string;
  /** The instance that it ran on; left out where nobody can tell any more. */
  readonly host?: Host;
  /** `service:<name>` for a task of a service. */
  readonly group: string;
  readonly at: Date;
  /** As AWS writes it. */
  readonly reason: string;
  /** That started it, for a task of a service. */
  readonly deploymentId?: string;
}

/** What is known of an instance for good, even when it is gone. */
export type Host = Pick<Instance, 'imageId' | 'launchedAt'>;

/** A CloudWatch alarm that the settings name. */
export interface Alarm {
  readonly name: string;
  readonly inAlarm: boolean;
  /** When it came to be so. */
  readonly since: Date;
}

/** Everything about one cluster at one moment. */
export interface Observation {
  readonly now: Date;
  readonly cluster: string;
  readonly containerInstances: readonly ContainerInstance[];
  /** Read only when something is to be drained: see `needsServices`. */
  readonly services?: readonly Service[];
  /** Tasks on the container instances of ours that drain, or whose drain was undone. */
  readonly tasks: readonly Task[];
  /** Names of the services that had tasks there, gone ones too, by the ARN of the container instance; read with the tasks. */
  readonly servicesOn?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Services that would find no place for their tasks, by the instance in turn, or held, that has them. */
  readonly stranded?: ReadonlyMap<string, readonly Stranded[]>;
  /** What could not be read of all that is only to warn, a sentence each with the call. */
  readonly unread?: readonly string[];
  /** Those of the last hour, on any instance of the cluster; read while replacements are on trial. */
  readonly crashes: readonly Crash[];
  /** Alarms that settings name; one that doesn't exist is left out. */
  readonly alarms: readonly Alarm[];
  /** Images by id: the targets, and what members run as far as AWS still knows it. */
  readonly images: ReadonlyMap<string, Image>;
  readonly groups: readonly Group[];
}
