import { isOnTrial } from '../core/canary/trial.ts';
import { isConcerned, standingOf } from '../core/group/case.ts';
import { replacementsOf } from '../core/group/crashes.ts';
import { criteriaOf, outdatedSources } from '../core/group/drift.ts';
import { standing } from '../core/group/standing.ts';
import { givenImages } from '../core/launch-spec/previous.ts';
import { mayNeedRestoring } from '../core/launch-spec/restore.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { type Settings, settingsOf } from '../core/model/settings.ts';

/** Whether the decision will ask how the services are. */
export function needsServices(group: Group, observation: Observation, settings: Settings): boolean {
  const { rollout } = group;
  if (rollout === undefined) return isConcerned(group, observation, settings);
  if (rollout.course.kind !== 'forward') return false;
  return isOnTrial(group, rollout, settingsOf(group, settings)) || needsCrashes(group, observation, settings);
}

/** Whether it will ask which tasks have crashed: before a roll, and once it has launched members. */
export function needsCrashes(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.rollout === undefined) return true;
  if (group.rollout.course.kind !== 'forward') return false;
  const stand = standingOf(group, observation, settings);
  if (stand === undefined) return false;
  return (
    replacementsOf(group, stand).length > 0 ||
    stand.leaving.some(({ mark }) => mark.drainStartedAt !== undefined)
  );
}

/** Whether the decision will ask what launch specs of ours there are, and whose: to make one, and to clear up. */
export function needsLaunchHistory(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.excluded || 'obstacle' in group.launch) return false;
  const criteria = criteriaOf(group, group.launch, observation, settingsOf(group, settings));
  const outdated = outdatedSources(criteria);
  // A launch configuration of ours needs no finding: its name tells all.
  if (outdated.length > 0) return outdated.some(({ place }) => place.kind === 'launch-template');
  const { rollout, launch } = group;
  if (rollout === undefined) return false;
  if (rollout.course.kind === 'rollback' && mayNeedRestoring(launch, givenImages(rollout))) return true;
  const { drifted, leaving } = standing(group, criteria);
  return leaving.length === 0 && (drifted.length === 0 || rollout.course.kind === 'abort');
}
