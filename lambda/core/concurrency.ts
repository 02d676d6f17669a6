import { onlyRecords } from './actions/actions.ts';
import type { Decision } from './actions/decision.ts';
import type { GroupDecision } from './group-decision.ts';

/** Lets the first `most` groups with work to do go ahead; the others wait, and say for which groups. */
export function withinConcurrency(decided: readonly GroupDecision[], most: number): GroupDecision[] {
  const rolling: string[] = [];
  return decided.map((each) => {
    if (!rolls(each)) return each;
    if (rolling.length < most) {
      rolling.push(each.assessment.group.name);
      return each;
    }
    if (recordsOnly(each.decision)) return each;
    return {
      ...each,
      decision: { kind: 'wait', reason: { code: 'other-groups-first', groups: [...rolling] } },
    };
  });
}

/**
 * Counts a group whose roll has begun even if this decision only records something, such as a request to
 * force.
 */
function rolls({ assessment: { group }, decision }: GroupDecision): boolean {
  if (group.notOurs !== undefined) return false;
  if (recordsOnly(decision)) return group.roll !== undefined;
  return decision.kind === 'act' || decision.kind === 'wait' || decision.kind === 'finish';
}

function recordsOnly(decision: Decision): boolean {
  return decision.kind === 'act' && decision.actions.every(onlyRecords);
}
