import { onlyRecords } from './actions/actions.ts';
import type { Decision } from './actions/decision.ts';
import { heartbeatSeconds } from './group/launch-time.ts';
import type { GroupDecision } from './group-decision.ts';
import type { Settings } from './model/settings.ts';
import { isOver, later } from './model/time.ts';

/**
 * Lets the first `groupConcurrency` groups with work to do go ahead; the others wait, and say for which.
 *
 * @param stack the settings without any group's tags
 */
export function withinConcurrency(decided: readonly GroupDecision[], stack: Settings): GroupDecision[] {
  const rolling: string[] = [];
  return decided.map((each) => {
    if (!rolls(each) || waitsTooLong(each, stack)) return each;
    if (rolling.length < stack.groupConcurrency) {
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

const WAITS = ['bakeSeconds', 'stableSeconds', 'readyTimeoutSeconds', 'drainTimeoutSeconds'] as const;

/**
 * By its tags, its hooks or its tasks it waits for longer than the stack has any group wait after a step: who
 * owns one group could hold up the others for days.
 */
function waitsTooLong(
  { assessment: { group, observation }, decision }: GroupDecision,
  stack: Settings,
): boolean {
  if (decision.kind !== 'wait') return false;
  const { roll, instances } = group;
  const turns = instances.flatMap(({ alive, mark }) =>
    alive && mark ? [mark.drainStartedAt ?? mark.detachStartedAt] : [],
  );
  const trial = roll?.canary.kind === 'baking' ? [roll.canary.since] : [];
  const turned = roll && roll.course.kind !== 'forward' ? [roll.course.since] : [];
  const last = [...turns, ...trial, ...turned].reduce(later, roll?.startedAt ?? new Date(0));
  const seconds = WAITS.map((each) => stack[each]).reduce((a, b) => a + b, heartbeatSeconds(group));
  return isOver(last, seconds, observation.now);
}

function recordsOnly(decision: Decision): boolean {
  return decision.kind === 'act' && decision.actions.every(onlyRecords);
}
