import { configurationsToVerify } from '../../../lambda/core/launch-spec/restore-configuration.ts';
import type { Assessment } from '../../../lambda/core/model/assessment.ts';
import type { Group } from '../../../lambda/core/model/group.ts';
import { stays, weightOf } from '../../../lambda/core/model/members.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { needsCrashes, needsLaunchHistory, needsServices } from '../../../lambda/look/needs.ts';
import { assessed, groupOf } from '../builders.ts';

/** An observation with no more than is asked of AWS at such a look. */
export function asked(observation: Observation, settings: Settings): Observation {
  const group = groupOf(observation);
  const bare = { ...observation, groups: [bareOf(group)] };
  const assessment = assessed(bare, settings);
  const { ownLaunchSpecs, templateUsers } = group;
  const seen = {
    ...(assessment.isConcerned ? detailsOf(group, assessment.group) : assessment.group),
    ...(needsLaunchHistory(assessment) && { ownLaunchSpecs, templateUsers }),
  };
  return { ...withServices({ ...assessment, observation }), groups: [seen] };
}

function bareOf({ ownLaunchSpecs: _, templateUsers: __, formerConfigurations: ___, ...group }: Group): Group {
  return {
    ...group,
    targetHealth: [],
    failedLaunches: [],
    hasCapacityProvider: false,
    hasManagedScaling: false,
  };
}

function detailsOf(group: Group, bare: Group): Group {
  const { roll, members, desiredCapacity } = group;
  const { hasCapacityProvider, hasManagedScaling } = group;
  const provided = { ...bare, hasCapacityProvider, hasManagedScaling };
  if (roll === undefined) return provided;
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  const { startedAt } = roll;
  return {
    ...provided,
    targetHealth: group.targetHealth,
    ...formerOf(group),
    failedLaunches: present < desiredCapacity ? group.failedLaunches.filter(({ at }) => at >= startedAt) : [],
  };
}

function formerOf(group: Group): Pick<Group, 'formerConfigurations'> {
  if ('obstacle' in group.launch) return {};
  const asked = configurationsToVerify(group, group.launch);
  const found = [...(group.formerConfigurations ?? [])].filter(([name]) => asked.includes(name));
  return asked.length === 0 ? {} : { formerConfigurations: new Map(found) };
}

function withServices(assessment: Assessment): Observation {
  const { observation, classified, isConcerned } = assessment;
  if (!isConcerned || (classified.leaving.length === 0 && !needsServices(assessment))) {
    return { ...observation, services: undefined, tasks: [], crashes: [] };
  }
  return needsCrashes(assessment) ? observation : { ...observation, crashes: [] };
}
