import { GROUP_TAGS, partKeys, TAG_PARTS, type Tags } from '../contract.ts';
import type { Canary, Course, Notice, Rejection, Roll, RollRecord } from '../core/model/roll.ts';
import { ASKED, ASKED_BY_TAG, type Cause, type RejectionCause, sentenceOf } from '../core/reasons/reason.ts';
import { readChanges } from './changes-tags.ts';
import { readHook } from './hook-tag.ts';
import { previousTags, readPrevious } from './previous-tags.ts';
import { imageIdsIn, NONE, sentenceIn, wordsIn, writeWords } from './tag-values.ts';
import { dateIn, readTime, timeIn } from './times.ts';
import { readUnsteady, unsteadyTags } from './unsteady-tags.ts';

/** All of a group's tags that belong to its roll and are removed with it. */
export const ROLL_TAG_KEYS: readonly string[] = rollTagKeys();

function rollTagKeys(): string[] {
  const { previous, unsteady, paused: _, rejected: __, rejectedBecause: ___, ...single } = GROUP_TAGS;
  return [
    ...Object.values(single),
    ...partKeys(previous, TAG_PARTS.previous),
    ...partKeys(unsteady, TAG_PARTS.unsteady),
  ];
}

/**
 * The tags that record a roll on its group. Those of temporary changes, canary and course are written
 * separately.
 */
export function rollTags(cluster: string, roll: RollRecord): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.image]: roll.imageIds.join(' '),
    [GROUP_TAGS.startedAt]: roll.startedAt.toISOString(),
    ...(roll.exact && { [GROUP_TAGS.exact]: 'true' }),
    ...(roll.forceBefore && { [GROUP_TAGS.forceBefore]: roll.forceBefore.toISOString() }),
    ...previousTags(roll.previous),
    ...unsteadyTags(roll),
  };
}

/** The tags that announce a roll: those of one that begins now, and that it hasn't. */
export function noticeTags(cluster: string, { imageIds, givenAt, until }: Notice): Tags {
  const begun = { imageIds, startedAt: givenAt, exact: false, previous: [], unsteady: [] };
  return {
    ...rollTags(cluster, begun),
    [GROUP_TAGS.announced]: `${givenAt.toISOString()} ${until.toISOString()}`,
  };
}

/** Undefined if the tags announce no roll, or it has begun since. */
export function readNotice(tags: Tags, cluster: string, now: Date): Notice | undefined {
  const notice = announcedBy(tags, cluster);
  return notice !== undefined && readCourse(tags, now).kind === 'forward' ? notice : undefined;
}

function announcedBy(tags: Tags, cluster: string): Notice | undefined {
  if (tags[GROUP_TAGS.cluster] !== cluster) return undefined;
  const [given, last] = wordsIn(tags[GROUP_TAGS.announced]);
  const [givenAt, until] = [dateIn(given), dateIn(last)];
  if (givenAt === undefined || until === undefined || given !== tags[GROUP_TAGS.startedAt]) return undefined;
  // Somebody has put its tags back.
  if (readPrevious(tags).length > 0 || readChanges(tags).suspended.length > 0) return undefined;
  return { imageIds: imageIdsIn(tags[GROUP_TAGS.image]), givenAt, until };
}

/**
 * The tag that records how far the canary is.
 *
 * @param images how many the roll has had: put back once there is another, it proves nothing of that
 */
export function canaryTags(canary: Canary, images: number): Tags {
  const says = canary.kind === 'baking' ? canary.since.toISOString() : canary.kind;
  return { [GROUP_TAGS.canary]: images > 1 ? `${says} ${images}` : says };
}

/** A malformed tag starts the trial anew. */
function readCanary(text: string | undefined, images: number, now: Date): Canary {
  const [says, of = '1'] = wordsIn(text);
  if (of !== `${Math.max(images, 1)}`) return { kind: 'pending' };
  if (says === 'passed') return { kind: 'passed' };
  const since = timeIn(says, now);
  return since === undefined ? { kind: 'pending' } : { kind: 'baking', since };
}

/** AWS's limit for a group. */
const MOST_TAGS = 50;

/**
 * How many tags the owner would have to remove to make room for all of ours. A roll gets along without the
 * note of what has been told of it, and without hooks there is no note of them.
 */
export function tagsTooMany(tags: Tags, hasHooks: boolean): number {
  const isNeeded = (key: string) => key !== GROUP_TAGS.told && (hasHooks || key !== GROUP_TAGS.hook);
  const ours = [...ROLL_TAG_KEYS, ...REJECTION_TAG_KEYS, GROUP_TAGS.paused].filter(isNeeded);
  const others = Object.keys(tags).filter((key) => !ours.includes(key) && isNeeded(key));
  return Math.max(0, others.length + ours.length - MOST_TAGS);
}

/**
 * What a roll starts with, whatever the tags said before. The reason takes its place at once: a group that
 * somebody has filled with tags since can still turn back.
 */
