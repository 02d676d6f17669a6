import { isOnTrial } from '../canary/trial.ts';
import type { RollAssessment } from '../model/assessment.ts';

/** Most instances that DetachInstances takes in one call. */
export const DETACH_BATCH = 20;

/** How many members a batch may have, at most `most`: see `surgeCount`. */
export function batchSize(assessment: RollAssessment, most: number): number {
  const { settings } = assessment;
  return isOnTrial(assessment) ? Math.min(most, settings.canary) : most;
}
