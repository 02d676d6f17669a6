import { type Decision, waitForOthers } from '../actions/decision.ts';
import { DETACH_BATCH } from '../actions/members.ts';
import { hasTakenLong, stepsToMark } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { isFailed, rollbackStrategy, surgeBeside } from '../group/rollback-strategy.ts';
import { spareMembers, upToSpare } from '../group/spare.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import { sparingZones } from '../group/zones.ts';
import { imagesOfRoll } from '../launch-spec/previous.ts';
import type { Classification, Drifted, RollAssessment } from '../model/assessment.ts';
import type { Group, Instance } from '../model/group.ts';
import { idsOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { hasFailed, instanceIdsOf, takesTasks } from '../model/registrations.ts';
import {
  detach,
  detachDrifted,
  isDetachable,
  stepsToMarkBatch,
  waitForDetachable,
} from '../replace/detach.ts';
import { forget, stepsToLeave, within } from '../replace/detach-and-shrink.ts';
import { chooseInPlace } from '../replace/in-place.ts';
import { scaleOut } from '../replace/scale-out.ts';
import { spareSize } from '../sizes/our-sizes.ts';
import { forgetUneven } from '../sizes/temporary-changes.ts';

/**
 * Removes what the roll has launched; without a replacement while the group is larger by old members that
 * came back.
 */
export function removeFailed(assessment: RollAssessment): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const { addedSizes } = group.roll.changes;
  if (addedSizes.desiredCapacity === 0 || isReplacing(classified)) return replaceFailed(assessment);
  const spareCapacity = spareSize(group);
  if (spareCapacity <= 0) return forget(assessment);
  const spare = spareMembers(assessment);
  const most = upToSpare(spare, spareCapacity);
  // Standby members don't count towards the desired capacity.
  const aside = classified.drifted.filter(({ member }) => member.lifecycleState === 'Standby');
  if (aside.length > 0) return detach(group, aside, stepsToMark(assessment, aside));
  const failed = classified.drifted;
  if (failed.length === 0) return undefined;
  const waiting = waitForReadiness(assessment, spare);
  if (waiting !== undefined) return waiting;
  const running = endsThroughGroup(settings) ? failed.filter(({ instance }) => instance.alive) : failed;
  // Those that no longer run have nothing to drain, and their group replaces them by itself.
  if (running.length === 0) return waitForOthers(failed);
  const detachable = servingLast(running, group, observation).filter(isDetachable);
  if (detachable.length === 0) return waitForDetachable(assessment, failed);
  const sparing = sparingZones(group, group.details?.targetHealth ?? [], [], detachable);
  const able = sparing.length > 0 ? sparing : detachable;
  const leaving = within(most, able.slice(0, DETACH_BATCH));
  // Each weighs more than the surplus, or is the last to serve in its zone: we replace them, and the surplus
  // leaves at the end.
  const isReplaced = sparing.length === 0 && unfitToLaunch(assessment) === undefined;
  if (leaving.length === 0 || isReplaced) return replaceFailed(assessment);
  const { way, actions } = stepsToLeave(assessment, leaving);
  const forgetting = forgetUneven(group);
  const reason = { code: 'failed-leave', way, instanceIds: idsOf(leaving) } as const;
  return { kind: 'act', reason, actions: forgetting.length > 0 ? forgetting : actions };
}

/** Failed members are marked, and the group has been or will be made larger by members of the old image. */
function isReplacing({ drifted }: Classification): boolean {
  return drifted.some(({ instance }) => instance.mark !== undefined);
}

/** It failed, and its drain takes so long that it may never become empty by itself. */
function isStuck({ group, observation, settings }: RollAssessment, instance: Instance): boolean {
  const { mark } = instance;
  return mark !== undefined && isFailed(group.roll, instance) && hasTakenLong(mark, observation, settings);
}

/**
 * Blocks if the replacements couldn't be launched, or would run the failed image again: we remove nothing for
 * those.
 */
function unfitToLaunch({ group, launch }: RollAssessment): Decision | undefined {
  const given = imagesOfRoll(group.roll);
  const unfit = launch.sources.filter(
    ({ imageId, target }) => given.includes(imageId) || target.state !== 'available',
  );
  if (unfit.length === 0) return undefined;
  const imageIds = [...new Set(unfit.map(({ imageId }) => imageId))];
  return { kind: 'blocked', reason: { code: 'launches-failed-image', imageIds } };
}

/** Sorts members that serve nobody first, then the newest. */
function servingLast(failed: readonly Drifted[], group: Group, observation: Observation): Drifted[] {
  const newest = [...failed].reverse();
  const idle = idleAmong(newest, group, observation);
  return [...idle, ...newest.filter((each) => !idle.includes(each))];
}

