import { imagesOfRoll } from '../launch-spec/previous.ts';
import type { Group, Instance } from '../model/group.ts';
import type { LaunchSource } from '../model/launch.ts';
import { isStandby } from '../model/members.ts';
import type { Course, Roll } from '../model/roll.ts';
import { isOver } from '../model/time.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import type { Warning } from '../reasons/warnings.ts';
import { forceOf } from './drift.ts';
import { isMarked } from './marked.ts';

/**
 * Nothing but tags records that a roll is over, so whoever has read a roll's tags may put them back. What is
 * left of the roll in AWS tells one that is under way from one that ended.
 */

/** As long as Auto Scaling keeps activities: nothing that is older can be checked. */
const CHECKABLE_SECONDS = 42 * 86_400;

/**
 * A failed member that ends by itself before the launch spec is back is launched anew meanwhile: so long
 * after a rollback was recorded, members may show what it is about.
 */
export const RELAUNCH_SECONDS = 86_400;

type Left = Pick<Group, 'members' | 'instances'>;

/**
 * A request by tag counts only while the roll has old instances: its tags prove nothing, and it isn't needed
 * once all are replaced.
 */
export function withoutVoidRequest(roll: Roll | undefined, left: Left, now: Date): RequestRead {
  const request = roll && voidRequest(roll, left, now);
  if (roll === undefined || request === undefined) return { roll, voided: [] };
  return { roll: { ...roll, course: { kind: 'forward' } }, voided: [{ code: 'request-void', request }] };
}

function voidRequest(roll: Roll, left: Left, now: Date): 'abort' | 'rollback' | undefined {
  const { course, startedAt } = roll;
  if (course.kind === 'forward' || !isRequest(course, now)) return undefined;
  return isOver(startedAt, CHECKABLE_SECONDS, now) || !hasOld(roll, left, now) ? course.kind : undefined;
}

interface RequestRead {
  readonly roll: Roll | undefined;
  /** Present if its request is left out. */
  readonly voided: readonly Warning[];
}

/** Without a date somebody else wrote it. */
export function isRequest(course: Course, now: Date): boolean {
  return course.kind !== 'forward' && course.because.code === 'asked-by-tag' && course.since >= now;
}

/** So long a roll may wait for its turn behind other groups, recorded and no more. */
const WAITS_SECONDS = 86_400;

/**
 * Ends a roll forward of which nothing but its tags is left: it ended before, and somebody has put them back.
 * It would pass over schedule, notice, rejection and trial. What its tags note of sizes and processes is
 * given back; its images are neither launched nor rejected.
 */
export function withoutLeftOver(group: Group, now: Date): Group {
  const { roll, launch } = group;
  if (roll?.course.kind !== 'forward' || 'obstacle' in launch) return group;
  if (isUnderWay(roll, group, launch.sources, now)) return group;
  const course = { kind: 'abort', since: roll.startedAt, because: { code: 'left-over' } } as const;
  return { ...group, roll: { ...roll, imageIds: [], previous: [], course } };
}

/** The group launches one of its images, or has launched one that still runs; or its turn may be to come. */
function isUnderWay(
  { imageIds, startedAt, canary }: Roll,
  { instances }: Left,
  sources: readonly Pick<LaunchSource, 'imageId'>[],
  now: Date,
): boolean {
  const replacements = instances.filter(({ alive, launchedAt }) => alive && launchedAt >= startedAt);
  if ([...sources, ...replacements].some(({ imageId }) => imageIds.includes(imageId))) return true;
  return canary.kind === 'pending' && !isOver(startedAt, WAITS_SECONDS, now);
}

/**
 * Says why a rollback that is recorded may be an earlier one's: the group launches the image that it takes
 * back, and nothing shows that this was so when it began.
 */
export function doubtRollback(
  roll: Roll,
  left: Left,
  sources: readonly Pick<LaunchSource, 'imageId'>[],
  now: Date,
): HoldUp<'rollback-doubtful'> | undefined {
  const { course } = roll;
  if (course.kind !== 'rollback' || isRequest(course, now)) return undefined;
  const given = imagesOfRoll(roll);
  if (!sources.some(({ imageId }) => given.includes(imageId))) return undefined;
  const doubt = { code: 'rollback-doubtful', since: course.since } as const;
  if (isOver(course.since, CHECKABLE_SECONDS, now)) return doubt;
  const others = serving(left).filter(
    ({ imageId, launchedAt }) =>
      !given.includes(imageId) || !isOver(course.since, RELAUNCH_SECONDS, launchedAt),
  );
  return others.length > 0 || serving(left).length === 0 ? undefined : doubt;
}

/** Instances from before the roll that it has to replace, or has detached. */
function hasOld(roll: Roll, left: Left, now: Date): boolean {
  const { course, imageIds, startedAt } = roll;
  const forceBefore = forceOf(roll, now);
  // An abort takes nothing back, and a roll may replace instances for their age, or for their launch spec.
  const replaces = ({ imageId, launchedAt }: Instance) =>
    course.kind === 'abort' ||
    !imageIds.includes(imageId) ||
    (forceBefore !== undefined && launchedAt < forceBefore);
  return serving(left).some((each) => each.launchedAt <= startedAt && replaces(each));
}

/** Members and what was detached, without what is left alone. */
function serving({ members, instances }: Left): Instance[] {
  const standby = new Set(members.filter(isStandby).map(({ instanceId }) => instanceId));
  return instances.filter(
    (each) => each.alive && !each.excluded && (isMarked(each) || !standby.has(each.instanceId)),
  );
}
