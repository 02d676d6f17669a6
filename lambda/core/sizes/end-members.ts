import { type Standing, weightOf } from '../group/standing.ts';
import type { Action } from '../model/decision.ts';
import type { Group } from '../model/group.ts';
import type { Rollout } from '../model/roll.ts';
import { changeBy } from './sizes.ts';
import { aroundChange } from './temporary-changes.ts';

/**
 * Has the group end members. As long as it is larger than it was, it gets smaller by each, one in a look: how far it has come
 * is told by one number. Otherwise it launches as many.
 */
export function endMembers(group: Group, standing: Standing, instanceIds: readonly string[]): Action[] {
  const { rollout } = group;
  const [first] = instanceIds;
  if (first === undefined) return [];
  if (rollout === undefined || rollout.hold.held.desiredCapacity === 0)
    return [{ kind: 'terminate-members', group: group.name, instanceIds, decrement: false }];
  return endOne(group, rollout, standing, first);
}

function endOne(group: Group, rollout: Rollout, standing: Standing, instanceId: string): Action[] {
  const { hold } = rollout;
  const weight = weightOf(
    group.members.filter((each) => each.instanceId === instanceId).map((member) => ({ member })),
  );
  const spare = Math.min(hold.held.desiredCapacity, group.desiredCapacity - group.minSize);
  const ending = { kind: 'terminate-members', group: group.name, instanceIds: [instanceId] } as const;
  if (weight === 0 || weight > spare) return [{ ...ending, decrement: false }];
  const change = changeBy(group, standing, { desiredCapacity: -weight, maxSize: 0 });
  return aroundChange(group, rollout, { ...hold, held: { ...hold.held, change } }, [
    { ...ending, decrement: true },
  ]);
}
