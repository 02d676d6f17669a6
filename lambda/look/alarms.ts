import type { Aws } from '../aws/clients.ts';
import { describeAlarms } from '../aws/cloudwatch.ts';
import { isConcerned, withDetails, withGroups } from '../core/group/assess.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { Alarm } from '../core/model/observation.ts';
import { eachOrFault, nameOf } from './faults.ts';

/**
 * All alarms that settings of the groups name, in one call. Where that fails, each group's by themselves: a
 * name on the tag of one may be what CloudWatch refuses. The groups whose alarms couldn't be read are left
 * out.
 */
export async function withAlarms(
  aws: Aws,
  assessed: ClusterAssessment,
  faults: Map<string, unknown>,
): Promise<ClusterAssessment> {
  const { groups } = assessed;
  const names = groups.flatMap(alarmsOf);
  if (names.length === 0) return assessed;
  try {
    return withDetails(assessed, { alarms: await describeAlarms(aws, names) });
  } catch {
    // What stands in the way is told of each group that it stands in the way of.
    const alarms: Alarm[] = [];
    const readable = await eachOrFault(groups, faults, nameOf, async (each) => {
      alarms.push(...(await describeAlarms(aws, alarmsOf(each))));
      return each;
    });
    return withDetails(withGroups(assessed, readable), { alarms });
  }
}

function alarmsOf(assessment: GroupAssessment): readonly string[] {
  return isConcerned(assessment) ? (assessment.settings.alarmNames ?? []) : [];
}
