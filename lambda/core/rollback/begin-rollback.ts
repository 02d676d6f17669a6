import type { Action, Decision } from '../actions/decision.ts';
import { type GivenUp, stepsToReject } from '../launch-spec/rejected-images.ts';
import type { Ordered, RollingGroup } from '../model/group.ts';
import type { Roll } from '../model/roll.ts';
import type { CourseCause } from '../reasons/reason.ts';

/** Turns a roll back if its replacements fail. Its owner can fix anything else that blocks it. */
export function beginRollback(group: RollingGroup, decision: Decision, since: Date): Decision {
  if (decision.kind !== 'blocked' || !decision.failing) return decision;
  if (group.roll.previous.length === 0) return nothingToGoBackTo(decision.reason);
  return {
    kind: 'act',
    reason: { code: 'turns-back', because: decision.reason },
    actions: stepsTo(group, group.roll, { kind: 'rollback', since, because: decision.reason }),
  };
}

/** A roll that hasn't changed what its group launches has nothing to roll back to. */
export function nothingToGoBackTo(because: CourseCause): Decision {
  return { kind: 'blocked', reason: { code: 'nothing-to-go-back-to', because } };
}

/** Records the rejection of the images first, so that no other roll to them begins after this one. */
export function stepsTo(group: Ordered, roll: Roll, course: GivenUp): Action[] {
  return [...stepsToReject(group, roll, course), { kind: 'record-course', group: group.name, course }];
}
