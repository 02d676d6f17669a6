import type { Aws } from './aws/clients.ts';
import type { StaleObservation } from './aws/errors.ts';
import type { Clock } from './clock.ts';
import type { Action } from './core/actions/decision.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { Permit } from './core/model/permit.ts';
import type { Settings } from './core/model/settings.ts';

/** What an invocation works with. */
export interface Invocation {
  readonly aws: Aws;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly journal: Journal;
  /** How many seconds Lambda will let the invocation live. */
  readonly remainingSeconds: () => number;
  /** Present if the stack is a member of a sequence. */
  readonly sequence?: SequenceMember;
}

/** What an invocation has to do with the sequence that its stack is a member of. */
export interface SequenceMember {
  /** What it may roll onto now: asked at each look. */
  permit(): Promise<Permit | undefined>;
  /** What was decided at a look. */
  heard(decided: readonly GroupDecision[]): void;
}

/** Hears what a roll does, as it happens. */
export interface Journal {
  /** The decision about a group, or its reason, has changed. */
  decided(cluster: string, decision: GroupDecision): void;
  /** An action is about to be carried out. */
  acting(cluster: string, group: string, action: Action): void;
  /** AWS changed since it was observed: the loop looks again. */
  overtaken(cluster: string, group: string, error: StaleObservation): void;
  /** The event bus couldn't be told of a group: a later look tries again. */
  untold(cluster: string, group: string, error: unknown): void;
  /** A group, or with `*` a cluster, failed; this invocation leaves it alone from now on. */
  failed(cluster: string, group: string, error: unknown): void;
}

/**
 * Seconds to keep free before Lambda's limit: enough for one more look with its calls throttled and
 * retried.
 */
export const MARGIN_SECONDS = 60;
