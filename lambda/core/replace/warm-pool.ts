import type { Decision } from '../actions/decision.ts';
import { newMark } from '../group/marked.ts';
import type { Assessment } from '../model/assessment.ts';
import { idsOf } from './detach.ts';

/**
 * Ends the outdated instances of a warm pool, which serve nobody; the pool launches others. It is done before any member
 * is detached, as its replacement would come from the pool.
 *
 * They are marked in one look and ended in a later one: a scale-out may take one into service meanwhile, and as a member
 * it is found by its mark. One that ECS knows, as its agent doesn't heed the pool, may have tasks: it is left to drain.
 *
 * @returns undefined when there is none, or none but those that are to drain
 */
export function replaceWarm({
  group,
  observation,
  classified: { warm, leaving },
}: Assessment): Decision | undefined {
  const unmarked = warm.filter(({ instance }) => instance.mark === undefined);
  const mark = newMark(group, observation);
  if (unmarked.length > 0) {
    return {
      kind: 'act',
      reason: { code: 'warm-chosen', count: unmarked.length, of: group.warmPool.length, outdated: warm },
      actions: [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }],
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
