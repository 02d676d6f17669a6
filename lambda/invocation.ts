import type { Aws } from './aws/clients.ts';
import type { StaleObservation } from './aws/errors.ts';
import type { Clock } from './clock.ts';
import type { Action } from './core/actions/decision.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { Settings } from './core/model/settings.ts';

/** What one invocation has to work with. */
export interface Invocation {
  readonly aws: Aws;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly journal: Journal;
  /** How long Lambda will let the invocation live. */
  readonly remainingSeconds: () => number;
}

/** Is told what a rollout does, as it happens. */
export interface Journal {
  /** What is to be done about a group, or the reason, has changed. */
  decided(cluster: string, decision: GroupDecision): void;
  /** An action is about to be carried out. */
  acting(cluster: string, group: string, action: Action): void;
  /** AWS was not as it was seen: the rollout looks again. */
  overtaken(cluster: string, group: string, error: StaleObservation): void;
  /** A group, or with `*` a cluster, is given up for this invocation. */
  failed(cluster: string, group: string, error: unknown): void;
}

/** What is kept free before Lambda's limit. One more look fits in, and its calls, throttled and retried. */
export const MARGIN_SECONDS = 60;
