import { type Decision, pausedIn } from '../actions/decision.ts';
import { DETACH_BATCH } from '../actions/members.ts';
import { endLeaving } from '../drain/drain.ts';
import type { DrainRules } from '../drain/rules.ts';
import { retryGivenUp } from '../drain/stranding.ts';
import { reactivate, repair } from '../drain/unmark-staying.ts';
import { readiness } from '../group/readiness.ts';
import { isFailed } from '../group/rollback-strategy.ts';
import { spareInstances } from '../group/spare.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import { restoreLaunchSpec } from '../launch-spec/restore.ts';
import type { Assessment, Classification, Detached, RollAssessment } from '../model/assessment.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import type { Roll } from '../model/roll.ts';
import { finish } from '../replace/finish.ts';
import { adjustProcesses, processesInTheWay } from '../replace/processes.ts';
import { replaceWarm } from '../replace/warm-pool.ts';
import { keepWhole } from '../sizes/min-size.ts';
import { changeBy, settleSizes, stepsToChange } from '../sizes/our-sizes.ts';
import { removeFailed } from './replace-failed.ts';

/**
 * Takes a roll back in this order, each step only once we see that all earlier ones are done:
 *
 *   1. let old members stay, and set draining old instances back ACTIVE, which does no harm;
 *   2. give the group back what it launched from;
 *   3. attach as many detached ones again as failed members have to go, if nothing forbids it, and let these
 *      leave instead. What else the group lacks it launches, with the old image;
 *   4. drain the remaining failed members and have the group end them; it launches the old image in their
 *      place;
 *   5. drain and end old ones that can't be attached; they have served until now;
 *   6. give back sizes and processes, and remove the tags last of all, except the one that rejects the image.
 */
export function rollBack(assessment: RollAssessment): Decision {
  const { group, launch, observation, classified } = assessment;
  const old = oldDetached(group.roll, classified);
  const returning = launch.mixed ? [] : attachable(assessment, old);
  const keptServing = isMended(assessment) ? [] : instanceIdsOf(old);
  const failed = classified.leaving.filter((instance) => isFailed(group.roll, instance));
  const rules: DrainRules = {
    mayBegin: group.pausedSince === undefined,
    onTrial: false,
    keptServing: new Set(keptServing),
    failed: new Set(failed.map(({ instanceId }) => instanceId)),
  };
  const prepared =
    adjustProcesses(group, processesInTheWay(assessment, returning.length > 0)) ??
    settleSizes(assessment) ??
    keepWhole(assessment);
  if (prepared !== undefined) return prepared;
  const undone = repair(assessment) ?? reactivate(keptServing, observation);
  if (undone !== undefined) return undone;
  if (!rules.mayBegin) return endLeaving(assessment, rules) ?? pausedIn(group);
  return (
    restoreLaunchSpec(assessment) ??
    reattach(assessment, returning) ??
    replaceWarm(assessment) ??
    removeFailed(assessment) ??
    (keptServing.length > 0 ? undefined : retryOld(assessment)) ??
    endLeaving(assessment, rules) ??
    (keptServing.length > 0 ? serveOn(assessment, keptServing) : finish(assessment, 'rolled-back'))
  );
}

/** Drains that were given up before it went back had failed members to give their tasks to. */
function retryOld({ group, observation }: RollAssessment): Decision | undefined {
  const { course } = group.roll;
  if (course.kind === 'forward') return undefined;
  return retryGivenUp(group, { retryBefore: course.since }, observation);
}

/** Detached instances the roll did not launch. Ones launched since were surplus. */
function oldDetached(roll: Roll, { detached }: Classification): Detached[] {
  const { course } = roll;
  return detached.filter(
    (instance) =>
      !isFailed(roll, instance) &&
      (course.kind === 'forward' || instance.mark.detachStartedAt <= course.since),
  );
}

/** Whether nothing of the failed roll is left and the group is whole. */
function isMended(assessment: RollAssessment): boolean {
  const { group, classified } = assessment;
  const isLeft =
    classified.drifted.length > 0 || classified.leaving.some((instance) => isFailed(group.roll, instance));
  return !isLeft && (readiness(assessment).length === 0 || spareInstances(assessment) !== undefined);
}

/**
 * The old instances that the group takes back, each in the place of a failed member. It can't take back one
 * outside its zones, and launches in the meantime, since AWS refuses to attach anything while `Launch` is
 * suspended. A capacity provider ignores attached instances, and an attached one may have no launch spec, so
 * it would count as drifted. (Nobody can tell its weight in a mixed instances policy.)
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/understand-how-suspending-processes-affects-other-processes.html
 */
function attachable(assessment: RollAssessment, old: readonly Detached[]): Detached[] {
  const {
    group,
    observation: { containerInstances, images },
    settings: { drift, raiseMaxSize },
    classified: { drifted },
  } = assessment;
  const isRefused = group.attachRefused || group.details?.hasCapacityProvider;
  if (isRefused || drift.includes('launch-spec')) return [];
  const connected = new Set(instanceIdsOf(containerInstances.filter(({ agentConnected }) => agentConnected)));
  const fit = old.filter(
    ({ instanceId, imageId, excluded, outside }) =>
      !excluded && !outside && connected.has(instanceId) && images.get(imageId)?.state === 'available',
  );
  const needed = Math.max(0, drifted.length - group.roll.changes.addedSizes.desiredCapacity);
  const room = raiseMaxSize ? needed : Math.max(0, group.maxSize - group.desiredCapacity);
  return fit.slice(0, Math.min(needed, room, DETACH_BATCH));
}

function reattach(assessment: RollAssessment, returning: readonly Detached[]): Decision | undefined {
  const { group, settings, classified } = assessment;
  if (returning.length === 0) return undefined;
  const above = group.desiredCapacity + returning.length - group.maxSize;
  if (above > 0 && settings.raiseMaxSize) {
    const change = changeBy(group, classified, { maxSize: above });
    return {
      kind: 'act',
      reason: { code: 'max-size-raised', by: above },
      actions: stepsToChange(group, change),
    };
  }
  const instanceIds = instanceIdsOf(returning);
  const planned = changeBy(group, classified, { desiredCapacity: returning.length });
  const change = { ...planned, attaches: true } as const;
  return {
    kind: 'act',
    reason: { code: 'old-attached', instanceIds },
    actions: stepsToChange(group, change, [{ kind: 'attach-instances', group: group.name, instanceIds }]),
  };
}

function serveOn(assessment: Assessment, keptServing: readonly string[]): Decision {
  return (
    waitForReadiness(assessment) ?? {
      kind: 'wait',
      reason: { code: 'serve-until-replaced', instanceIds: keptServing },
    }
  );
}
