import type {
  Assessment,
  ClusterAssessment,
  Drifted,
  GroupAssessment,
  RollAssessment,
} from '../model/assessment.ts';
import type { Group, GroupDetails } from '../model/group.ts';
import type { ClusterDetails, Observation } from '../model/observation.ts';
import { type Settings, settingsOf } from '../model/settings.ts';
import { classify } from './classify.ts';
import { criteriaOf, outdatedSources } from './drift.ts';

/** Assesses every group of a cluster: see `assess`. */
export function assessCluster(observation: Observation, settings: Settings): ClusterAssessment {
  const groups = observation.groups.map((group) => assess(group, observation, settings));
  return { observation, settings, groups };
}

/**
 * Derives, once per look, what decisions ask of a group again and again. It needs no details, so its result
 * can tell which details to read.
 *
 * @param settings those of the stack, or of the group
 */
export function assess(group: Group, observation: Observation, settings: Settings): GroupAssessment {
  const { launch } = group;
  const own = settingsOf(group, settings);
  const assessed = { group, observation, settings: own, hasBegun: hasBegun(group) };
  if ('obstacle' in launch) return { ...assessed, obstacle: launch.obstacle };
  const criteria = criteriaOf(assessed, launch);
  const outdated = outdatedSources(criteria);
  const classified = classify(group, criteria, observation.containerInstances);
  const isOutdated = classified.drifted.length + classified.warm.length + outdated.length > 0;
  const isConcerned = !group.excluded && (assessed.hasBegun || isOutdated);
  return { ...assessed, launch, classified, outdated, isConcerned };
}

/** The same assessment with more details read; none of them changes what was derived. */
export function withDetails(
  { observation, settings, groups }: ClusterAssessment,
  details: ClusterDetails,
): ClusterAssessment {
  const whole = { ...observation, details: { ...observation.details, ...details } };
  return withGroups({ observation: whole, settings, groups }, groups);
}

/** A cluster with these groups, each of which sees the others. */
export function withGroups(
  { observation, settings }: ClusterAssessment,
  groups: readonly GroupAssessment[],
): ClusterAssessment {
  const whole = { ...observation, groups: groups.map(({ group }) => group) };
  return { observation: whole, settings, groups: groups.map((each) => ({ ...each, observation: whole })) };
}

/** Like `withDetails`, for one group. */
export function withGroupDetails(assessment: Assessment, details: GroupDetails): Assessment {
  const { group } = assessment;
  return { ...assessment, group: { ...group, details: { ...group.details, ...details } } };
}

/** A roll has begun as soon as the group or one of its instances carries a tag of ours. */
function hasBegun(group: Group): boolean {
  return group.roll !== undefined || group.instances.some(({ alive, mark }) => alive && mark);
}

export function isConcerned(assessment: GroupAssessment): assessment is Assessment {
  return canRoll(assessment) && assessment.isConcerned;
}

export function canRoll(assessment: GroupAssessment): assessment is Assessment {
  return !('obstacle' in assessment);
}

export function hasRoll(assessment: Assessment): assessment is RollAssessment {
  return assessment.group.roll !== undefined;
}

/** The members and warm pool instances to replace. */
export function driftedIn(assessment: GroupAssessment): readonly Drifted[] {
  if (!canRoll(assessment)) return [];
  const { drifted, warm } = assessment.classified;
  return [...drifted, ...warm];
}
