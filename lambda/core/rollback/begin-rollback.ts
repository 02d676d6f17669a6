import type { Action, Decision } from '../actions/decision.ts';
import type { Group, Ordered } from '../model/group.ts';
import type { CourseCause } from '../model/reason.ts';
import type { Roll } from '../model/roll.ts';
import { type GivenUp, stepsToReject } from './rejection.ts';

/** Rolls back where it is the replacements that fail; what else blocks a roll can be mended. */
export function turnBack(group: Group, roll: Roll, decision: Decision, since: Date): Decision {
  if (decision.kind !== 'blocked' || !decision.failing) return decision;
  if (roll.previous.length === 0) return nothingToGoBackTo(decision.reason);
  return {
    kind: 'act',
    reason: { code: 'turns-back', because: decision.reason },
    actions: stepsTo(group, roll, { kind: 'rollback', since, because: decision.reason }),
  };
}

/** A roll that has changed nothing of what its group launches can't be taken back. */
export function nothingToGoBackTo(because: CourseCause): Decision {
  return { kind: 'blocked', reason: { code: 'nothing-to-go-back-to', because } };
}

/** That the images are not to be tried again is written down first, so that no other roll begins behind this one. */
export function stepsTo(group: Ordered, roll: Roll, course: GivenUp): Action[] {
  return [...stepsToReject(group, roll, course), { kind: 'record-course', group: group.name, course }];
}
