import type { Decision } from './actions/decision.ts';
import type { Note } from './credible.ts';
import type { GroupAssessment } from './model/assessment.ts';

/** What is to be done about a group. */
export interface GroupDecision {
  readonly assessment: GroupAssessment;
  readonly decision: Decision;
  /** What won't stop the roll but is to be known, a sentence each. */
  readonly warnings: readonly string[];
  /** Notes on its tags that count for none, as they can't be ours. */
  readonly incredible: readonly Note[];
}
