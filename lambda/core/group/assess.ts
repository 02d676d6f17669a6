import type { Assessment, Classification } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { Launch, LaunchSource } from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';
import { type Settings, settingsOf } from '../model/settings.ts';
import { classify } from './classify.ts';
import { criteriaOf, outdatedSources } from './drift.ts';

export function assess(
  group: Group,
  launch: Launch,
  observation: Observation,
  stackSettings: Settings,
): Assessment {
  const settings = settingsOf(group, stackSettings);
  const criteria = criteriaOf(group, launch, observation, settings);
  const outdated = outdatedSources(criteria);
  return { group, launch, observation, settings, classified: classify(group, criteria), outdated };
}

/** A roll has begun as soon as a tag of ours stands on the group or on one of its instances. */
export function hasBegun(group: Group): boolean {
  return group.roll !== undefined || group.instances.some(({ alive, mark }) => alive && mark);
}

/** Where the instances of a group stand; undefined for a group that can't be rolled. */
export function classificationOf(
  group: Group,
  observation: Observation,
  settings: Settings,
): Classification | undefined {
  if ('obstacle' in group.launch) return undefined;
  return classify(group, criteriaOf(group, group.launch, observation, settingsOf(group, settings)));
}

/** The places of a group that launch an outdated image. */
export function outdatedOf(group: Group, observation: Observation, settings: Settings): LaunchSource[] {
  if ('obstacle' in group.launch) return [];
  return outdatedSources(criteriaOf(group, group.launch, observation, settingsOf(group, settings)));
}

/** Whether a roll of the group is under way or would begin: then more of it must be known. */
export function isConcerned(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.excluded || 'obstacle' in group.launch) return false;
  const criteria = criteriaOf(group, group.launch, observation, settingsOf(group, settings));
  const { drifted, warm } = classify(group, criteria);
  return hasBegun(group) || drifted.length + warm.length + outdatedSources(criteria).length > 0;
}
