import type { Fault } from './fault.ts';
import type { Launch, LaunchedFrom, OwnLaunchSpec, TemplateUser } from './launch.ts';
import type { Obstacle, SeveralObstacles } from './obstacle.ts';
import type { PreflightFacts } from './preflight-facts.ts';
import type { Rejection, Roll } from './roll.ts';
import type { GroupSettings } from './settings.ts';
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
  readonly drainGivenUpAt?: Date;
  /** Services that ran short under that drain: it is not tried again unless somebody asks. */
  readonly shortServices?: readonly string[];
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

/** A launch that Auto Scaling has tried and that failed. */
export interface FailedLaunch {
  readonly at: Date;
  /** As AWS writes it. */
  readonly message: string;
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

export interface TargetHealthIn {
  readonly source: TrafficSource;
  readonly byInstance: ReadonlyMap<string, TargetHealth>;
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

/** Why a group can't be rolled. */
export type LaunchObstacle = Obstacle | SeveralObstacles;

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
  readonly roll?: Roll;
  /** The tag that names the cluster of its roll says otherwise, or is gone. */
  readonly misnamed?: boolean;
  /** Since when nothing new is to begin, as somebody asked. */
  readonly pausedSince?: Date;
  readonly rejection?: Rejection;
  /** The time of a request to replace every older member, until it is seen on the group's tags. */
  readonly forceRequestedAt?: Date;
  /** Settings that tags on the group override. */
  readonly overrides: Partial<GroupSettings>;
  /** Why the group isn't taken for one of the cluster's: see `belonging`. */
  readonly notOurs?: Exclude<Belonging, { readonly kind: 'ours' }>;
  /** What is to be known of it beside its roll, such as tags that have no effect, a sentence each. */
  readonly warnings?: readonly string[];
  /** The owner's tag has the group left out. */
  readonly excluded: boolean;
  /** Each instance that it launches gets that tag too, and stays left out when the group no longer is. */
  readonly propagatesExclude?: boolean;
  /** What the group launches, and the images to roll it onto; or why that can't be told or isn't handled. */
  readonly launch: Launch | { readonly obstacle: LaunchObstacle };
  /** What it would be rolled onto, of a group that is left alone: nothing is done by it but to tell of it. */
  readonly offered?: Launch;
  /** There where the decision may ask for them. */
  readonly details?: GroupDetails;
  readonly watch: Watch;
  /** Processes that this invocation has suspended, whatever the tags say by now. */
  readonly suspendedHere?: readonly string[];
}

/**
 * What is read of a group that is rolled, or is to be. What is left out was not read, as the decision won't ask for it: that is
 * something else than that there is none.
 */
export interface GroupDetails {
  /** An instance refresh that is under way. */
  readonly instanceRefresh?: string;
  /** By instance, for each traffic source; read once a roll has begun. */
  readonly targetHealth?: readonly TargetHealthIn[];
  /** Launches that failed since the roll began, the latest first; read while members are lacking. */
  readonly failedLaunches?: readonly FailedLaunch[];
  /** A capacity provider stands for the group: it ignores instances that are attached. */
  readonly hasCapacityProvider?: boolean;
  /** ECS sizes the group by what its tasks need. */
  readonly hasManagedScaling?: boolean;
  readonly lifecycleHooks?: LifecycleHooks;
  /** By instance, of those launched since the roll began; read where launch hooks may have held them before. */
  readonly inServiceSince?: ReadonlyMap<string, Date>;
  /** Since when the group has been ending members, by instance; there while it ends any of ours. */
  readonly endingSince?: ReadonlyMap<string, Date>;
  /** How many members it was asked to end since what its roll counts from; there where its size isn't as was noted. */
  readonly departed?: number;
  /** Detached instances in turn that EC2 will not terminate; there when there are any. */
  readonly terminationProtected?: ReadonlySet<string>;
  /** Of the launch configurations that it may be given back, the UUIDs by name; read where it may. */
  readonly formerConfigurations?: ReadonlyMap<string, string>;
  /** Read only when a launch spec is to be made or cleared away: see `needsLaunchHistory`. */
  readonly ownLaunchSpecs?: readonly OwnLaunchSpec[];
  /** Read with them: all groups that name the launch templates, this one too. */
  readonly templateUsers?: readonly TemplateUser[];
  /** Read before the first change alone. */
  readonly preflight?: PreflightFacts;
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
  readonly unsteady?: { readonly since: Date; readonly by: readonly Fault[] };
  /** The container instances that were draining at the last look, by ARN. */
  readonly draining: readonly string[];
}

/** Whether it is, or why it isn't. */
export type Belonging =
  | { readonly kind: 'ours' }
  /** Nothing is done about it. */
  | { readonly kind: 'stranger'; readonly reason: Obstacle<'belongs-elsewhere'> }
  /** It will show once the agents of its new members have registered. */
  | { readonly kind: 'undecided'; readonly reason: Obstacle<'belonging-undecided'> }
  /** Two clusters have the same right to it: its owner is to say which. */
  | { readonly kind: 'contested'; readonly reason: Obstacle<'belonging-contested'> };
/** All of a group that an order depends on: what its tags say. */
export type Ordered = Pick<Group, 'name' | 'pausedSince' | 'roll' | 'rejection'>;
