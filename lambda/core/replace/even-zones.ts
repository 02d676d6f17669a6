import type { Decision } from '../actions/decision.ts';
import { onDemandLacking, spotToReplace } from '../group/purchase-options.ts';
import { roomFor } from '../group/surge.ts';
import { countsPerZone, unevenBy } from '../group/zones.ts';
import type { Assessment, RollAssessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import { stays, weightOfMembers } from '../model/members.ts';
import type { Warning } from '../reasons/warnings.ts';
import { surgeLeft } from './batch-size.ts';
import { enlarge } from './scale-out.ts';
import { surplusOf } from './surplus.ts';

/**
 * Makes the group larger once more if its zones are uneven in the end: Auto Scaling launches in the zones
 * with the fewest members, and what the group then has too many drains from the others. It would do the same
 * as soon as AZRebalance is resumed, but ends members undrained. Likewise, On-Demand Instances that the group
 * lacks come up for Spot Instances, which it would keep for good.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/understand-how-suspending-processes-affects-other-processes.html
 */
export function evenZones(assessment: RollAssessment): Decision | undefined {
  const { group } = assessment;
  const by = toEvenZones(assessment);
  // Once that is resumed, it is Auto Scaling's to even them out, and managed scaling may scale in.
  const isHeldOff = group.suspendedProcesses.includes('AZRebalance');
  if (by === 0 || !isHeldOff) return undefined;
  // What is launched then comes up where the fewest are, so that others may leave.
  if (group.roll.changes.addedSizes.desiredCapacity > 0 && !surplusOf(assessment).isMissed) return undefined;
  const { actions } = enlarge(assessment, by, { unevenBy: imbalance(group) });
  const code = spotToReplace(group) > 0 ? 'on-demand-launched' : 'zones-evened';
  return { kind: 'act', reason: { code, by }, actions };
}

/**
 * Warns, once nothing is left to replace, of zones that Auto Scaling will even out: one may have been unable
 * to launch meanwhile. Each launch of a roll goes to the zone with the fewest that can. Likewise, of Spot
 * Instances that could not be replaced.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/auto-scaling-benefits.html
 */
export function warnOfUneven(assessment: Assessment): Warning[] {
  const { group, classified } = assessment;
  const { drifted, leaving } = classified;
  const staying = weightOfMembers(group.members.filter(stays));
  const isUnderWay = drifted.length + leaving.length > 0 || staying < group.desiredCapacity;
  const added = group.roll?.changes.addedSizes.desiredCapacity ?? 0;
  if (isUnderWay || added > 0 || toEvenZones(assessment) > 0) return [];
  const lacking = onDemandLacking(group);
  return [
    ...(unevenBy(group) > 0 ? [{ code: 'zones-uneven', counts: countsPerZone(group) } as const] : []),
    ...(lacking > 0 ? [{ code: 'on-demand-lacking', by: lacking } as const] : []),
  ];
}

/** How many members may be launched for that. A zone may be unable to launch any: then not again. */
export function toEvenZones(assessment: Assessment): number {
  const { group, settings, classified } = assessment;
  const { members, availabilityZones = [], roll } = group;
  // How much of a weight is to leave a zone may be no member's.
  const isKnown = members.every(
    ({ weight, availabilityZone }) => weight === 1 && availabilityZones.includes(availabilityZone),
  );
  if (!isKnown || imbalance(group) >= (roll?.changes.unevenBy ?? Number.POSITIVE_INFINITY)) return 0;
  const moves = Math.max(unevenBy(group), spotToReplace(group));
  const added = roll?.changes.addedSizes.desiredCapacity ?? 0;
  const surge = surgeLeft(assessment, classified.detached.length + added, added);
  return Math.max(0, Math.min(moves, surge, roomFor(group, settings)));
}

/** An On-Demand Instance may come up in any zone, and leave them more uneven by one. */
function imbalance(group: Group): number {
  return unevenBy(group) + 2 * spotToReplace(group);
}
