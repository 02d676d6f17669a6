import type { NamedInstance } from './obstacle.ts';

/**
 * What is wrong with a member, an instance, a service or its tasks: the clauses that make up reasons.
 * `text/faults.ts` has the words.
 */
export interface FaultFacts extends MemberFaults, IdleFaults, TaskFaults, ServiceFaults, PlacementFaults {}

export type FaultKind = keyof FaultFacts;

export type Fault<Kind extends FaultKind = FaultKind> = {
  [Each in Kind]: { readonly kind: Each } & FaultFacts[Each];
}[Kind];

/** What keeps a replacement from being ready. */
interface MemberFaults {
  'members-lacking': {
    readonly launched: number;
    readonly desired: number;
    /** The latest failed launch. */
    readonly failure?: LaunchFailure;
  };
  /** EC2 doesn't show it. */
  'member-unseen': NamedInstance;
  'member-not-in-service': NamedInstance & {
    readonly lifecycleState: string;
    readonly heldBy?: HoldingHooks;
  };
  'member-unhealthy': NamedInstance;
  'member-unregistered': NamedInstance;
  'member-drained-by-others': NamedInstance;
  'member-not-active': NamedInstance & { readonly status: string; readonly statusReason?: string };
  'member-disconnected': NamedInstance;
  'member-unserved': NamedInstance & {
    readonly source: { readonly kind: 'target-group' | 'load-balancer'; readonly name: string };
    /** Undefined if it isn't registered there. */
    readonly state?: string;
    readonly description?: string;
  };
}

/** Why a member takes no task. */
interface IdleFaults {
  'idle-gone': NamedInstance;
  'idle-not-in-service': NamedInstance & { readonly lifecycleState: string };
  'idle-unregistered': NamedInstance;
  'idle-not-active': NamedInstance & { readonly status: string };
  'idle-disconnected': NamedInstance;
}

/** Tasks that should be gone but remain, or that fail. */
interface TaskFaults {
  /** `group` as ECS writes it: `service:<name>` for tasks of a service. */
  'tasks-left': NamedInstance & {
    readonly group: string;
    readonly taskIds: readonly string[];
    /** Whether to name the ids. */
    readonly named: boolean;
  };
  /** Nothing reports the tasks there any more; `groups` has one entry for each group of tasks. */
  'tasks-cut-off': NamedInstance & { readonly groups: readonly string[] };
  /** Protected until then, the last of them. */
  'tasks-protected': NamedInstance & {
    readonly group: string;
    readonly taskIds: readonly string[];
    readonly until: Date;
  };
  /** Without it, the zone would have no healthy target of the service. */
  'last-in-zone': NamedInstance & OfService & { readonly zone: string };
  'service-tasks-left': NamedInstance;
  'tasks-crash': CrashFacts;
}

interface ServiceFaults {
  'service-short': OfService & {
    readonly running: number;
    readonly desired: number;
    /** How many tasks it ran when the roll began, if it was short already. */
    readonly before?: number;
  };
  'service-pending': OfService & { readonly pending: number };
  /** It runs all its tasks, but some don't serve. */
  'service-unhealthy': OfService & { readonly count: number; readonly says: string };
  'service-deploying': OfService & {
    readonly shift?: { readonly since: Date; readonly pausesAt: readonly string[] };
  };
  'deployment-failed': OfService;
}

/** Why tasks of a service could go nowhere else. */
interface PlacementFaults {
  'place-unfit': OfService & {
    /** As ECS writes constraints, or an amount with its unit. */
    readonly needs: string;
    readonly has: string;
    /** The instance compared with; absent if none stays. */
    readonly instanceId?: string;
  };
  'places-too-few': OfService & {
    readonly count: number;
    readonly left: number;
    readonly by: 'distinctInstance' | 'host-port';
  };
  /** It ran short when another instance drained. */
  'ran-short-before': OfService & NamedInstance;
}

interface OfService {
  readonly service: string;
}

/** What EC2 said of a launch, and whether launches fail like that for other reasons than the image. */
export interface LaunchFailure {
  readonly message: string;
  readonly ofNoImage: boolean;
}

/** Launch hooks that hold a member. */
export interface HoldingHooks {
  readonly hooks: readonly string[];
  readonly heartbeatSeconds: number;
  /** Those that end the instance if they get no heartbeat. */
  readonly abandoning: readonly string[];
}

export interface CrashFacts {
  /** As ECS writes it: `service:<name>` for a task of a service. */
  readonly group: string;
  /** Absent if it is no longer known. */
  readonly instanceId?: string;
  /** As AWS writes it. */
  readonly says: string;
  /** Why the image isn't to blame; present if the message should say so. */
  readonly exoneration?: ExonerationKind;
}

/** Ways tasks fail that no image of an instance can cause. */
export type ExonerationKind =
  | 'container-image-gone'
  | 'secret-gone'
  | 'log-group-gone'
  | 'registry-rate-limited'
  | 'subnet-full';