/** Members that serve nobody, or take no tasks any more: nobody misses them. */
function idleAmong(members: readonly Drifted[], group: Group, observation: Observation): Drifted[] {
  const { targetHealth = [] } = group.details ?? {};
  const serves = ({ instance: { instanceId } }: Drifted) =>
    takesTasks(observation, instanceId) &&
    targetHealth.every(({ byInstance }) => {
      const { healthy = false, unknown = false } = byInstance.get(instanceId) ?? {};
      return healthy || unknown;
    });
  return members.filter((each) => !serves(each));
}

function replaceFailed(assessment: RollAssessment): Decision | undefined {
  const { group, observation, settings } = assessment;
  const unfit = unfitToLaunch(assessment);
  const lacks = assessment.classified.drifted.length > 0 || readiness(assessment).length > 0;
  if (unfit !== undefined && lacks) return unfit;
  // If a draining member is stuck, all must drain: ECS would give its tasks to other failed members.
  if (assessment.classified.drifted.some(({ instance }) => isStuck(assessment, instance)))
    return endInPlace(assessment);
  const isLarger = group.roll.changes.addedSizes.desiredCapacity > 0;
  const { classified, room } = besideOld(assessment);
  const settingsBeside = { ...settings, maxSurge: { kind: 'count', count: room } } as const;
  switch (isLarger ? 'scale-out' : rollbackStrategy(assessment)) {
    case 'scale-out':
      return scaleOut(
        { ...assessment, classified, settings: settingsBeside },
        nextToReplace(classified.drifted, group, observation),
      );
    case 'detach':
      return detachDrifted({ ...assessment, classified, settings: settingsBeside });
    case 'in-place':
      return endInPlace(assessment);
  }
}

/**
 * Keeps only the failed instances, sorted so that those with the least to lose go first. Old instances that
 * keep serving take up part of the surge. We don't wait for failed ones with a long drain, even if they take
 * up all of it, as ECS may have only other failed members to give their tasks to.
 */
function besideOld(assessment: RollAssessment): {
  readonly classified: Classification;
  readonly room: number;
} {
  const { group, observation, settings, classified } = assessment;
  const room = surgeBeside(group, settings);
  const detached = classified.detached.filter((instance) => isFailed(group.roll, instance));
  const beside = detached.filter((each) => !isStuck(assessment, each));
  const left = room - (detached.length - beside.length);
  const drifted = servingLast(classified.drifted, group, observation);
  return { classified: { ...classified, drifted, detached: beside }, room: Math.max(1, left) };
}

/** Only those that serve nobody, if there are any: taking the others would reduce what is served. */
function nextToReplace(failed: readonly Drifted[], group: Group, observation: Observation): Drifted[] {
  const idle = idleAmong(failed, group, observation).filter(isDetachable);
  return idle.length > 0 ? idle : [...failed];
}

/**
 * Replaces failed members in place, up to `drainConcurrency` at a time; where the group has a surge, no more
 * than old instances serve in their place. Members that never registered have nothing to drain, so they all
 * go at once. If a drain takes too long they all go too, as ECS may have only failed members to give its
 * tasks to.
 */
function endInPlace(assessment: RollAssessment): Decision | undefined {
  const { observation, classified } = assessment;
  const fit = observation.containerInstances.filter((each) => !hasFailed(each));
  const known = new Set(instanceIdsOf(fit));
  const unmarked = classified.drifted.filter(
    ({ instance, member }) =>
      instance.alive && instance.mark === undefined && member.lifecycleState === 'InService',
  );
  const someStuck = classified.leaving.some((each) => isStuck(assessment, each));
  const chosen = unmarked.filter(({ instance }) => someStuck || !known.has(instance.instanceId));
  if (chosen.length > 0) {
    return {
      kind: 'act',
      reason: { code: 'failed-chosen', instanceIds: idsOf(chosen) },
      actions: stepsToMarkBatch(assessment, chosen),
    };
  }
  const failed = new Set(classified.drifted.map(({ instance }) => instance.instanceId));
  const leaving = classified.leaving.filter(({ instanceId }) => failed.has(instanceId));
  const serving = classified.detached.filter(({ instanceId }) => takesTasks(observation, instanceId));
  const hasSurge = strategyOf(assessment.group, assessment.settings) !== 'in-place';
  const most = hasSurge ? Math.max(1, serving.length) : undefined;
  return chooseInPlace({ ...assessment, classified: { ...classified, leaving } }, most);
}
