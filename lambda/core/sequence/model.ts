import type { Allowed } from '../model/permit.ts';

/** What a sequence is told by its construct, what its members write, and what it remembers itself. */

/** Stages, in the order in which a release goes through them. */
export interface Sequence {
  readonly stages: readonly Stage[];
  /** Whether a halt holds for the same release of other architectures, too. */
  readonly haltsSiblings: boolean;
  /** A member that hasn't spoken for so long is silent. */
  readonly silentAfterHours: number;
}

/** What is remembered of a stage has an end: see `room.ts`. */
export const MOST_CONCURRENT = 500;

export interface Stage {
  readonly name: string;
  /** A member that several stages name is of the first of them. It doesn't choose. */
  readonly members: readonly StageMembers[];
  /** At most `MOST_CONCURRENT`. */
  readonly maxConcurrent: number;
  /** How many may fail before the release is halted. */
  readonly tolerate: number;
  /** Who can't roll for so long isn't waited for. */
  readonly completeWithinHours: number;
  readonly soakHours: number;
  /** Stacks, by pattern, that go before all others. */
  readonly first?: readonly string[];
  /** Whether stacks of different Regions roll at different times. */
  readonly apart?: 'region';
  readonly beforeStage?: 'approval';
  /** What becomes of a release where no member has ever spoken. */
  readonly whenEmpty: 'hold' | 'pass';
  /** In how many accounts a release must have been rolled to be complete; at least 1. */
  readonly quorum: number;
}

export interface StageMembers {
  readonly account: string;
  /** All, if absent. */
  readonly regions?: readonly string[];
  /** Patterns in which `*` is any text; all stacks, if absent. */
  readonly stacks?: readonly string[];
}

export interface MemberName {
  readonly account: string;
  readonly region: string;
  readonly stack: string;
}

/** What a member says of itself; anybody in its account may have written it. */
export interface MemberStatus {
  readonly member: MemberName;
  readonly spokeAt: Date;
  /** Of the allowance that it has read last; 0 before the first. */
  readonly generation: number;
  /** Since when an alarm of its own is on. */
  readonly alarmSince?: Date;
  readonly acceptsRevert: boolean;
  /** By line: a family with its architecture, or the owner's pattern or parameter. */
  readonly lines: ReadonlyMap<string, LineStatus>;
}

export interface LineStatus {
  /** The newest release that its settings let it choose; absent if it has none. */
  readonly newest?: string;
  /** The oldest and the newest release that its groups run; absent where they run none of the line. */
  readonly runs?: { readonly oldest: string; readonly newest: string };
  /** What a roll under way rolls it onto. */
  readonly rolling?: string;
  /** It has announced a roll, which begins then. */
  readonly beginsAt?: Date;
  /** Why it can't begin a roll now, or go on with one, in words. */
  readonly hindered?: string;
  /** The oldest release of those groups that can begin one all the same; absent if none can, or all. */
  readonly readyFrom?: string;
  /** A rollback that nobody ordered, or a rejection. */
  readonly failed?: { readonly release: string; readonly at: Date; readonly why: string };
}

/** What a member may roll onto, by line: of a line that is absent, nothing. The sequence alone writes it. */
export interface Allowance {
  /** Grows with each change. */
  readonly generation: number;
  readonly lines: ReadonlyMap<string, Allowed>;
}

export interface SequenceState {
  readonly lines: ReadonlyMap<string, LineState>;
  /** Keys of members that get nothing new, and that nobody waits for. */
  readonly leftOut: readonly string[];
  /** Ids of the orders that have been taken. */
  readonly taken: readonly string[];
}

export interface LineState {
  readonly known: readonly KnownRelease[];
  readonly halts: readonly Halt[];
  /** By the stage's name. */
  readonly stages: ReadonlyMap<string, StageState>;
}

export interface KnownRelease {
  readonly name: string;
  readonly since: Date;
  /** It soaks nowhere, and goes before what is under way. */
  readonly isExpedited?: true;
}

export interface Halt {
  readonly release: string;
  readonly at: Date;
  readonly why: string;
  /** What is under way stops at its next batch. */
  readonly isNow?: true;
}

export interface StageState {
  /** What it takes now, or took last. */
  readonly release?: string;
  readonly since?: Date;
  readonly isBack?: true;
  /** Failures until then are forgiven. */
  readonly forgivenAt?: Date;
  readonly completedAt?: Date;
  readonly skipsSoak?: true;
  /** The release that people were asked about, and the one that they approved. */
  readonly asked?: string;
  readonly approved?: string;
  /** Since when it tries to get a release through, whichever. */
  readonly tryingSince?: Date;
  readonly starvedAt?: Date;
  /** The release that has been rolled and soaked here last. */
  readonly qualified?: string;
  /** The one that had been when the stage took its release. */
  readonly before?: string;
  readonly slots: ReadonlyMap<string, Slot>;
}

export interface Slot {
  readonly since: Date;
  /** It is taken back by the allowance of this generation, and counts until the member has read that. */
  readonly withdrawnBy?: number;
  /** Why it is taken back, or was when its member had it last. */
  readonly why?: string;
  /** Its member has had it in vain, why: it counts no more, and others go first. */
  readonly passedOver?: string;
}

interface AnyOrder {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
}

export interface MemberOrder extends AnyOrder {
  readonly kind: 'leave-out' | 'take-in';
  readonly member: MemberName;
}

/** `line` absent: all lines that it could mean. */
export type LineOrder = AnyOrder & { readonly line?: string } & (
    | { readonly kind: 'halt'; readonly release?: string; readonly isNow?: true }
    | { readonly kind: 'resume' | 'expedite'; readonly release: string }
    | { readonly kind: 'skip-soak'; readonly stage: string }
    | { readonly kind: 'approve' | 'revert'; readonly stage: string; readonly release: string }
  );

/** What somebody has asked of the sequence. */
export type SequenceOrder = MemberOrder | LineOrder;

/** Everything that is in the table, at one moment. */
export interface SequenceSeen {
  readonly state: SequenceState;
  readonly statuses: readonly MemberStatus[];
  /** By the key of the member. */
  readonly allowances: ReadonlyMap<string, Allowance>;
  readonly orders: readonly SequenceOrder[];
  /** What an allowance gets that changes now: greater than any in the table, or that any pass before had. */
  readonly generation: number;
}

export const NOTHING_YET: SequenceState = { lines: new Map(), leftOut: [], taken: [] };

export const NEW_STAGE: StageState = { slots: new Map() };

/** Names a member in keys: no part of it contains `#`. */
export function memberKey({ account, region, stack }: MemberName): string {
  return `${account}#${region}#${stack}`;
}

/** A release got on, or was halted. */
export type SequenceEvent =
  | {
      readonly kind:
        | 'ApprovalAwaited'
        | 'StageBegan'
        | 'StageCompleted'
        | 'ReleaseQualified'
        | 'StageStarved';
      readonly line: string;
      readonly stage: string;
      readonly release: string;
    }
  | {
      readonly kind: 'ReleaseHalted';
      readonly line: string;
      readonly stage?: string;
      readonly release: string;
      readonly why: string;
    };
