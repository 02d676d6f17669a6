import type { Decision } from '../actions/decision.ts';
import type { ObstructedAssessment } from '../model/assessment.ts';
import { EC2_LAG_SECONDS, isOver } from '../model/time.ts';

/**
 * Waits, in a roll, for a version that EC2 may not show yet: what we have made ourselves isn't for its owner
 * to fix.
 */
export function awaitVersion({
  obstacle,
  hasBegun,
  observation,
}: ObstructedAssessment): Decision | undefined {
  if (!hasBegun || obstacle.code !== 'launch-template-version-missing') return undefined;
  if (isOver(obstacle.missedSince, EC2_LAG_SECONDS, observation.now)) return undefined;
  return { kind: 'wait', reason: obstacle };
}
