import type { CrashFacts, Fault } from './fault.ts';
import type { HookStage } from './hook.ts';
import type { NamedInstance, NamedInstances } from './obstacle.ts';
import type { GroupQuestion } from './request.ts';

/**
 * What a roll that has begun, or is about to begin, waits for or is blocked by. `text/hold-ups.ts` has the
 * words.
 */
export interface HoldUpFacts
  extends GroupHoldUps,
    ReplacementHoldUps,
    DrainHoldUps,
    EndingHoldUps,
    ServiceHoldUps {}

/** Hold-ups in the group itself: what was asked of it, or what is happening to it. */
interface GroupHoldUps {
  'left-out-in-roll': unknown;
  'left-out-while-leaving': NamedInstances;
  /** The group is larger than its owner wants, and only these could leave. */
  'left-out-with-surplus': NamedInstances;
  'instance-refresh': { readonly status: string /** Its process is suspended. */; readonly paused: boolean };
  /** Of a rollback: nothing shows that it is about what the group launches now. */
  'rollback-doubtful': { readonly since: Date };
  'other-groups-first': { readonly groups: readonly string[] };
  'outside-windows': {
    /** Absent if they never open. */
    readonly opensAt?: Date;
  };
  'calendars-closed': {
    readonly calendars: readonly string[];
    /** Until when at least. */
    readonly opensAt?: Date;
  };
  'calendar-unread': { readonly calendar: string; readonly because: string };
  'alarm-missing': { readonly names: readonly string[] };
  'alarm-ringing': { readonly alarms: readonly RingingAlarm[] };
  'alarm-overdue': { readonly alarm: RingingAlarm; readonly afterSeconds: number };
  'detachment-unproven': NamedInstances & { readonly group: string };
  'detachment-awaited': NamedInstances;
  'instances-unknown': NamedInstances & { readonly zones: readonly string[] };
  'hook-holds': Hooked & { readonly askedAt: Date; readonly until: Date };
  /** People are asked. */
  'approval-awaited': GroupQuestion & { readonly stage: HookStage; readonly until: Date };
  'hook-refuses': Hooked & {
    /** Nobody answered it. */
    readonly unanswered?: GroupQuestion;
    /** How long it has held; absent if it refused in so many words. */
    readonly afterMinutes?: number;
  };
  /** AWS refused the launch spec we wanted to give the group. */
  'launch-spec-refused': { readonly says: string };
  /** AWS has refused another change of the group again and again. */
  'call-refused': { readonly says: string };
}

interface Hooked {
  readonly stage: HookStage;
  /** In the hook's own words. */
  readonly says?: string;
}

export interface RingingAlarm {
  readonly name: string;
  readonly since: Date;
}

/** Hold-ups by replacements, and by the room for them. */
interface ReplacementHoldUps {
  'replacements-not-ready': Overdue & { readonly faults: readonly Fault[] };
  'no-room': {
    readonly desiredCapacity: number;
    readonly maxSize: number;
    /** Something routes requests to its members directly. */
    readonly isSentRequests: boolean;
    /** So its maximum size isn't raised for a while: the pool would launch as many. */
    readonly poolFollowsMaximum?: true;
  };
  'members-not-detachable': Overdue & {
    readonly members: readonly { readonly instanceId: string; readonly lifecycleState: string }[];
  };
  /** They no longer run, and their group hasn't replaced them yet. */
  'members-not-replaced-yet': NamedInstances;
  'other-members-failing': unknown;
  'being-detached': NamedInstances;
  'serve-until-replaced': NamedInstances;
  'trial-not-begun': NamedInstances & { readonly faults: readonly Fault[] };
  'on-trial': NamedInstances & {
    readonly seconds: number;
    readonly since: Date;
    readonly faults: readonly Fault[];
    /** No task has been placed on them yet. */
    readonly isIdle: boolean;
  };
  'min-size-rests': { readonly minSize: number; readonly seconds: number };
}

/** Hold-ups by instances to drain. */
interface DrainHoldUps {
  'too-few-serve': Overdue & { readonly desiredCapacity: number; readonly faults: readonly Fault[] };
  /** Draining, or next to drain, and what is still running on them or unsteady. */
  draining: Overdue &
    NamedInstances & {
      readonly isNext: boolean;
      readonly faults: readonly Fault[];
      readonly failedDeployments: readonly Fault[];
    };
  /** Not started, because their tasks could go nowhere else. */
  'drain-stranding': Undrained;
  /** Given up because services ran short meanwhile. */
  'drain-harmful': Undrained & { readonly afterSeconds: number; readonly services: readonly string[] };
  'drain-timed-out': Undrained & { readonly afterSeconds: number };
  'image-lacks': { readonly faults: readonly Fault[] };
  'health-checks-awaited': NamedInstances;
  'registration-awaited': NamedInstance;
  'registration-unfinished': NamedInstance & { readonly status?: string; readonly seconds: number };
  'instance-status': NamedInstance & { readonly status: string };
}

/** Instances that aren't drained and keep serving. */
interface Undrained extends NamedInstances {
  readonly faults: readonly Fault[];
  /** Of a service whose crashes the image isn't to blame for. */
  readonly crash?: CrashFacts;
}

/** Hold-ups by instances to end. */
interface EndingHoldUps {
  'being-ended': NamedInstances & {
    /** The group's hooks, as far as known; present while a terminate hook holds any of them. */
    readonly heldBy?: readonly string[];
  };
  'ending-overdue': {
    readonly afterSeconds: number;
    readonly members: readonly {
      readonly instanceId: string;
      readonly lifecycleState: string;
      readonly since: Date;
    }[];
    /** Hooks that don't let go; empty if no hook holds any. */
    readonly hooks: readonly string[];
  };
  'ending-retained': NamedInstances & { readonly group: string };
  'termination-protected': NamedInstances;
}

/** Hold-ups by the services of the cluster. */
interface ServiceHoldUps {
  'services-settling': NamedInstances & { readonly seconds: number };
  'services-never-steady': NamedInstances & {
    readonly afterSeconds: number;
    readonly seconds: number;
    readonly faults: readonly Fault[];
  };
  'tasks-keep-crashing': { readonly crash: CrashFacts; readonly forSeconds: number };
  /** Tasks that run on a replacement and don't serve. */
  'tasks-stay-unhealthy': NamedInstance & {
    readonly service: string;
    readonly says: string;
    readonly forSeconds: number;
  };
  'crash-watched': { readonly crash: CrashFacts };
  'service-unmovable': { readonly crash: CrashFacts };
}

interface Overdue {
  /** How long it may last, once that is exceeded. */
  readonly afterSeconds?: number;
}

export type HoldUpCode = keyof HoldUpFacts;

export type HoldUp<Code extends HoldUpCode = HoldUpCode> = {
  [Each in Code]: { readonly code: Each } & HoldUpFacts[Each];
}[Code];

/** Why nothing new may begin at this time, as the settings have it. */
export type Closed = HoldUp<'outside-windows' | 'calendars-closed' | 'calendar-unread'>;
