import { takesTime } from './actions/actions.ts';
import type { Action } from './actions/decision.ts';
import type { GroupDecision } from './group-decision.ts';
import { secondsBetween } from './model/time.ts';

/**
 * What of a poll passes before we look at our own writes. Long enough for AWS to show them, and for two
 * invocations at once to see each other's choices before either uses its own.
 */
const SOON = 1 / 5;

/** In how many seconds a look can show something new, at most a poll. */
export function lookAgainIn({ assessment, decision }: GroupDecision): number {
  const { group, settings, observation } = assessment;
  const { servedSince } = group.watch;
  if (decision.kind !== 'wait' || decision.reason.code !== 'services-settling' || servedSince === undefined)
    return settings.pollSeconds;
  const left = settings.stableSeconds - secondsBetween(servedSince, observation.now);
  return Math.min(settings.pollSeconds, Math.max(left, settings.pollSeconds * SOON));
}

/**
 * The same once actions have been carried out. What follows from a write that takes effect at once can be
 * decided soon.
 *
 * @param isFirstTry the same actions weren't carried out before: if they were, AWS is slow to show them
 */
export function lookAgainAfter(
  actions: readonly Action[],
  { pollSeconds }: { readonly pollSeconds: number },
  isFirstTry: boolean,
): number {
  return isFirstTry && !actions.some(takesTime) ? pollSeconds * SOON : pollSeconds;
}
