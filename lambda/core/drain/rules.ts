import type { Candidate } from './phase.ts';

/** What may drain and end in a group, depending on where its roll is heading. */
export interface DrainRules {
  /** Instances may take turns and begin to drain. Those that already drain may end in any case. */
  readonly mayBegin: boolean;
  /**
   * The last drained instance stays until the replacements have proved themselves, as it could take its tasks
   * back.
   */
  readonly onTrial: boolean;
  /** Ids of instances that keep serving meanwhile. */
  readonly keptServing: ReadonlySet<string>;
  /**
   * Ids of instances on which tasks fail. Services may not be steady before these are gone, and none is set
   * back ACTIVE.
   */
  readonly failed: ReadonlySet<string>;
}

export const UNRESTRICTED: DrainRules = {
  mayBegin: true,
  onTrial: false,
  keptServing: new Set(),
  failed: new Set(),
};

/** Whether tasks fail on this instance. */
export function isFailed({ instance }: Candidate, { failed }: DrainRules): boolean {
  return failed.has(instance.instanceId);
}
