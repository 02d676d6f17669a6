import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';

/** The decision while a group is paused. */
export function pausedIn({ pausedSince }: Group): Decision {
  return { kind: 'paused', reason: { code: 'paused', ...(pausedSince && { since: pausedSince }) } };
}
