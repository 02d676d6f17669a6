import { drainsInPlace } from '../drain/how-many-drain.ts';
import { candidateOf, isGivenUp, saysGoodbye } from '../drain/phase.ts';
import { spareInstances, upToSpare } from '../group/spare.ts';
import { silentBeside, surgeOf } from '../group/surge.ts';
import type { Assessment, Detached, RollAssessment } from '../model/assessment.ts';
import { groupedBy } from '../model/derived.ts';
import type { Group } from '../model/group.ts';
import { isOnTrial } from '../trial/trial.ts';

/**
 * How many members the next batch may have, at most what is left of the surge. The group's maximum
 * size may allow fewer: see `roomFor`.
 *
 * @param taken how many detached instances take up part of the surge
 */
export function batchSize(assessment: RollAssessment, taken: number): number {
  const most = Math.min(surgeLeft(assessment, taken), mostBeside(assessment.group));
  return upToSpare(spareInstances(assessment), onTrial(assessment, most));
}

/** Without a surge, as many go next as may drain at once. */
export function batchSizeInPlace(assessment: RollAssessment): number {
  const most = upToSpare(spareInstances(assessment), drainsInPlace(assessment.settings));
  return onTrial(assessment, most);
}

function onTrial(assessment: RollAssessment, most: number): number {
  return isOnTrial(assessment) ? Math.min(most, assessment.settings.canary) : most;
}

/**
 * How many more instances there may be beside the usual. What may be detached, and nobody can tell, takes up
 * surge, too.
 */
export function surgeLeft({ group, settings }: Assessment, taken: number, added = 0): number {
  const perhapsDetached = (group.unproven?.length ?? 0) + silentBeside(group).length;
  return surgeOf(group, settings, added) - taken - perhapsDetached;
}

/**
 * How many members may come beside those that serve. New ones are registered before they are healthy: once
 * too small a share of a target group's is, it sends requests to them all the same. Without cross-zone load
 * balancing that holds in each zone, so it is kept there in any case: one zone may get one more than others.
 *
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
 */
function mostBeside({ members, details: { targetHealth = [] } = {} }: Group): number {
  const zones = new Map(members.map((each) => [each.instanceId, each.availabilityZone]));
  const most = targetHealth.flatMap(({ byInstance, leastHealthyPercent: least }) => {
    if (least === undefined) return [];
    const registered = [...byInstance].filter(([, { state }]) => state !== 'draining');
    const inZones = [...groupedBy(registered, ([id]) => zones.get(id) ?? '').values()];
    const room = inZones.map((there) => {
      const healthy = there.filter(([, target]) => target.healthy);
      return Math.floor((healthy.length * 100) / least) - there.length;
    });
    return room.map((here) => room.length * (here - 1) + 1);
  });
  return Math.max(1, Math.min(...most));
}

/** Those that may say goodbye beside the next batch: the trial is over, and the batch no smaller. */
export function goodbyesBeside(assessment: RollAssessment): readonly Detached[] {
  if (isOnTrial(assessment)) return [];
  const { observation, settings, classified } = assessment;
  const { givenUp, others } = splitGivenUp(assessment);
  const goodbyes = others.filter((each) =>
    saysGoodbye(candidateOf({ ...each, attached: false }, observation, settings), assessment),
  );
  const left = surgeLeft(assessment, givenUp.length + goodbyes.length);
  return classified.drifted.length <= left ? goodbyes : [];
}

/**
 * Splits the detached instances: those whose drain was given up, and the others, which must be gone before
 * the next batch.
 */
export function splitGivenUp({ observation, settings, classified: { detached } }: Assessment): {
  readonly givenUp: readonly Detached[];
  readonly others: readonly Detached[];
} {
  const givenUp = detached.filter((each) => isGivenUp(each, observation, settings));
  return { givenUp, others: detached.filter((each) => !givenUp.includes(each)) };
}
