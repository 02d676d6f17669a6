import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';

/** What is done where nothing is to be begun. */
export function pausedIn({ pausedSince }: Group): Decision {
  const since = pausedSince === undefined ? '' : ` since ${pausedSince.toISOString()}`;
  return { kind: 'paused', reason: `paused${since}; {"action":"resume"} lets it go on` };
}
