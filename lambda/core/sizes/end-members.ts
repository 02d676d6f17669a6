import type { Action } from '../actions/decision.ts';
import { failedMembers } from '../group/capacity.ts';
import type { RollAssessment } from '../model/assessment.ts';
import { stays, weightOfMembers } from '../model/members.ts';
import { changeBy, spareSize, stepsToChange } from './our-sizes.ts';

/**
 * Has the group end members. While the group is larger than it was, it gets smaller with each, one per look,
 * so that a single number shows how far it has come. Otherwise the group launches as many, as it does in a
 * rollback while it would be left with others that failed.
 */
export function endMembers(assessment: RollAssessment, instanceIds: readonly string[]): Action[] {
  const { group } = assessment;
  const [first] = instanceIds;
  if (first === undefined) return [];
  if (group.roll.changes.addedSizes.desiredCapacity === 0)
    return [{ kind: 'terminate-members', group: group.name, instanceIds, decrement: false }];
  return endOne(assessment, first);
}

function endOne({ group, classified }: RollAssessment, instanceId: string): Action[] {
  const weight = weightOfMembers(group.members.filter((each) => each.instanceId === instanceId));
  const failed = new Set(failedMembers(classified).map(({ member }) => member));
  const staying = group.members.filter((each) => stays(each) && !failed.has(each));
  const wanted = group.desiredCapacity - group.roll.changes.addedSizes.desiredCapacity;
  const isShort = failed.size > 1 && weightOfMembers(staying) < wanted;
  const ending = { kind: 'terminate-members', group: group.name, instanceIds: [instanceId] } as const;
  if (weight === 0 || weight > spareSize(group) || isShort) return [{ ...ending, decrement: false }];
  const change = changeBy(group, classified, { desiredCapacity: -weight });
  return stepsToChange(group, change, [{ ...ending, decrement: true }]);
}
