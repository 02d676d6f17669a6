import type { Decision } from './decision.ts';
import { describeReasons } from './describe.ts';
import { idsOf } from './detach.ts';
import type { Group, Observation } from './model.ts';
import type { Standing } from './standing.ts';

/**
 * Ends the outdated instances of a warm pool, which serve nobody; the pool launches others. It is done before any member
 * is detached, as its replacement would come from the pool.
 */
export function replaceWarm(group: Group, { warm }: Standing, { now }: Observation): Decision | undefined {
  if (warm.length === 0) return undefined;
  const instanceIds = idsOf(warm);
  return {
    kind: 'act',
    reason: `replaces ${warm.length} of ${group.warmPool.length} instances of the warm pool (${describeReasons(warm)})`,
    actions: [
      // A scale-out may take one into service in this very moment: as a member it is found by its mark.
      { kind: 'mark-instances', instanceIds, mark: { group: group.name, detachStartedAt: now } },
      { kind: 'terminate', instanceIds },
    ],
  };
}
