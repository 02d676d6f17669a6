import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';

/** What is done where nothing is to be begun. */
export function pausedIn({ pausedSince }: Group): Decision {
  return { kind: 'paused', reason: { code: 'paused', ...(pausedSince && { since: pausedSince }) } };
}
