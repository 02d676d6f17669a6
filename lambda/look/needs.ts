import { isOnTrial } from '../core/canary/trial.ts';
import { replacementsOf } from '../core/group/crashes.ts';
import { readiness } from '../core/group/readiness.ts';
import { strategyOf } from '../core/group/strategy.ts';
import { sparingZones } from '../core/group/zones.ts';
import { imagesOfRoll } from '../core/launch-spec/previous.ts';
import { mayNeedRestoring } from '../core/launch-spec/restore.ts';
import type { Assessment } from '../core/model/assessment.ts';

/** Whether the decision about a concerned group will need its services. */
export function needsServices(assessment: Assessment): boolean {
  const { roll } = assessment.group;
  if (roll === undefined) return true;
  if (roll.course.kind !== 'forward') return false;
  return isOnTrial({ ...assessment, roll }) || needsCrashes(assessment);
}

/** Whether it will need the crashed tasks: before a roll, and once the roll has launched members. */
export function needsCrashes({ group, classified }: Assessment): boolean {
  if (group.roll === undefined) return true;
  if (group.roll.course.kind !== 'forward') return false;
  return (
    replacementsOf(group, classified).length > 0 ||
    classified.leaving.some(({ mark }) => mark.drainStartedAt !== undefined)
  );
}

/** Whether the decision will need our launch specs: to make one, or to clean up. */
export function needsLaunchHistory({ group, launch, classified, outdated }: Assessment): boolean {
  if (group.excluded) return false;
  // A launch configuration of ours needn't be looked for: its name says everything.
  if (outdated.length > 0) return outdated.some(({ place }) => place.kind === 'launch-template');
  const { roll } = group;
  if (roll === undefined) return false;
  if (roll.course.kind === 'rollback' && mayNeedRestoring(launch, imagesOfRoll(roll))) return true;
  const { drifted, leaving } = classified;
  return leaving.length === 0 && (drifted.length === 0 || roll.course.kind === 'abort');
}

/** Whether it will need to know what would move off instances that wait for their turn to drain. */
export function needsMovable(assessment: Assessment): boolean {
  const { settings, classified } = assessment;
  return (
    settings.drainConcurrency === 'auto' &&
    classified.leaving.length > 1 &&
    readiness(assessment).length === 0
  );
}

/**
 * Whether it will need to know which traffic sources serve zones apart: a marked member is the last of its
 * zone.
 */
export function needsZones(assessment: Assessment): boolean {
  const { group, settings, classified } = assessment;
  const { targetHealth = [] } = group.details ?? {};
  if (targetHealth.length === 0) return false;
  if (strategyOf(group, settings) === 'in-place' || readiness(assessment).length > 0) return false;
  const marked = classified.drifted.filter(({ instance }) => instance.mark !== undefined);
  return sparingZones(group, targetHealth, [], marked).length < marked.length;
}
