import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { isConcerned, withDetails, withGroupDetails, withGroups } from '../core/group/assess.ts';
import type { Assessment, ClusterAssessment } from '../core/model/assessment.ts';
import type { PreflightFacts } from '../core/model/preflight-facts.ts';
import { propagatedMarks } from '../tags/instance-tags.ts';
import { tagsTooMany } from '../tags/roll-tags.ts';
import { eachOrFault, nameOf } from './faults.ts';
import { protectedBefore } from './group-details.ts';
import type { Memory } from './memory.ts';
import {
  placedMisfits,
  preflightFacts,
  reservedPlaces,
  spreadGroups,
  type TaskHosts,
} from './preflight-facts.ts';
import { sourcesInTheWay, zonalSources } from './traffic-sources.ts';

/** Reads what the checks before a roll need, for groups whose roll would begin. */
export async function withPreflight(
  aws: Aws,
  assessed: ClusterAssessment,
  records: readonly DescribedGroup[],
  memory: Memory,
  faults: Map<string, unknown>,
): Promise<ClusterAssessment> {
  const { instanceProfiles, taskDefinitions } = memory;
  const hosts: TaskHosts = new Map();
  const byName = new Map(records.map((record) => [record.name, record]));
  const read = async (assessment: Assessment, record: DescribedGroup): Promise<PreflightFacts> => ({
    ...(await preflightFacts(aws, assessment, record, instanceProfiles, hosts)),
    ...(await reservedPlaces(aws, assessment, record.reserved)),
    spreadGroups: await spreadGroups(aws, assessment, record),
    misfits: await placedMisfits(aws, assessment, assessed, taskDefinitions, hosts),
    zonalSources: await zonalSources(aws, assessment, memory),
    ...(await sourcesInTheWay(aws, assessment)),
    terminationProtected: await protectedBefore(aws, assessment, memory),
    tagsTooMany: tagsTooMany(record.tags, hasHooks(assessment)),
    propagatedTags: propagatedMarks(record.propagatedTags),
  });
  const groups = await eachOrFault(assessed.groups, faults, nameOf, async (assessment) => {
    const record = byName.get(assessment.group.name);
    if (assessment.hasBegun || !isConcerned(assessment) || record === undefined) return assessment;
    return withGroupDetails(assessment, { preflight: await read(assessment, record) });
  });
  return withDetails(withGroups(assessed, groups), {
    unread: [...taskDefinitions.unread(), ...instanceProfiles.unread()],
  });
}

function hasHooks({ settings: { onTrialPassed, beforeBatch } }: Assessment): boolean {
  return onTrialPassed !== undefined || beforeBatch !== undefined;
}
