import type { Decision } from '../actions/decision.ts';
import type { RollingGroup } from '../model/group.ts';
import type { CourseCause } from '../reasons/reason.ts';

/** Turns a roll back if its replacements fail. Its owner can fix anything else that blocks it. */
export function beginRollback(group: RollingGroup, decision: Decision, since: Date): Decision {
  if (decision.kind !== 'blocked' || !decision.failing) return decision;
  if (group.roll.previous.length === 0) return nothingToGoBackTo(decision.reason);
  return {
    kind: 'act',
    reason: { code: 'turns-back', because: decision.reason },
    actions: [
      {
        kind: 'record-course',
        group: group.name,
        course: { kind: 'rollback', since, because: decision.reason },
      },
    ],
  };
}

/** A roll that hasn't changed what its group launches has nothing to roll back to. */
export function nothingToGoBackTo(because: CourseCause): Decision {
  return { kind: 'blocked', reason: { code: 'nothing-to-go-back-to', because } };
}
