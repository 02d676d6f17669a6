import { DETACH_BATCH } from '../actions/members.ts';
import { onDemandLacking, spotToReplace } from '../group/purchase-options.ts';
import { spareMembers, upToSpare } from '../group/spare.ts';
import { evenly, evensZones, sparingZones } from '../group/zones.ts';
import type { Attached, RollAssessment } from '../model/assessment.ts';
import { weightOf } from '../model/members.ts';
import { spareSize } from '../sizes/our-sizes.ts';
import { within } from './detach-and-shrink.ts';
import { servingApart } from './keep-zones.ts';

/** Members that the group has more than before the roll, once nothing is left to replace. */
export interface Surplus {
  /** How much of what we added it still has. */
  readonly weight: number;
  readonly leaving: readonly Attached[];
  /** Without them a zone lacks a target, or the group an On-Demand Instance that it would launch now. */
  readonly isMissed: boolean;
}

/**
 * Chooses who leaves, the newest first, so that no zone is left without a healthy target where it serves
 * whoever comes to it, the zones stay even, and then if possible On-Demand Instances stay. A group that gets
 * smaller by itself goes by those first; but it then evens its zones out, and ends members undrained.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
 */
export function surplusOf(assessment: RollAssessment): Surplus {
  const { group, classified } = assessment;
  const weight = upToSpare(spareMembers(assessment), spareSize(group));
  // Outdated ones are left only after an abort; all are, if that was of a rollback.
  const members = [...classified.current, ...classified.drifted].filter(isInService);
  const newestFirst = members.sort(
    (a, b) => b.instance.launchedAt.getTime() - a.instance.launchedAt.getTime(),
  );
  // Members that a killed run, or another at the same time, has already chosen come first.
  const chosen = newestFirst.filter(isChosen);
  const others = newestFirst.filter((each) => !isChosen(each));
  const lacking = onDemandLacking(group, group.desiredCapacity - weight);
  const spare = group.onDemand === undefined ? Number.POSITIVE_INFINITY : -lacking;
  const ranks = spare < weight ? [others.filter(isSpot), others.filter((each) => !isSpot(each))] : [others];
  const ordered = evensZones(group)
    ? evenly(group.members, ranks.flat())
    : ranks.flatMap((each) => evenly(group.members, each));
  const light = [...chosen, ...ordered].filter(({ member }) => member.weight <= weight);
  const first = within(weight, light.slice(0, DETACH_BATCH));
  const able = sparingZones(group, servingApart(group), [], light);
  const isEmptying = !first.every((each) => able.includes(each));
  const leaving = within(weight, [...new Set([...able, ...light])].slice(0, DETACH_BATCH));
  const isLacking = weightOf(first.filter((each) => !isSpot(each))) > spare && spotToReplace(group) > 0;
  const isMissed = isEmptying || isLacking;
  return { weight, leaving: isEmptying ? leaving : first, isMissed };
}

function isChosen({ instance }: Attached): boolean {
  return instance.mark !== undefined;
}

function isSpot({ instance }: Attached): boolean {
  return instance.spot === true;
}

/** Standby members don't count towards the desired capacity. */
function isInService({ member }: Attached): boolean {
  return member.lifecycleState === 'InService';
}
