import type { Aws } from '../aws/clients.ts';
import { rare } from '../aws/rare.ts';
import { canRoll, isConcerned, withDetails, withGroups } from '../core/group/assess.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { Alarm } from '../core/model/observation.ts';
import { eachOrFault, nameOf } from './faults.ts';

/**
 * Reads all alarms that the groups' settings name, in one call. If that fails, it reads each group's alone:
 * CloudWatch may refuse a name on one group's tag. Groups whose alarms can't be read are left out.
 */
export async function withAlarms(
  aws: Aws,
  assessed: ClusterAssessment,
  faults: Map<string, unknown>,
): Promise<ClusterAssessment> {
  const { groups } = assessed;
  const names = groups.flatMap(alarmsOf);
  if (names.length === 0) return assessed;
  const { describeAlarms } = await rare.alarms();
  try {
    return withDetails(assessed, { alarms: await describeAlarms(aws, names) });
  } catch {
    // The read for each group alone reports the fault of those it concerns.
    const alarms: Alarm[] = [];
    const readable = await eachOrFault(groups, faults, nameOf, async (each) => {
      alarms.push(...(await describeAlarms(aws, alarmsOf(each))));
      return each;
    });
    return withDetails(withGroups(assessed, readable), { alarms });
  }
}

/** A member of a sequence tells that of its alarms at all times: a stage soaks after its rolls. */
function alarmsOf(assessment: GroupAssessment): readonly string[] {
  const isMember = canRoll(assessment) && assessment.launch.sources.some(({ inSequence }) => inSequence);
  return isMember || isConcerned(assessment) ? (assessment.settings.alarmNames ?? []) : [];
}
