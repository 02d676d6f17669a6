import { configurationsToVerify } from '../../../lambda/core/launch-spec/restore-configuration.ts';
import type { Assessment } from '../../../lambda/core/model/assessment.ts';
import type { GroupDetails } from '../../../lambda/core/model/group.ts';
import { stays, weightOf } from '../../../lambda/core/model/members.ts';
import type { ClusterDetails, Observation } from '../../../lambda/core/model/observation.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { needsCrashes, needsLaunchHistory, needsServices } from '../../../lambda/look/needs.ts';
import { assessed, groupOf } from '../builders.ts';

/** An observation with no more than is asked of AWS at such a look. */
export function asked(observation: Observation, settings: Settings): Observation {
  const { details = {}, ...facts } = observation;
  const { details: ofGroup = {}, ...group } = groupOf(observation);
  const assessment = assessed({ ...facts, groups: [group] }, settings);
  if (!assessment.isConcerned) return assessment.observation;
  return {
    ...facts,
    groups: [{ ...group, details: groupDetails(ofGroup, assessment) }],
    details: clusterDetails(details, assessment),
  };
}

function groupDetails(details: GroupDetails, assessment: Assessment): GroupDetails {
  const { hasCapacityProvider, hasManagedScaling, targetHealth, failedLaunches = [] } = details;
  const { ownLaunchSpecs, templateUsers } = details;
  const { roll, members, desiredCapacity } = assessment.group;
  const always = {
    hasCapacityProvider,
    hasManagedScaling,
    ...(needsLaunchHistory(assessment) && { ownLaunchSpecs, templateUsers }),
  };
  if (roll === undefined) return always;
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  return {
    ...always,
    ...formerOf(details, assessment),
    targetHealth,
    ...(present < desiredCapacity && {
      failedLaunches: failedLaunches.filter(({ at }) => at >= roll.startedAt),
    }),
  };
}

function formerOf(
  { formerConfigurations = new Map() }: GroupDetails,
  { group, launch }: Assessment,
): GroupDetails {
  const asked = configurationsToVerify(group, launch);
  const found = [...formerConfigurations].filter(([name]) => asked.includes(name));
  return asked.length === 0 ? {} : { formerConfigurations: new Map(found) };
}

function clusterDetails({ crashes, ...others }: ClusterDetails, assessment: Assessment): ClusterDetails {
  const { leaving } = assessment.classified;
  if (leaving.length === 0 && !needsServices(assessment)) return { alarms: others.alarms };
  return { ...others, ...(needsCrashes(assessment) && { crashes }) };
}
