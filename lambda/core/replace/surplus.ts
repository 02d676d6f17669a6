import { DETACH_BATCH } from '../actions/members.ts';
import { onDemandLacking, spotToReplace } from '../group/purchase-options.ts';
import { spareMembers, upToSpare } from '../group/spare.ts';
import { evenly, evensZones, sparingZones } from '../group/zones.ts';
import type { Attached, RollAssessment } from '../model/assessment.ts';
import { idSetOf, idsOf, weightOf } from '../model/members.ts';
import { drainingAmong } from '../model/registrations.ts';
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
  /**
   * Ids of those chosen earlier that stay, as what has ended since leaves their zone to them alone: others
   * leave instead. They lose their marks once the group is no larger than it was.
   */
  readonly kept: ReadonlySet<string>;
}

/**
 * Chooses who leaves, the newest first, so that no zone is left without a healthy target where it serves
 * whoever comes to it, the zones stay even, and then if possible On-Demand Instances stay. A group that gets
 * smaller by itself goes by those first; but it then evens its zones out, and ends members undrained.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
 */
export function surplusOf(assessment: RollAssessment): Surplus {
  const { group, classified, observation } = assessment;
  const weight = upToSpare(spareMembers(assessment), spareSize(group));
  // Outdated ones are left only after an abort; all are, if that was of a rollback.
  const members = [...classified.current, ...classified.drifted].filter(isInService);
  const newestFirst = members.sort(
    (a, b) => b.instance.launchedAt.getTime() - a.instance.launchedAt.getTime(),
  );
  const busy = idSetOf(drainingAmong(observation.containerInstances, idsOf(newestFirst)));
  const drains = ({ instance }: Attached) => busy.has(instance.instanceId);
  // Members that a killed run, or another at the same time, has already chosen come first.
  const marked = newestFirst.filter(isChosen);
  const chosen = [...marked.filter(drains), ...marked.filter((each) => !drains(each))];
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
  const instead = within(weight, [...new Set([...able, ...light])].slice(0, DETACH_BATCH));
  const isLacking = weightOf(first.filter((each) => !isSpot(each))) > spare && spotToReplace(group) > 0;
  const isMissed = isEmptying || isLacking;
  const leaving = isEmptying ? instead : first;
  const mayStay = light.filter(
    (each) => isChosen(each) && !drains(each) && classified.current.includes(each),
  );
  const kept = mayStay.filter((each) => ![...able, ...leaving].includes(each));
  return { weight, leaving, isMissed, kept: new Set(idsOf(kept)) };
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
