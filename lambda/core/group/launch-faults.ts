import type { Assessment } from '../model/assessment.ts';
import type { FailedLaunch, Group } from '../model/group.ts';
import { takesTasks } from '../model/registrations.ts';
import { isOver, later } from '../model/time.ts';

/**
 * EC2's messages for launches that fail whatever the image: no capacity, a quota, no free address, or
 * something else in the launch spec that is gone.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-capacity.html
 */
const OF_NO_IMAGE: readonly RegExp[] = [
  /do not have sufficient|insufficient\w*capacity|unfulfillablecapacity|no spot capacity available/i,
  /capacity reservation|reservationcapacityexceeded/i,
  /limitexceeded|than your current .*limit|max spot instance count exceeded|reached your quota/i,
  /not enough free addresses|insufficientfreeaddresses/i,
  /your spot request price/i,
  /the (security group|key pair) .*does not exist/i,
];

/**
 * Whether the group's launches fail for reasons other than the image; if any fails otherwise, the image may
 * be at fault.
 */
export function areOfNoImage(failed: readonly FailedLaunch[]): boolean {
  return failed.length > 0 && failed.every(({ message }) => OF_NO_IMAGE.some((words) => words.test(message)));
}

/**
 * Until when launches failed for other reasons than the image: a member launched later isn't to blame for
 * being late.
 */
export function hinderedUntil({ details: { failedLaunches = [] } = {} }: Pick<Group, 'details'>): Date {
  const begun = new Date(0);
  if (!areOfNoImage(failedLaunches)) return begun;
  return failedLaunches.map(({ at }) => at).reduce(later, begun);
}

/**
 * Whether a member that is getting ready was launched so long after its batch was chosen that launches may
 * have failed. If the group has ended the whole batch, the time counts from the roll's beginning.
 */
export function hasLateComer({
  group: { instances, members, roll },
  observation,
  settings: { readyTimeoutSeconds },
}: Assessment): boolean {
  const marks = instances.flatMap(({ mark }) => mark?.detachStartedAt ?? []);
  const chosen = marks.length > 0 ? marks.reduce(later) : roll?.startedAt;
  if (chosen === undefined) return false;
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const late = instances.filter(
    ({ instanceId, launchedAt }) => ids.has(instanceId) && isOver(chosen, readyTimeoutSeconds, launchedAt),
  );
  const isYoung = (launchedAt: Date) => !isOver(launchedAt, readyTimeoutSeconds, observation.now);
  return late.some(
    ({ instanceId, launchedAt }) =>
      !takesTasks(observation, instanceId) || (marks.length > 0 && isYoung(launchedAt)),
  );
}
