import type { CrashFacts, Fault } from './fault.ts';

/** What a roll that has begun, or is about to, waits for or is blocked by. `text/hold-ups.ts` has the words. */
export interface HoldUpFacts
  extends GroupHoldUps,
    ReplacementHoldUps,
    DrainHoldUps,
    EndingHoldUps,
    ServiceHoldUps {}

/** By what is said of the group, or goes on in it. */
interface GroupHoldUps {
  'left-out-in-roll': unknown;
  'left-out-while-leaving': Some;
  'instance-refresh': { readonly status: string };
  'other-groups-first': { readonly groups: readonly string[] };
  'alarm-missing': { readonly names: readonly string[] };
  'alarm-ringing': { readonly alarms: readonly RingingAlarm[] };
  'alarm-overdue': { readonly alarm: RingingAlarm; readonly afterSeconds: number };
  'detachment-unproven': Some & { readonly group: string };
  'detachment-awaited': Some;
  /** AWS refused the launch spec that the roll was to give the group. */
  'launch-spec-refused': { readonly says: string };
}

export interface RingingAlarm {
  readonly name: string;
  readonly since: Date;
}

/** By the replacements, and by room for them. */
interface ReplacementHoldUps {
  'replacements-not-ready': Overdue & { readonly faults: readonly Fault[] };
  'no-room': {
    readonly desiredCapacity: number;
    readonly maxSize: number;
    /** Something sends its members requests by itself. */
    readonly isSentRequests: boolean;
  };
  'members-not-detachable': Overdue & {
    readonly members: readonly { readonly instanceId: string; readonly lifecycleState: string }[];
  };
  /** They run no more, and their group is to replace them. */
  'members-not-replaced-yet': Some;
  'other-members-failing': unknown;
  'being-detached': Some;
  'serve-until-replaced': Some;
  'trial-not-begun': Some & { readonly faults: readonly Fault[] };
  'on-trial': Some & {
    readonly seconds: number;
    readonly since: Date;
    readonly faults: readonly Fault[];
    /** No task has come to them yet. */
    readonly isIdle: boolean;
  };
  'min-size-rests': { readonly minSize: number; readonly seconds: number };
}

/** By instances that are to drain. */
interface DrainHoldUps {
  'too-few-serve': Overdue & { readonly desiredCapacity: number; readonly faults: readonly Fault[] };
  /** Or are next to, with what is left on them or unsteady. */
  draining: Overdue &
    Some & {
      readonly isNext: boolean;
      readonly faults: readonly Fault[];
      readonly failedDeployments: readonly Fault[];
    };
  /** Not begun, as tasks would find no other place. */
  'drain-stranding': Undrained;
  /** Given up, and services ran short meanwhile. */
  'drain-harmful': Undrained & { readonly afterSeconds: number; readonly services: readonly string[] };
  'drain-timed-out': Undrained & { readonly afterSeconds: number };
  'image-lacks': { readonly faults: readonly Fault[] };
  'health-checks-awaited': Some;
  'registration-awaited': OfInstance;
  'registration-unfinished': OfInstance & { readonly status?: string; readonly seconds: number };
  'instance-status': OfInstance & { readonly status: string };
}

/** They are not drained, and serve on. */
interface Undrained extends Some {
  readonly faults: readonly Fault[];
  /** Of a service that the image isn't to blame for. */
  readonly crash?: CrashFacts;
}

/** By instances that are to end. */
interface EndingHoldUps {
  'being-ended': Some & {
    /** There while a terminate hook holds any of them: the hooks of the group, as far as they are known. */
    readonly heldBy?: readonly string[];
  };
  'ending-overdue': {
    readonly afterSeconds: number;
    readonly members: readonly {
      readonly instanceId: string;
      readonly lifecycleState: string;
      readonly since?: Date;
    }[];
    /** Hooks that don't let go; none where no hook holds any. */
    readonly hooks: readonly string[];
  };
  'ending-retained': Some & { readonly group: string };
  'termination-protected': Some;
}

/** By the services of the cluster. */
interface ServiceHoldUps {
  'services-settling': Some & { readonly seconds: number };
  'services-never-steady': Some & {
    readonly afterSeconds: number;
    readonly seconds: number;
    readonly faults: readonly Fault[];
  };
  'tasks-keep-crashing': { readonly crash: CrashFacts; readonly forSeconds: number };
  'crash-watched': { readonly crash: CrashFacts };
  'service-unmovable': { readonly crash: CrashFacts };
}

interface Some {
  readonly instanceIds: readonly string[];
}

interface OfInstance {
  readonly instanceId: string;
}

interface Overdue {
  /** It has lasted for longer than this, and may not; left out while it may. */
  readonly afterSeconds?: number;
}

export type HoldUpCode = keyof HoldUpFacts;

export type HoldUp<Code extends HoldUpCode = HoldUpCode> = {
  [Each in Code]: { readonly code: Each } & HoldUpFacts[Each];
}[Code];