export const NEW_ROLL_TAGS: Tags = {
  [GROUP_TAGS.course]: 'forward',
  [GROUP_TAGS.because]: NONE,
  [GROUP_TAGS.canary]: 'pending',
};

/** A notice that was given is over. */
export const NO_NOTICE: Tags = { [GROUP_TAGS.announced]: NONE };

/** The tags that record an abort or rollback. */
export function courseTags({ kind, since, because }: TurnedCourse): Tags {
  return {
    [GROUP_TAGS.course]: `${kind} ${since.toISOString()}`,
    [GROUP_TAGS.because]: sentenceIn(sentenceOf(because)),
  };
}

type TurnedCourse = Exclude<Course, { kind: 'forward' }>;

/** Without a time somebody else wrote the tag, so the recorded reason isn't theirs. */
function readCourse(tags: Tags, now: Date): Course {
  const [kind, written] = wordsIn(tags[GROUP_TAGS.course]);
  if (kind !== 'abort' && kind !== 'rollback') return { kind: 'forward' };
  const since = timeIn(written, now);
  if (since === undefined) return { kind, since: now, because: { code: 'asked-by-tag' } };
  return { kind, since, because: readCause(tags[GROUP_TAGS.because]) };
}

/**
 * If the reason was removed, don't take the course for one that somebody asked for: that would silence the
 * alarm.
 */
function readCause(text: string = NONE): Cause {
  if (text === '' || text === NONE) return { code: 'cause-lost' };
  if (text === ASKED) return { code: 'asked' };
  return text === ASKED_BY_TAG ? { code: 'asked-by-tag' } : { code: 'recorded', text };
}

function readRejectionCause(text: string | undefined): RejectionCause {
  const { kind, because } = /^(?<kind>aborted|rolled back): (?<because>.+)$/s.exec(text ?? '')?.groups ?? {};
  if (because === undefined) return readCause(text);
  return { code: kind === 'aborted' ? 'aborted' : 'rolled-back', because: readCause(because) };
}

/** The tag that pauses a group. */
export function pausedTags(since: Date): Tags {
  return { [GROUP_TAGS.paused]: since.toISOString() };
}

/** Any value pauses the group except `false`, which a person may have written instead of removing the tag. */
export function readPausedSince(tags: Tags, now: Date): Date | undefined {
  const text = tags[GROUP_TAGS.paused];
  return text === undefined || text === 'false' ? undefined : readTime(text, now);
}

/** The tags that keep a group off images, beyond its roll. */
export function rejectionTags({ imageIds, because }: Rejection): Tags {
  return {
    ...writeWords(GROUP_TAGS.rejected, 1, imageIds),
    [GROUP_TAGS.rejectedBecause]: sentenceIn(sentenceOf(because)),
  };
}

/** Undefined unless the tag names an image. */
export function readRejection(tags: Tags): Rejection | undefined {
  const imageIds = imageIdsIn(tags[GROUP_TAGS.rejected]);
  if (imageIds.length === 0) return undefined;
  return { imageIds, because: readRejectionCause(tags[GROUP_TAGS.rejectedBecause]) };
}

export const REJECTION_TAG_KEYS: readonly string[] = [GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause];

/**
 * Reads a group's opened tags: undefined if they record no roll for this cluster, or only announce one. The
 * cluster's name alone counts as a roll, even if the rest is gone, so that no change or tag is left behind.
 */
export function readRoll(tags: Tags, cluster: string, now: Date): Roll | undefined {
  if (tags[GROUP_TAGS.cluster] !== cluster) return undefined;
  const startedAt = timeIn(tags[GROUP_TAGS.startedAt], now) ?? now;
  const course = readCourse(tags, now);
  const onlyAnnounced = announcedBy(tags, cluster) !== undefined;
  if (onlyAnnounced && course.kind === 'forward') return undefined;
  const forceBefore = readForce(tags[GROUP_TAGS.forceBefore], startedAt);
  const hook = readHook(tags[GROUP_TAGS.hook], startedAt);
  const imageIds = imageIdsIn(tags[GROUP_TAGS.image]);
  return {
    imageIds,
    startedAt,
    exact: tags[GROUP_TAGS.exact] === 'true',
    previous: readPrevious(tags),
    unsteady: readUnsteady(tags),
    canary: readCanary(tags[GROUP_TAGS.canary], imageIds.length, now),
    // There is nothing to take back of what was only announced.
    course: onlyAnnounced && course.kind === 'rollback' ? { ...course, kind: 'abort' } : course,
    changes: readChanges(tags),
    ...(hook && { hook }),
    ...(onlyAnnounced && { onlyAnnounced }),
    ...(forceBefore && { forceBefore }),
  };
}

/** A time in the future is kept: see `forceOf` in `core/group/drift.ts`. */
function readForce(text: string | undefined, startedAt: Date): Date | undefined {
  return text === undefined ? undefined : (dateIn(text) ?? startedAt);
}
