import { StaleObservation } from '../aws/errors.ts';
import { faultOf } from '../aws/faults.ts';
import type { Action } from '../core/actions/decision.ts';
import { secondsBetween } from '../core/model/time.ts';

/** For this long IAM may judge a call by a resource's earlier tags. */
const LAG_SECONDS = 60;

/** The shortest wait before the next look, then. */
export const LAG_PAUSE_SECONDS = 10;

/** What the role may do only to groups and instances with our tags: see `infra/permissions`. */
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

/** When the tags that IAM judges a group's calls by were last written, as far as we know. */
export interface TagTimes {
  /** Notes that an action on a group was carried out. */
  note(group: string, action: Action, now: Date): void;
  /**
   * What a denial means: a stale view, if the call depends on tags that IAM may not know yet.
   *
   * @returns undefined if it is a real denial, or none
   */
  asLag(group: string, action: Action, error: unknown, now: Date): StaleObservation | undefined;
}

/**
 * @param begunAt when the invocation began: one before it may have written tags right before it was killed
 */
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
      // A retry writes the same tags again first.
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
