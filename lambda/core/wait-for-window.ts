import type { Decision } from './actions/decision.ts';
import type { Assessment } from './model/assessment.ts';

/**
 * A roll begins only in a window.
 *
 * @returns undefined if one is open, or the roll has begun
 */
export function beforeWindow({ group: { closed }, hasBegun }: Assessment): Decision | undefined {
  if (closed === undefined || hasBegun) return undefined;
  return { kind: 'planned', reason: closed };
}

/**
 * A roll that has begun waits for the next window.
 *
 * @returns undefined if one is open, or all that is left is to finish
 */
export function untilWindow({ group, outdated, classified }: Assessment): Decision | undefined {
  const { drifted, warm, leaving } = classified;
  const isLeft = outdated.length + drifted.length + warm.length + leaving.length > 0;
  if (group.closed === undefined || !isLeft) return undefined;
  return { kind: 'paused', reason: group.closed };
}
