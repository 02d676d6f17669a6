import { type Activity, paginateDescribeScalingActivities } from '@aws-sdk/client-auto-scaling';
import type { FailedLaunch } from '../core/model.ts';
import type { Aws } from './clients.ts';

/** The longest page. */
const ACTIVITIES = 100;

const LAUNCH = /^Launching a new EC2 instance/;

/**
 * The launches of a group that have failed, the latest first: only its activities tell of them.
 *
 * @param since those that began before are left out
 */
export async function describeFailedLaunches(aws: Aws, group: string, since: Date): Promise<FailedLaunch[]> {
  const found: FailedLaunch[] = [];
  for await (const page of activitiesSince(aws, group, since)) {
    for (const activity of page) {
      const { StartTime: at } = activity;
      if (at !== undefined && isFailedLaunch(activity)) found.push({ at, message: messageOf(activity) });
    }
  }
  return found;
}

/**
 * The activities of a group, six weeks of them, page by page. They come sorted by start time, the latest first, but those
 * still in progress come before all others: one of these may have begun long ago, as where a hook holds what is to end.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html
 */
async function* activitiesSince(
  { autoScaling }: Aws,
  group: string,
  since: Date,
): AsyncGenerator<Activity[]> {
  const input = { AutoScalingGroupName: group };
  const pages = paginateDescribeScalingActivities({ client: autoScaling, pageSize: ACTIVITIES }, input);
  const isBefore = ({ StartTime }: Activity) => StartTime === undefined || StartTime < since;
  for await (const { Activities = [] } of pages) {
    yield Activities.filter((each) => !isBefore(each));
    if (Activities.some((each) => isBefore(each) && isOver(each))) return;
  }
}

/** As AWS writes it: `Terminating EC2 instance: i-…`, and behind that what holds it. */
const TERMINATION = /^Terminating EC2 instance: (?<instanceId>i-[0-9a-f]+)/;

/**
 * Since when a group has been ending instances, by instance: only its activities tell.
 *
 * @param since those that began before are left out
 */
export function describeTerminations(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
): Promise<Map<string, Date>> {
  return timesOf(aws, group, instanceIds, since, TERMINATION, ({ StartTime }) => StartTime);
}

/** As AWS writes it, once it is over; what comes `into warm pool` is no member yet. */
const LAUNCHED = /^Launching a new EC2 instance(?: from warm pool)?: (?<instanceId>i-[0-9a-f]+)/;

/**
 * Since when instances have been in service, by instance: only the end of their launches tells, hooks and all.
 *
 * @param since those that began before are left out
 */
export function describeEntries(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
): Promise<Map<string, Date>> {
  const endOf = ({ EndTime, StatusCode }: Activity) => (StatusCode === 'Successful' ? EndTime : undefined);
  return timesOf(aws, group, instanceIds, since, LAUNCHED, endOf);
}

/** Reads a group's activities, the latest first, until all of these instances, or no more, are told of. */
async function timesOf(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
  description: RegExp,
  timeOf: (activity: Activity) => Date | undefined,
): Promise<Map<string, Date>> {
  const found = new Map<string, Date>();
  for await (const page of activitiesSince(aws, group, since)) {
    for (const activity of page) {
      const { instanceId = '' } = description.exec(activity.Description ?? '')?.groups ?? {};
      const time = timeOf(activity);
      if (time !== undefined && instanceIds.includes(instanceId)) found.set(instanceId, time);
    }
    if (found.size === instanceIds.length) return found;
  }
  return found;
}

function isOver({ StatusCode }: Activity): boolean {
  return StatusCode === 'Successful' || StatusCode === 'Failed' || StatusCode === 'Cancelled';
}

function isFailedLaunch({ StatusCode, Description = '', Cause = '' }: Activity): boolean {
  const failed = StatusCode === 'Failed' || StatusCode === 'Cancelled';
  return failed && (LAUNCH.test(Description) || LAUNCH.test(Cause));
}

/** One that was cancelled has its reason, if any, in the description alone. */
function messageOf({ StatusMessage, Description = '' }: Activity): string {
  return StatusMessage || Description;
}
