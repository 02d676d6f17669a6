import { describeFailedLaunches } from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import { hasLateComer } from '../core/group/launch-faults.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import { stays, weightOf } from '../core/model/members.ts';

/** Why members are missing or came late, if any are or did. */
export async function failedLaunchesOf(
  aws: Aws,
  assessment: Assessment,
): Promise<Pick<GroupDetails, 'failedLaunches'>> {
  const { name, roll, members, desiredCapacity } = assessment.group;
  if (roll === undefined) return {};
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  if (present >= desiredCapacity && !hasLateComer(assessment)) return {};
  return { failedLaunches: await describeFailedLaunches(aws, name, roll.startedAt) };
}
