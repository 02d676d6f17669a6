import type { Decision } from './actions/decision.ts';
import type { GroupAssessment } from './model/assessment.ts';
import type { Warning } from './reasons/warnings.ts';
import type { Note } from './sizes/credible-sizes.ts';

/** What to do about a group. */
export interface GroupDecision {
  readonly assessment: GroupAssessment;
  readonly decision: Decision;
  /** Problems that won't stop the roll but that people should know about. */
  readonly warnings: readonly Warning[];
  /** Notes on its tags that are ignored because they can't be ours. */
  readonly incredible: readonly Note[];
}
