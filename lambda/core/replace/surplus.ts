import { DETACH_BATCH } from '../actions/members.ts';
import { sparingOnDemand } from '../group/purchase-options.ts';
import { spareMembers, upToSpare } from '../group/spare.ts';
import { evenly, sparingZones } from '../group/zones.ts';
import type { Attached, RollAssessment } from '../model/assessment.ts';
import { spareSize } from '../sizes/our-sizes.ts';
import { within } from './detach-and-shrink.ts';
import { servingApart } from './keep-zones.ts';

/** Members that the group has more than before the roll, once nothing is left to replace. */
export interface Surplus {
  /** How much of what we added it still has. */
  readonly weight: number;
  /** Who leaves for that, the newest first. */
  readonly leaving: readonly Attached[];
  /** Others, who would leave zones and purchase options as they should be, are the last of their zones. */
  readonly isPutOff: boolean;
}

/**
 * Chooses who leaves, so that the zones stay even, On-Demand Instances stay, and above all no zone is left
 * without a healthy target where it serves whoever comes to it.
 */
export function surplusOf(assessment: RollAssessment): Surplus {
  const { group, classified } = assessment;
  const weight = upToSpare(spareMembers(assessment), spareSize(group));
  // After an aborted rollback, the surplus may count as outdated.
  const isAborted = group.roll.course.kind === 'abort';
  const members = [...classified.current, ...(isAborted ? classified.drifted : [])].filter(isInService);
  const newestFirst = members.sort(
    (a, b) => b.instance.launchedAt.getTime() - a.instance.launchedAt.getTime(),
  );
  const others = newestFirst.filter((each) => !isChosen(each));
  // Members that a killed run, or another at the same time, has already chosen come first.
  const chosen = newestFirst.filter(isChosen);
  const sparing = sparingOnDemand(
    group,
    group.desiredCapacity - weight,
    chosen,
    evenly(group.members, others),
  );
  const rest = others.filter((each) => !sparing.includes(each));
  const inOrder = [...chosen, ...evenly(group.members, sparing), ...evenly(group.members, rest)];
  const light = inOrder.filter(({ member }) => member.weight <= weight);
  const first = within(weight, light.slice(0, DETACH_BATCH));
  const able = (leaving: readonly Attached[]) => sparingZones(group, servingApart(group), [], leaving);
  if (able(first).length === first.length) return { weight, leaving: first, isPutOff: false };
  // What is On-Demand may be lacking then.
  const spot = light.filter(({ instance }) => instance.spot);
  const instead = able([...new Set([...light.filter(isChosen), ...spot, ...light])]);
  const leaving = within(weight, [...new Set([...instead, ...light])].slice(0, DETACH_BATCH));
  return { weight, leaving, isPutOff: true };
}

function isChosen({ instance }: Attached): boolean {
  return instance.mark !== undefined;
}

/** Standby members don't count towards the desired capacity. */
function isInService({ member }: Attached): boolean {
  return member.lifecycleState === 'InService';
}
