import type { Fault } from '../reasons/faults.ts';
import type { Closed } from '../reasons/hold-ups.ts';
import type { Obstacle, SeveralObstacles } from '../reasons/obstacles.ts';
import type { Warning } from '../reasons/warnings.ts';
import type { Openings } from './forecast.ts';
import type { Launch, LaunchedFrom, OwnLaunchSpec, RunningRefresh, TemplateUser } from './launch.ts';
import type { LifecycleHooks } from './lifecycle-hook.ts';
import type { PreflightFacts } from './preflight-facts.ts';
import type { Notice, Rejection, Roll, SizeChange } from './roll.ts';
import type { GroupSettings } from './settings.ts';
import type { Told } from './told.ts';
import type { Untrusted } from './untrusted.ts';

/**
 * What we observe of a group at one moment, as readonly data. `settings.ts` has what is asked for,
 * `core/actions/` what to do.
 */

/** One member, as the Auto Scaling group lists it. */
export interface Member {
  readonly instanceId: string;
  /** As AWS writes it: `InService`, `Pending`, `Terminating:Wait`, `Warmed:Stopped`, … */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  readonly instanceType: string;
  readonly availabilityZone: string;
  /** Its share of the desired capacity: 1 unless a mixed instances policy weighs its types. */
  readonly weight: number;
  /** Undefined if AWS doesn't say, as after its launch configuration is deleted. */
  readonly launchedFrom?: LaunchedFrom;
}

/**
 * What our tags on an instance say: that it will be replaced, and since when; and when its turn to drain
 * came.
 */
export interface Mark {
  readonly group: string;
  readonly detachStartedAt: Date;
  readonly drainStartedAt?: Date;
  /** When its drain was given up and undone; cleared when another turn begins. */
  readonly drainGivenUpAt?: Date;
  /** Services that ran short during that drain: we don't try it again unless somebody asks. */
  readonly shortServices?: readonly string[];
}

/** An EC2 instance, alive or not, that is a member of the group or carries our tags for it. */
export interface Instance {
  readonly instanceId: string;
  /** Neither `shutting-down` nor `terminated`. */
  readonly alive: boolean;
  readonly imageId: string;
  readonly launchedAt: Date;
  /** Its owner's tag excludes it. */
  readonly excluded: boolean;
  /** It is a Spot Instance. */
  readonly spot?: true;
  /** It runs in a zone that its group has no more, so the group can't take it back. */
  readonly outside?: boolean;
  /** The name of the placement group that it runs in. */
  readonly placementGroup?: string;
  /** How many tags other than ours it has; AWS allows 50 in all. */
  readonly otherTags?: number;
  /** Present if the instance carries both of our tags. */
  readonly mark?: Mark;
}

/**
 * What Auto Scaling reports of a marked instance that is not a member: when its group detached it, or nothing
 * yet.
 */
export type Detachment =
  | { readonly kind: 'told'; readonly at: Date }
  /** Since this invocation first asked. */
  | { readonly kind: 'missed'; readonly since: Date };

/** An instance that carries our tags and is not a member, with no evidence that its group detached it. */
export interface Unproven {
  readonly instanceId: string;
  /** Since this invocation first asked. */
  readonly missedSince: Date;
}

/** What EC2 doesn't answer for while a zone is disrupted: whether it runs, and what tags it has. */
export interface Unknown {
  /** Those that don't answer, as far as known. */
  readonly zones: readonly string[];
  /** None, if only the search for our tags failed. */
  readonly instanceIds: readonly string[];
}

/** A failed launch attempt of the group. */
export interface FailedLaunch {
  readonly at: Date;
  /** As AWS writes it. */
  readonly message: string;
  /** EC2 launched an instance, which never came into service, or was found unhealthy at once. */
  readonly launched?: boolean;
}

/** What routes requests directly to a group's members, so that one that leaves stops serving at once. */
export type TrafficSource =
  | { readonly kind: 'target-group'; readonly arn: string }
  | { readonly kind: 'load-balancer'; readonly name: string };

/** The state one traffic source reports for an instance. */
export interface TargetHealth {
  readonly healthy: boolean;
  /** Nobody knows, by the load balancer's own fault; or, `barred`, nothing could serve there. */
  readonly unknown?: true;
  readonly barred?: true;
  /** A zonal shift moves requests away from its zone. */
  readonly shifted?: true;
  /** Its checks haven't failed: they are still to come. */
  readonly starting?: true;
  /** As AWS writes it: `initial`, `unhealthy`, `OutOfService`, … */
  readonly state: string;
  readonly description?: string;
}

