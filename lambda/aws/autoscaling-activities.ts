import { type Activity, paginateDescribeScalingActivities } from '@aws-sdk/client-auto-scaling';
import type { FailedLaunch } from '../core/model/group.ts';
import { later, secondsBetween } from '../core/model/time.ts';
import type { Aws } from './clients.ts';

/** The longest page. */
const ACTIVITIES = 100;

const LAUNCH = /^Launching a new EC2 instance/;

/**
 * How the cause of a termination names a load balancer's health check.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-health-checks.html
 */
const FOUND_UNHEALTHY = /\bELB system health check/;

/**
 * A group's failed launches, latest first: only its activities show them. A launch has failed, too, if a load
 * balancer has found unhealthy what came of it.
 *
 * @param since leaves out those that began before
 * @param limitSeconds how soon: what has lived for longer has served
 */
export async function describeFailedLaunches(
  aws: Aws,
  group: string,
  since: Date,
  limitSeconds: number,
): Promise<FailedLaunch[]> {
  const activities: StartedActivity[] = [];
  for await (const page of pagesSince(aws, group, since)) activities.push(...page);
  const unhealthy = activities.filter(({ Cause = '' }) => FOUND_UNHEALTHY.test(Cause));
  const ends = new Map(unhealthy.map((end) => [idIn(end, TERMINATION), end]));
  return activities.flatMap((activity) => {
    const { StartTime: at, EndTime: enteredAt = at } = activity;
    const id = idIn(activity, LAUNCHED);
    if (isFailedLaunch(activity)) {
      const launched = id !== '' && !isCalledOff(activity);
      return [{ at, message: messageOf(activity), ...(launched && { launched }) }];
    }
    const end = ends.get(id);
    if (!end?.Cause || secondsBetween(enteredAt, end.StartTime) > limitSeconds) return [];
    return [{ at, message: end.Cause, launched: true }];
  });
}

/** AWS writes `Terminating EC2 instance: i-…`, then perhaps what holds it up. */
const TERMINATION = /^Terminating EC2 instance: (?<instanceId>i-[0-9a-f]+)/;

/** The same of those in a warm pool, too. */
const END = /^Terminating EC2 instance(?: from warm pool)?: (?<instanceId>i-[0-9a-f]+)/;

/**
 * When a group began to end each instance: only its activities show that.
 *
 * @param since leaves out those that began before
 */
export function describeTerminations(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
): Promise<Map<string, Date>> {
  return timesOf(aws, group, instanceIds, since, END, ({ StartTime }) => StartTime);
}

/** Hooks hold no longer. */
const LONGEST_HELD_MS = 48 * 3_600_000;

/** The same of those that it ends now. */
export async function describeCurrentTerminations(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  now: Date,
): Promise<Map<string, Date>> {
  if (instanceIds.length === 0) return new Map();
  return describeTerminations(aws, group, instanceIds, new Date(now.getTime() - LONGEST_HELD_MS));
}

/** The cause AWS writes for a requested termination; those the group decided on have others. */
const BY_REQUEST = /\bin response to a user request\b/;

/** How many instances a group was asked to end since then. */
export async function countRequestedTerminations(aws: Aws, group: string, since: Date): Promise<number> {
  const found = new Set<string>();
  for await (const activities of pagesSince(aws, group, since)) {
    for (const activity of activities) {
      const instanceId = idIn(activity, TERMINATION);
      if (instanceId && BY_REQUEST.test(activity.Cause ?? '')) found.add(instanceId);
    }
  }
  return found.size;
}

/** Such as `At 2026-11-21T12:00:00Z a user request … changing the desired capacity from 6 to 4.` */
const RESIZED = /\bdesired capacity from \d+ to (?<to>\d+)/;

/** Whoever takes a member out, or brings one back, means one less or more than there are. */
const BY_MEMBER =
  /\bin response to (?:a )?user request(?:, (?:shrinking|increasing)|\. Keeping) the capacity\b/;

/** `triggered policy my-policy`, or, by hand, `executed policy my-policy`. */
const BY_POLICY = /\bpolic(?:y|ies)\b/i;

/** A predictive policy goes by the hour, not by what it finds. */
const BY_FORECAST = /\bpredictive\b|\bforecast/i;

/**
 * The desired capacity that a group was last set to, unless a policy did that, or a member that left or came,
 * which go by what they find: a schedule, a forecast, or somebody, names the number that is wanted. AWS
 * writes it before what came of it, if anything did.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/predictive-scaling-policy-overview.html
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-verify-scaling-activity.html
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_EnterStandby.html
 */
export async function describeNamedSize(aws: Aws, group: string, since: Date): Promise<number | undefined> {
  let latest: { readonly at: Date; readonly why: string } | undefined;
  for await (const activities of pagesSince(aws, group, since))
    for (const { StartTime: at, Cause = '' } of activities) {
      const why = Cause.split(/(?=\bAt \d{4}-)/).findLast(
        (each) => RESIZED.test(each) || BY_MEMBER.test(each),
      );
      if (why !== undefined && (latest === undefined || at >= latest.at)) latest = { at, why };
    }
  if (latest === undefined || BY_MEMBER.test(latest.why)) return undefined;
  if (BY_POLICY.test(latest.why) && !BY_FORECAST.test(latest.why)) return undefined;
  return Number(RESIZED.exec(latest.why)?.groups?.to);
}

