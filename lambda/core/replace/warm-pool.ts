import type { Decision } from '../actions/decision.ts';
import { stepsToMark } from '../group/marked.ts';
import type { Assessment } from '../model/assessment.ts';
import { idsOf } from '../model/members.ts';

/**
 * Ends the outdated instances of a warm pool, which serve nobody; the pool launches others. This comes before
 * any member is detached, as its replacement would come from the pool.
 *
 * They are marked in one look and ended in a later one: if a scale-out takes one into service meanwhile, we
 * recognize the new member by its mark. One that is registered in ECS, because its agent ignores the pool,
 * may have tasks, so it drains instead.
 *
 * @returns undefined if there are none, or only ones that drain
 */
export function replaceWarm(assessment: Assessment): Decision | undefined {
  const {
    group,
    classified: { warm, leaving },
  } = assessment;
  const unmarked = warm.filter(({ instance }) => instance.mark === undefined);
  if (unmarked.length > 0) {
    return {
      kind: 'act',
      reason: { code: 'warm-chosen', count: unmarked.length, of: group.warmPool.length, outdated: warm },
      actions: stepsToMark(assessment, unmarked),
    };
  }
  const toDrain = new Set(leaving.map(({ instanceId }) => instanceId));
  const instanceIds = idsOf(warm).filter((instanceId) => !toDrain.has(instanceId));
  if (instanceIds.length === 0) return undefined;
  return {
    kind: 'act',
    reason: { code: 'warm-ended', count: instanceIds.length, of: group.warmPool.length },
    actions: [{ kind: 'terminate', instanceIds, pooledIn: group.name }],
  };
}