export interface TargetHealthIn {
  readonly source: TrafficSource;
  /**
   * Its nodes send requests only to targets in their own zone; absent unless the last there is to leave.
   */
  readonly zonal?: boolean;
  /** If fewer of its targets, in percent, are healthy, it sends requests to all of them, or fails over. */
  readonly leastHealthyPercent?: number;
  readonly byInstance: ReadonlyMap<string, TargetHealth>;
}

/** Why a group can't be rolled. */
export type LaunchObstacle = Obstacle | SeveralObstacles;

/** What a mixed instances policy says: so much On-Demand first, then a percentage of the rest, rounded up. */
export interface OnDemandShare {
  readonly base: number;
  readonly percentAbove: number;
}

export interface Group {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly members: readonly Member[];
  readonly availabilityZones?: readonly string[];
  /** During a zonal shift it leaves in the zone whatever is unhealthy there. */
  readonly keepsUnhealthy?: true;
  /** It fills its Capacity Reservations, whatever zone they are in, and balances only the rest. */
  readonly reservationsFirst?: true;
  /** How much of its capacity is On-Demand; absent if all of it is, or segments say. */
  readonly onDemand?: OnDemandShare;
  /** Instances that the group keeps ready in addition to its members. */
  readonly warmPool: readonly Member[];
  /** The pool is as large as the group may still grow, and would grow with its maximum size. */
  readonly poolFollowsMaximum?: true;
  readonly instances: readonly Instance[];
  /** Tags of ours, on it and its instances, that are ignored. */
  readonly untrusted?: readonly Untrusted[];
  /** Not included in the instances; absent if there are none. */
  readonly unproven?: readonly Unproven[];
  /** Detached within minutes, as Auto Scaling tells, but EC2 doesn't show yet whether it is we who did it. */
  readonly detachedLately?: readonly Unproven[];
  /** Not included in the instances either; absent if EC2 answers for all. */
  readonly unknown?: Unknown;
  readonly suspendedProcesses: readonly string[];
  readonly trafficSources: readonly TrafficSource[];
  readonly roll?: Roll;
  /** Present if a roll was announced and hasn't begun. */
  readonly notice?: Notice;
  /** What has been told of its roll, or of its notice; absent if nothing has. */
  readonly told?: Told;
  /** The tag that names the cluster of its roll is wrong or gone. */
  readonly misnamed?: boolean;
  /** When somebody asked us to begin nothing new. */
  readonly pausedSince?: Date;
  /** Present outside the group's windows, or while a change calendar is closed. */
  readonly closed?: Closed;
  /** Present if it has windows that open again. */
  readonly opens?: Openings;
  readonly rejection?: Rejection;
  /** When somebody asked to replace every older member; cleared once the group's tags record it. */
  readonly forceRequestedAt?: Date;
  /** Settings that the group's tags override. */
  readonly overrides: Partial<GroupSettings>;
  /** Why the group doesn't count as one of the cluster's: see `belonging`. */
  readonly notOurs?: Exclude<Belonging, { readonly kind: 'ours' }>;
  /** Problems apart from its roll that people should know about, such as tags without effect. */
  readonly warnings?: readonly Warning[];
  /** The owner's tag excludes the group. */
  readonly excluded: boolean;
  /** Each instance it launches gets that tag too, and stays excluded after the group no longer is. */
  readonly propagatesExclude?: boolean;
  /** What the group launches and the images to roll it onto, or why that is unknown or unsupported. */
  readonly launch: Launch | { readonly obstacle: LaunchObstacle };
  /** What a group that we leave alone would be rolled onto; only reported, never acted on. */
  readonly offered?: Launch;
  /** Present if the decision may need them. */
  readonly details?: GroupDetails;
  readonly watch: Watch;
  /** AWS has refused to attach instances to it, again and again. */
  readonly attachRefused?: boolean;
  /** Processes this invocation has suspended, whether or not the tags say so yet. */
  readonly suspendedHere?: readonly string[];
}

/** One whose roll is recorded. */
export type RollingGroup = Group & { readonly roll: Roll };

/**
 * What we read of a group that is rolled, or is about to be. An absent field was not read, because the
 * decision won't ask for it; that differs from an empty one.
 */
