import { StaleObservation } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import type { Action } from '../core/actions/decision.ts';
import { secondsBetween } from '../core/model/time.ts';

/** So long may IAM judge a call by tags that a resource bore before. */
const LAG_SECONDS = 60;

/** How long is waited before the next look, however soon that would come. */
export const LAG_PAUSE_SECONDS = 10;

/** What the role may do to groups and instances that bear our tags: see `infra/permissions`. */
const BOUND_TO_TAGS: ReadonlySet<Action['kind']> = new Set<Action['kind']>([
  'use-launch-configuration',
  'use-launch-template-version',
  'change-mixed-instances-policy',
  'set-sizes',
  'suspend-processes',
  'resume-processes',
  'set-healthy',
  'attach-instances',
  'detach-instances',
  'terminate-members',
  'terminate',
  'mark-instances',
  'unmark-instances',
]);

/** When the tags that a group's calls are judged by were written last, as far as that is known. */
export interface TagTimes {
  /** Notes that an action on a group was carried out. */
  note(group: string, action: Action, now: Date): void;
  /**
   * What a denial means: that AWS is not as it was seen, where the call is bound to tags that may be too
   * young for IAM.
   *
   * @returns undefined where it is a denial for good, or none
   */
  asLag(group: string, action: Action, error: unknown, now: Date): StaleObservation | undefined;
}

/** @param begunAt of the invocation: one before it may have written tags right before it was killed */
export function tagTimes(begunAt: Date): TagTimes {
  const written = new Map<string, Date>();
  const deniedSince = new Map<string, Date>();
  const isLate = (since: Date, now: Date) => secondsBetween(since, now) > LAG_SECONDS;
  return {
    note(group, { kind }, now) {
      if (BOUND_TO_TAGS.has(kind)) deniedSince.delete(group);
      if (kind.startsWith('record-') || kind === 'mark-instances') written.set(group, now);
    },
    asLag(group, { kind }, error, now) {
      if (!BOUND_TO_TAGS.has(kind) || faultOf(error).kind !== 'denied') return undefined;
      const since = written.get(group) ?? begunAt;
      // What is tried again writes the same tags before it again.
      const first = deniedSince.get(group) ?? now;
      if (isLate(since, now) || isLate(first, now)) return undefined;
      deniedSince.set(group, first);
      const age = Math.round(secondsBetween(since, now));
      return new StaleObservation(
        `denied, perhaps as IAM does not know yet of tags written ${age} s ago: ${(error as Error).message}`,
        { cause: error },
      );
    },
  };
}
