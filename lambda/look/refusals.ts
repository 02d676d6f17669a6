import type { StaleObservation } from '../aws/errors.ts';
import type { Action } from '../core/actions/decision.ts';
import { secondsBetween } from '../core/model/time.ts';

/** AWS may refuse the same thing so many times in so many seconds: from then on it isn't a stale view. */
const MOST_EQUAL = 3;
const WITHIN_SECONDS = 300;

/** The same of refusals that differ in their words. */
const MOST_OF_A_KIND = 6;

/** The wait after each refusal, the last one for all further ones; a busy group may stay busy for minutes. */
const PAUSES_SECONDS = [20, 120] as const;
const BUSY_PAUSES_SECONDS = [60, 250] as const;

interface Refused {
  readonly at: Date;
  readonly says: string;
}

/** What AWS has refused to do with each group, so that it isn't asked again and again in vain. */
export interface Refusals {
  /** Whether an action may be tried now: after a refusal only some time later. */
  mayTry(group: string, kind: Action['kind'], now: Date): boolean;
  /** @returns whether the same has been refused so often that trying again is useless */
  note(group: string, kind: Action['kind'], error: StaleObservation, now: Date): boolean;
  /** It was carried out. */
  clear(group: string, kind: Action['kind']): void;
  /** Whether trying it again is useless. */
  isFinal(group: string, kind: Action['kind']): boolean;
}

export function refusals(): Refusals {
  const refused = new Map<string, { readonly times: readonly Refused[]; readonly until: Date }>();
  const final = new Set<string>();
  const keyOf = (group: string, kind: Action['kind']) => `${kind} ${group}`;
  return {
    mayTry(group, kind, now) {
      const last = refused.get(keyOf(group, kind));
      return last === undefined || now >= last.until;
    },
    note(group, kind, error, now) {
      const key = keyOf(group, kind);
      const says = lasting(error.message);
      const earlier = refused.get(key)?.times.filter(({ at }) => secondsBetween(at, now) <= WITHIN_SECONDS);
      const times = [...(earlier ?? []), { at: now, says }];
      const equal = times.filter((each) => each.says === says).length;
      const pauses = error.busy ? BUSY_PAUSES_SECONDS : PAUSES_SECONDS;
      const pause = pauses[Math.min(equal, pauses.length) - 1] ?? 0;
      refused.set(key, { times, until: new Date(now.getTime() + pause * 1000) });
      if (equal >= MOST_EQUAL || times.length >= MOST_OF_A_KIND) final.add(key);
      return final.has(key);
    },
    clear(group, kind) {
      refused.delete(keyOf(group, kind));
    },
    isFinal: (group, kind) => final.has(keyOf(group, kind)),
  };
}

/** What AWS says without what differs each time: dates and request ids. */
function lasting(message: string): string {
  return message.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, '');
}
