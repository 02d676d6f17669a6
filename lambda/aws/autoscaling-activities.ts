import { type Activity, paginateDescribeScalingActivities } from '@aws-sdk/client-auto-scaling';
import type { FailedLaunch } from '../core/model/group.ts';
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
  for await (const activities of pagesSince(aws, group, since)) {
    for (const activity of activities) {
      if (isFailedLaunch(activity)) found.push({ at: activity.StartTime, message: messageOf(activity) });
    }
  }
  return found;
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

/** As AWS writes it; of what a group ends by itself it writes other causes. */
const BY_REQUEST = /\bin response to a user request\b/;

/** How many instances a group was asked to end since then. */
export async function countRequestedTerminations(aws: Aws, group: string, since: Date): Promise<number> {
  const found = new Set<string>();
  for await (const activities of pagesSince(aws, group, since)) {
    for (const { Description = '', Cause = '' } of activities) {
      const instanceId = TERMINATION.exec(Description)?.groups?.instanceId;
      if (instanceId !== undefined && BY_REQUEST.test(Cause)) found.add(instanceId);
    }
  }
  return found.size;
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

/** Before any colon, behind which a failure may be told in whatever words. */
const DETACHMENT = /^[^:]*\bdetach(?:ing|ed)?\b/i;

/**
 * When a group has detached instances, the last time of each; that it had them goes with it. AWS writes `Detaching EC2
 * instance: i-…`, which nobody else can write. Whatever was detached, and when, is told for six weeks.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DetachInstances.html
 *
 * @param since those that began before are left out
 * @param deletedToo whether it may have been another group of the name, deleted since
 */
export async function describeDetachments(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
  deletedToo: boolean,
): Promise<Map<string, Date>> {
  const found = new Map<string, Date>();
  for await (const activities of pagesSince(aws, group, since, deletedToo)) {
    for (const activity of activities.filter(isDetachment)) {
      for (const instanceId of instanceIds.filter((id) => isOf(activity, id))) {
        const before = found.get(instanceId);
        if (before === undefined || before < activity.StartTime) found.set(instanceId, activity.StartTime);
      }
    }
    if (found.size === instanceIds.length) return found;
  }
  return found;
}

function isDetachment({ Description = '', StatusCode }: Activity): boolean {
  return DETACHMENT.test(Description) && StatusCode !== 'Failed' && StatusCode !== 'Cancelled';
}

function isOf({ Description = '', Details = '' }: Activity, instanceId: string): boolean {
  return new RegExp(`(?<![\\w-])${instanceId}(?![\\w-])`).test(`${Description} ${Details}`);
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
  for await (const activities of pagesSince(aws, group, since)) {
    for (const activity of activities) {
      const { instanceId = '' } = description.exec(activity.Description ?? '')?.groups ?? {};
      const time = timeOf(activity);
      if (time !== undefined && instanceIds.includes(instanceId)) found.set(instanceId, time);
    }
    if (found.size === instanceIds.length) return found;
  }
  return found;
}

type Begun = Activity & { readonly StartTime: Date };

/**
 * The activities of a group that began since then, page by page. They come the latest first, but before all others those
 * that are in progress, however old: only one that is over tells that all behind it are older.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html
 */
async function* pagesSince(
  { autoScaling }: Aws,
  group: string,
  since: Date,
  deletedToo = false,
): AsyncGenerator<readonly Begun[]> {
  const input = { AutoScalingGroupName: group, ...(deletedToo && { IncludeDeletedGroups: true }) };
  const pages = paginateDescribeScalingActivities({ client: autoScaling, pageSize: ACTIVITIES }, input);
  for await (const { Activities = [] } of pages) {
    const begun = Activities.filter(hasBegun);
    yield begun.filter(({ StartTime }) => StartTime >= since);
    if (begun.some((activity) => activity.StartTime < since && isOver(activity))) return;
  }
}

const OVER: ReadonlySet<string | undefined> = new Set(['Successful', 'Failed', 'Cancelled']);

function isOver({ StatusCode, EndTime }: Activity): boolean {
  return EndTime !== undefined || OVER.has(StatusCode);
}

function hasBegun(activity: Activity): activity is Begun {
  return activity.StartTime !== undefined;
}

function isFailedLaunch({ StatusCode, Description = '', Cause = '' }: Activity): boolean {
  const failed = StatusCode === 'Failed' || StatusCode === 'Cancelled';
  return failed && (LAUNCH.test(Description) || LAUNCH.test(Cause));
}

/** One that was cancelled has its reason, if any, in the description alone. */
function messageOf({ StatusMessage, Description = '' }: Activity): string {
  return StatusMessage || Description;
}
