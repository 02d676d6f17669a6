import { isOnTrial } from '../core/canary/trial.ts';
import { classificationOf, isConcerned } from '../core/group/assess.ts';
import { classify } from '../core/group/classify.ts';
import { replacementsOf } from '../core/group/crashes.ts';
import { criteriaOf, outdatedSources } from '../core/group/drift.ts';
import { imagesOfRoll } from '../core/launch-spec/previous.ts';
import { mayNeedRestoring } from '../core/launch-spec/restore.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { type Settings, settingsOf } from '../core/model/settings.ts';

/** Whether the decision will ask how the services are. */
export function needsServices(group: Group, observation: Observation, settings: Settings): boolean {
  const { roll } = group;
  if (roll === undefined) return isConcerned(group, observation, settings);
  if (roll.course.kind !== 'forward') return false;
  return isOnTrial(group, roll, settingsOf(group, settings)) || needsCrashes(group, observation, settings);
}

/** Whether it will ask which tasks have crashed: before a roll, and once it has launched members. */
export function needsCrashes(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.roll === undefined) return true;
  if (group.roll.course.kind !== 'forward') return false;
  const classified = classificationOf(group, observation, settings);
  if (classified === undefined) return false;
  return (
    replacementsOf(group, classified).length > 0 ||
    classified.leaving.some(({ mark }) => mark.drainStartedAt !== undefined)
  );
}

/** Whether the decision will ask what launch specs of ours there are, and whose: to make one, and to clear up. */
export function needsLaunchHistory(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.excluded || 'obstacle' in group.launch) return false;
  const criteria = criteriaOf(group, group.launch, observation, settingsOf(group, settings));
  const outdated = outdatedSources(criteria);
  // A launch configuration of ours needs no finding: its name tells all.
  if (outdated.length > 0) return outdated.some(({ place }) => place.kind === 'launch-template');
  const { roll, launch } = group;
  if (roll === undefined) return false;
  if (roll.course.kind === 'rollback' && mayNeedRestoring(launch, imagesOfRoll(roll))) return true;
  const { drifted, leaving } = classify(group, criteria);
  return leaving.length === 0 && (drifted.length === 0 || roll.course.kind === 'abort');
}