/** AWS writes the id once there is an instance. What comes `into warm pool` isn't a member yet. */
const LAUNCHED = /^Launching a new EC2 instance(?: from warm pool)?: (?<instanceId>i-[0-9a-f]+)/;

/**
 * Since when each instance has been in service. Only the end of its launch activity shows that, with hooks
 * included.
 *
 * @param since leaves out those that began before
 */
export function describeInServiceTimes(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
): Promise<Map<string, Date>> {
  const endOf = ({ EndTime, StatusCode }: Activity) => (StatusCode === 'Successful' ? EndTime : undefined);
  return timesOf(aws, group, instanceIds, since, LAUNCHED, endOf);
}

/** AWS writes this of what it is given back, by whomever. */
const ATTACHMENT = /^Attaching an existing EC2 instance: (?<instanceId>i-[0-9a-f]+)/;

/** Only before a colon: after it, a failure may be described in any words. */
const DETACHMENT = /^[^:]*\bdetach(?:ing|ed)?\b/i;

/**
 * When a group last detached each instance, which also proves that it had it. AWS writes `Detaching EC2
 * instance: i-…`, and nobody else can. Activities are kept for six weeks.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DetachInstances.html
 *
 * One that the group was ending before, and retained, is detached by its owner alone, and missing here.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-detach-attach-instances.html
 *
 * One that was attached again since has left the group by a later detachment, which isn't shown yet.
 *
 * @param since leaves out those that began before
 * @param deletedToo also searches deleted groups of the same name
 */
export async function describeDetachments(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
  since: Date,
  deletedToo: boolean,
): Promise<Map<string, Date>> {
  const found = new Map<string, Date>();
  const ended = new Map<string, Date>();
  const attached = new Map<string, Date>();
  for await (const activities of pagesSince(aws, group, since, deletedToo)) {
    for (const activity of activities) {
      ended.set(idIn(activity, TERMINATION), activity.StartTime);
      noteLatest(attached, idIn(activity, ATTACHMENT), activity.StartTime);
    }
    for (const activity of activities.filter(isDetachment))
      for (const instanceId of instanceIds.filter((id) => mentions(activity, id)))
        noteLatest(found, instanceId, activity.StartTime);
  }
  const isOurs = (id: string, at: Date) => {
    const [endedAt = FAR, attachedAt = EVER] = [ended.get(id), attached.get(id)];
    return endedAt > at && attachedAt < at;
  };
  return new Map([...found].filter(([id, at]) => isOurs(id, at)));
}

const EVER = new Date(0);
const FAR = new Date(8.64e15);

function noteLatest(times: Map<string, Date>, instanceId: string, at: Date): void {
  times.set(instanceId, later(at, times.get(instanceId) ?? at));
}

function isDetachment({ Description = '', StatusCode }: Activity): boolean {
  return DETACHMENT.test(Description) && StatusCode !== 'Failed' && StatusCode !== 'Cancelled';
}

function mentions({ Description = '', Details = '' }: Activity, instanceId: string): boolean {
  return new RegExp(`(?<![\\w-])${instanceId}(?![\\w-])`).test(`${Description} ${Details}`);
}

/**
 * Reads a group's activities, latest first, until they have covered all these instances, or there are no
 * more.
 */
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
      const instanceId = idIn(activity, description);
      const time = timeOf(activity);
      if (time !== undefined && instanceIds.includes(instanceId)) found.set(instanceId, time);
    }
    if (found.size === instanceIds.length) return found;
  }
  return found;
}

/** Empty if its description isn't such a one. */
function idIn({ Description = '' }: Activity, such: RegExp): string {
  return such.exec(Description)?.groups?.instanceId ?? '';
}

type StartedActivity = Activity & { readonly StartTime: Date };

/**
 * A group's activities since then, page by page, latest first. Those in progress come before all others,
 * however old: only one that is over proves that everything after it is older.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html
 */
async function* pagesSince(
  { autoScaling }: Aws,
  group: string,
  since: Date,
  deletedToo = false,
): AsyncGenerator<readonly StartedActivity[]> {
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

function hasBegun(activity: Activity): activity is StartedActivity {
  return activity.StartTime !== undefined;
}

function isFailedLaunch({ StatusCode, Description = '', Cause = '' }: Activity): boolean {
  const failed = StatusCode === 'Failed' || StatusCode === 'Cancelled';
  return failed && (LAUNCH.test(Description) || LAUNCH.test(Cause));
}

/** A launch that its group wanted no more, as it got smaller: no reason is given, and nothing failed. */
function isCalledOff({ StatusCode, StatusMessage, Description = '' }: Activity): boolean {
  return StatusCode === 'Cancelled' && !StatusMessage && !/Status Reason/.test(Description);
}

/** A cancelled launch has its reason, if any, only in the description. */
function messageOf({ StatusMessage, Description = '' }: Activity): string {
  return StatusMessage || Description;
}
