import type { NamedInstances, ServiceBounds, UnprovenInstances } from './obstacle.ts';
import type { RejectionCause } from './reason.ts';
import type { MadeBefore } from './step.ts';

/** Facts of each warning: what won't stop a roll but people should know about. */
interface WarningFacts
  extends TagWarnings,
    ServiceWarnings,
    ZoneWarnings,
    HookWarnings,
    ImageWarnings,
    Unread {
  /** Nothing is done about it until its tasks of the other cluster are gone. */
  'busy-elsewhere': { readonly instanceId: string; readonly cluster: string };
  'detachment-unproven': UnprovenInstances;
  /** A tag asks for it, and nothing is left of the roll that it could be about. */
  'request-void': { readonly request: 'abort' | 'rollback' };
  /** In a roll that is aborted, without a mark of ours. */
  'draining-unmarked': NamedInstances;
}

interface TagWarnings {
  'setting-tag-ignored': {
    readonly tag: string;
    readonly value: string | undefined;
    readonly because: TagIgnored;
  };
  'exclude-tag-mistyped': {
    readonly tag: string;
    readonly value: string;
    /** Of an instance; absent if it is the group's. */
    readonly instanceId?: string;
  };
}

/** What keeps a group's tag from setting what it asks for. */
export type TagIgnored =
  /** The stack's variable doesn't list the setting. */
  | {
      readonly kind: 'setting-not-listed';
      readonly setting: string;
      readonly variable: string;
      readonly isLessGentle: boolean;
    }
  /** The stack's variable doesn't list the value. */
  | { readonly kind: 'value-not-listed'; readonly variable: string }
  /** An image and its owner count only together. */
  | { readonly kind: 'other-ignored' };

interface ServiceWarnings {
  'tasks-will-be-stopped': ServiceBounds;
  'place-uncertain': {
    readonly service: string;
    readonly needs: string;
    /** Attributes that new instances may lack though old ones have them. */
    readonly guessed: readonly string[];
  };
  'service-unsteady': { readonly service: string; readonly running: number };
  'task-addresses-lacking': { readonly service: string; readonly free: number; readonly count: number };
  /** Services whose only task goes before another runs: always, or possibly. */
  'single-task-interrupted': { readonly services: readonly string[]; readonly isCertain: boolean };
}

interface ZoneWarnings {
  /** How many members are in each; once it may, the group ends some undrained to even them out. */
  'zones-uneven': { readonly counts: readonly (readonly [zone: string, members: number])[] };
  /** Requests that come to these zones may find nobody for a while. */
  'zones-may-empty': { readonly zones: readonly string[]; readonly sources: readonly string[] };
}

interface HookWarnings {
  /** Under managed termination protection, where AWS advises against it. */
  'detached-though-protected': unknown;
  'terminate-hooks-skipped': { readonly hooks: readonly string[] };
  'launch-hooks-hold': {
    readonly hooks: readonly string[];
    readonly heartbeatSeconds: number;
    /** Those that end an instance they hear nothing of. */
    readonly abandoning: readonly string[];
  };
}

interface ImageWarnings {
  'rejected-image-runs': NamedInstances & { readonly because: RejectionCause };
  'recorded-images-refused': { readonly imageIds: readonly string[] };
  'refused-image-runs': NamedInstances;
  'version-made-before': MadeBefore;
  /** The group launches only into Capacity Reservations, whose room isn't known. */
  'reserved-room-unknown': { readonly id?: string; readonly instances: number };
  /** A rollback couldn't launch or attach instances of these, which the group launches now. */
  'no-way-back': { readonly imageIds: readonly string[] };
  'family-ended': { readonly family: string; readonly endsAt: string; readonly next: string };
}

/** What AWS didn't answer, though only warnings need it. */
interface Unread {
  'offer-unread': Because;
  'other-cluster-unread': Because & { readonly cluster: string };
  'lifecycle-hooks-unread': Because;
  'task-definitions-unread': Because;
  'instance-profiles-unread': Because & { readonly name: string };
  'task-targets-unread': Because & { readonly source: string };
}

interface Because {
  readonly because: string;
}

export type WarningCode = keyof WarningFacts;

export type Warning<Code extends WarningCode = WarningCode> = {
  [Each in Code]: { readonly code: Each } & WarningFacts[Each];
}[Code];
