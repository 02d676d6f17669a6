import type { Decision } from './actions/decision.ts';
import type { Note } from './credible.ts';
import type { Drifted } from './model/assessment.ts';
import type { Group } from './model/group.ts';

/** A group with what is to be done about it. */
export interface GroupDecision {
  readonly group: Group;
  readonly decision: Decision;
  /** The members, and instances of the warm pool, that are to be replaced, with the reasons. */
  readonly drifted: readonly Drifted[];
  /** What won't stop the roll but is to be known, a sentence each. */
  readonly warnings: readonly string[];
  /** Notes on its tags that count for none, as they can't be ours. */
  readonly incredible: readonly Note[];
}
/** A group with what is to be done about it. */
export interface GroupDecision {
  readonly group: Group;
  readonly decision: Decision;
  /** The members, and instances of the warm pool, that are to be replaced, with the reasons. */
  readonly drifted: readonly Drifted[];
  /** What won't stop the roll but is to be known, a sentence each. */
  readonly warnings: readonly string[];
  /** Notes on its tags that count for none, as they can't be ours. */
  readonly incredible: readonly Note[];
}
