import type { Fault } from './fault.ts';
import type { HookStage } from './hook.ts';
import type { NamedImage, NamedInstances } from './obstacle.ts';

/** Why something is done to a group now. `text/steps.ts` has the words. */
export interface StepFacts extends RollSteps, SizeSteps, ReplacementSteps, DrainSteps, OrderSteps {}

/** Steps of the roll as a whole. */
interface RollSteps {
  'cluster-tag-spoilt': unknown;
  'start-tag-lost': unknown;
  'roll-begins': {
    readonly images: readonly NamedImage[];
    readonly outdated: readonly Outdated[];
    readonly madeBefore: readonly MadeBefore[];
    readonly refused: readonly string[];
  };
  'roll-announced': {
    readonly images: readonly NamedImage[];
    readonly outdated: readonly Outdated[];
    readonly until: Date;
  };
  'notice-withdrawn': unknown;
  'images-given': { readonly images: readonly NamedImage[] };
  'launch-spec-given-back': unknown;
  'trial-begins': NamedInstances & { readonly seconds: number };
  'trial-begins-anew': {
    /** Empty if what was tried out is gone. */
    readonly faults: readonly Fault[];
  };
  'trial-passed': NamedInstances & { readonly isIdle: boolean };
  'hook-asked': { readonly stage: HookStage; readonly hook: string };
  'hook-asked-anew': unknown;
  'question-answered': { readonly question: string; readonly answer: 'go' | 'refuse' };
}

export interface Outdated {
  readonly reasons: readonly string[];
}

/** A template version that an earlier roll made. */
export interface MadeBefore {
  readonly templateId: string;
  readonly version: number;
  readonly imageId: string;
}

export interface SizePair {
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

/** Why noted sizes can't be ours. */
export type SizesFault =
  | { readonly kind: 'too-many'; readonly desiredCapacity: number; readonly mayBe: number }
  | { readonly kind: 'negative'; readonly over: SizePair }
  | { readonly kind: 'change'; readonly from: SizePair; readonly to: SizePair; readonly mayAdd: number }
  | { readonly kind: 'min-size'; readonly owner: number; readonly least: number };

/** Steps that change the group's sizes and processes. */
interface SizeSteps {
  'size-notes-void': { readonly faults: readonly SizesFault[] };
  'size-changes': { readonly from: SizePair; readonly to: SizePair };
  'size-noted': SizePair;
  'size-set-by-others': { readonly sizes: SizePair; readonly ours: SizePair };
  'group-enlarged': { readonly by: number };
  'capacity-kept': { readonly desiredCapacity: number };
  'max-size-raised': { readonly by: number };
  'max-size-kept': { readonly maxSize: number };
  'max-size-given-back': { readonly maxSize: number };
  'min-size-raised': { readonly minSize: number };
  'min-size-not-ours': { readonly minSize: number };
  'min-size-rest-begins': { readonly minSize: number; readonly seconds: number };
  'min-size-given-back': { readonly minSize: number };
  'processes-suspended': { readonly processes: readonly SuspendableProcess[] };
  'processes-resumed': Processes;
  'processes-forgotten': Processes;
}

interface Processes {
  readonly processes: readonly string[];
}

/** Processes of a group that would interfere with a roll. */
export type SuspendableProcess =
  | 'AZRebalance'
  | 'InstanceRefresh'
  | 'AlarmNotification'
  | 'Launch'
  | 'ReplaceUnhealthy';

interface OfMembers {
  readonly count: number;
  readonly of: number;
}

/** Steps that choose members and make them leave. */
interface ReplacementSteps {
  'members-chosen': OfMembers & { readonly outdated: readonly Outdated[] };
  'warm-chosen': OfMembers & { readonly outdated: readonly Outdated[] };
  'warm-ended': OfMembers;
  'members-detached': OfMembers & {
    /** Absent if they were chosen before. */
    readonly outdated?: readonly Outdated[];
  };
  'marked-again': OfMembers;
  /** The last to serve in their zone, and who leaves in their place. */
  'zones-kept': { readonly staying: readonly string[]; readonly instead: readonly string[] };
  'surplus-leaves': NamedInstances & Way & { readonly surplus: number };
  'failed-leave': NamedInstances & Way;
  'failed-chosen': NamedInstances;
  'old-attached': NamedInstances;
  unmarked: unknown;
}

/** Whether the group ends them itself, or we detach them. */
interface Way {
  readonly way: 'ended' | 'detached';
}

/** Steps that drain and end instances. */
interface DrainSteps {
  'turns-taken': {
    readonly ending: readonly string[];
    readonly beginning: readonly string[];
    readonly chosen: readonly string[];
  };
  'drain-given-up': {
    readonly instanceId: string;
    /** Absent if its time isn't over yet. */
    readonly afterSeconds?: number;
    readonly faults: readonly Fault[];
  };
  'drain-undone': NamedInstances & {
    /** Why the drain is undone: given up, protected from termination, or no longer to be replaced. */
    readonly because: 'given-up' | 'protected' | 'stays';
  };
  'drain-spared': NamedInstances & { readonly faults: readonly Fault[] };
  'drain-retried': NamedInstances;
  'health-restored': NamedInstances;
}

/** Steps that somebody ordered. */
interface OrderSteps {
  pauses: unknown;
  resumes: unknown;
  aborts: unknown;
  'rolls-back': unknown;
  skips: unknown;
  'order-resumed': { readonly order: 'abort' | 'rollback' };
  'order-dated': unknown;
}

export type StepCode = keyof StepFacts;

export type Step<Code extends StepCode = StepCode> = {
  [Each in Code]: { readonly code: Each } & StepFacts[Each];
}[Code];