export interface GroupDetails {
  readonly instanceRefresh?: RunningRefresh;
  /** For each traffic source, by instance; read once a roll has begun. */
  readonly targetHealth?: readonly TargetHealthIn[];
  /** Launches that failed since the roll began, latest first; read while members are missing. */
  readonly failedLaunches?: readonly FailedLaunch[];
  /** Whether the group has a capacity provider, which ignores attached instances. */
  readonly hasCapacityProvider?: boolean;
  /** Whether ECS managed scaling or a scaling policy of the owner's may make the group smaller. */
  readonly mayScaleIn?: boolean;
  /** Whether ECS protects members with tasks from scale-in. */
  readonly hasManagedProtection?: boolean;
  readonly lifecycleHooks?: LifecycleHooks;
  /** By instance, for those launched since the roll began; read if launch hooks may have held them. */
  readonly inServiceSince?: ReadonlyMap<string, Date>;
  /** By instance, when the group began to end it; present while it ends any of ours. */
  readonly endingSince?: ReadonlyMap<string, Date>;
  /** Members it was asked to end since its roll began to count; present if its size isn't as noted. */
  readonly departed?: number;
  /**
   * The desired capacity that somebody has named last, by its activities; read if that isn't as noted, and
   * may be meant as it is, or on top of what we added.
   */
  readonly namedSize?: number;
  /** Detached instances, whose turn it is, that EC2 refuses to terminate; absent if there are none. */
  readonly terminationProtected?: ReadonlySet<string>;
  /** UUIDs by name of the launch configurations the group may get back; read if it may get one. */
  readonly formerConfigurations?: ReadonlyMap<string, string>;
  /** Read only when a launch spec is about to be made or deleted: see `needsLaunchHistory`. */
  readonly ownLaunchSpecs?: readonly OwnLaunchSpec[];
  /** Read along with them: all groups that use the launch templates, including this one. */
  readonly templateUsers?: readonly TemplateUser[];
  /** Read only before the first change. */
  readonly preflight?: PreflightFacts;
}

/**
 * What one invocation has watched continuously, or AWS has dated before its first look. It is part of the
 * observation and never outlives the invocation.
 */
export interface Watch {
  /**
   * Since when each instance has lacked something before an old one may go, by id; under an empty one, the
   * group a member. In a large group, agents reconnect in turn, so that one or another is away at every look.
   */
  readonly unreadySince?: ReadonlyMap<string, Date>;
  /** Since when some replacement or other has been in its time to get ready: they may keep dying. */
  readonly comingSince?: Date;
  /** When each replacement last failed as what was there before it did, by id. */
  readonly excusedAt?: ReadonlyMap<string, Date>;
  /** Since when too few members have been taking tasks. */
  readonly shortSince?: Date;
  /**
   * Since when the services have been whole without the tasks that are stopping on draining instances; absent
   * if they aren't.
   */
  readonly servedSince?: Date;
  readonly unsettledSince?: Date;
  /** Since when each task that an image may have made ill has been so at every reading, by ARN. */
  readonly illSince?: ReadonlyMap<string, Date>;
  /** Since when the services have failed to stay steady for long enough, and what last kept them from it. */
  readonly unsteady?: { readonly since: Date; readonly by: readonly Fault[] };
  /** Since when the same change of sizes has been noted and not settled, and which that is. */
  readonly unsettledChange?: { readonly since: Date; readonly change: SizeChange };
  /** Since when the desired capacity has been one that nobody has noted, and which that is. */
  readonly unnotedSize?: { readonly since: Date; readonly desiredCapacity: number };
  /** The container instances that were draining at the last look, by ARN. */
  readonly draining: readonly string[];
  /** Of those that are draining, the ones that services have been steady without for long enough. */
  readonly goodbyes: readonly string[];
}

/** Whether it is, or why it isn't. */
export type Belonging =
  | { readonly kind: 'ours' }
  /** We do nothing about it. */
  | { readonly kind: 'stranger'; readonly reason: Obstacle<'belongs-elsewhere' | 'group-managed'> }
  /** It will become clear once the agents of its new members have registered. */
  | { readonly kind: 'undecided'; readonly reason: Obstacle<'belonging-undecided'> }
  /** Two clusters have an equal claim to it: its owner must say which. */
  | { readonly kind: 'contested'; readonly reason: Obstacle<'belonging-contested'> };
/** What an order depends on: what the group's tags say. */
export type Ordered = Pick<Group, 'name' | 'pausedSince' | 'roll' | 'notice'>;
