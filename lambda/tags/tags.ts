import { FUNCTION_TIMEOUT_MINUTES, GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../contract.ts';
import { ASKED_BY_TAG } from '../core/model/asked.ts';
import type { Mark } from '../core/model/group.ts';
import type {
  Canary,
  Course,
  Rejection,
  Roll,
  RollRecord,
  TemporaryChanges,
  UnsteadyService,
} from '../core/model/roll.ts';
import { readMinSize, writeMinSize } from './min-size-tag.ts';
import { previousTags, readPrevious } from './previous-tags.ts';
import { readAddedSizes, writeAddedSizes } from './sizes-tag.ts';
import { imageIdsIn, NONE, readWords, sentenceIn, type Tags, wordsIn, writeWords } from './tag-values.ts';

/** The tags that mark an instance for replacement. */
export function markTags(cluster: string, mark: Mark): Tags {
  return {
    [INSTANCE_TAGS.group]: mark.group,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: cluster,
    [INSTANCE_TAGS.detachStartedAt]: mark.detachStartedAt.toISOString(),
    ...(mark.drainStartedAt && { [INSTANCE_TAGS.drainStartedAt]: mark.drainStartedAt.toISOString() }),
    ...(mark.drainGivenUpAt && heldTags(mark.drainGivenUpAt, mark.shortServices ?? [])),
  };
}

/** A long name is cut: one at least must stand there. */
const LONGEST_NAME = 200;

function heldTags(drainGivenUpAt: Date, shortServices: readonly string[]): Tags {
  const names = shortServices.map((name) => name.slice(0, LONGEST_NAME));
  return writeWords(INSTANCE_TAGS.drainGivenUpAt, 1, [drainGivenUpAt.toISOString(), ...names]);
}

/**
 * Reads the opened tags of an instance: undefined unless both, the group's name and the word to terminate, are
 * there. A time that is no time counts as now, so that a limit begins anew rather than runs out.
 * That a drain was given up is void once another turn has begun, and so is a spoilt time of it, or the
 * instance would never have another.
 */
export function readMark(tags: Tags, now: Date): Mark | undefined {
  const group = tags[INSTANCE_TAGS.group];
  if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;
  const drainStartedText = tags[INSTANCE_TAGS.drainStartedAt];
  const drainStartedAt = drainStartedText === undefined ? undefined : readTime(drainStartedText, now);
  const [heldAt, ...shortServices] = wordsIn(tags[INSTANCE_TAGS.drainGivenUpAt]);
  const drainGivenUpAt = timeIn(heldAt, now);
  const isVoid =
    drainGivenUpAt === undefined || (drainStartedAt !== undefined && drainStartedAt > drainGivenUpAt);
  return {
    group,
    detachStartedAt: timeIn(tags[INSTANCE_TAGS.detachStartedAt], now) ?? drainStartedAt ?? now,
    ...(drainStartedAt && { drainStartedAt }),
    ...(!isVoid && { drainGivenUpAt, ...(shortServices.length > 0 && { shortServices }) }),
  };
}

/** All tags of a group that are there for its roll, and to be taken away with it. */
export const ROLL_TAG_KEYS: readonly string[] = rolloutTagKeys();

function rolloutTagKeys(): string[] {
  const { previous, unsteady, paused: _, rejected: __, rejectedBecause: ___, ...single } = GROUP_TAGS;
  return [
    ...Object.values(single),
    ...partKeys(previous, TAG_PARTS.previous),
    ...partKeys(unsteady, TAG_PARTS.unsteady),
  ];
}

/**
 * The tags that record a rollout on its group; those of its hold, its canary and its course are written by
 * themselves.
 */
export function rollTags(cluster: string, roll: RollRecord): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.image]: roll.imageIds.join(' '),
    [GROUP_TAGS.startedAt]: roll.startedAt.toISOString(),
    ...(roll.exact && { [GROUP_TAGS.exact]: 'true' }),
    ...(roll.forceBefore && { [GROUP_TAGS.forceBefore]: roll.forceBefore.toISOString() }),
    ...previousTags(roll.previous),
    ...writeWords(GROUP_TAGS.unsteady, TAG_PARTS.unsteady, roll.unsteady.map(writeUnsteady)),
  };
}

function writeUnsteady({ name, runningCount }: UnsteadyService): string {
  return `${name}=${runningCount}`;
}

/** A word that somebody has spoilt is left out. */
function readUnsteady(word: string): UnsteadyService[] {
  const { name, count } = /^(?<name>[^=]+)=(?<count>\d+)$/.exec(word)?.groups ?? {};
  return name === undefined ? [] : [{ name, runningCount: Number(count) }];
}

/** The tag that records how far the first batch has come. */
export function canaryTags(canary: Canary): Tags {
  return { [GROUP_TAGS.canary]: canary.kind === 'baking' ? canary.since.toISOString() : canary.kind };
}

/** What says nothing begins the trial anew. */
function readCanary(text = '', { now, isVoid }: Dates): Canary {
  if (text === 'passed') return { kind: 'passed' };
  const since = timeIn(text, now);
  return since === undefined || isVoid(since) ? { kind: 'pending' } : { kind: 'baking', since };
}

/** AWS lets a group have so many. */
const MOST_TAGS = 50;

/** How many tags of its owner a group has too many for all of ours to find room beside them. */
export function tagsTooMany(tags: Tags): number {
  const ours = [...ROLL_TAG_KEYS, ...REJECTION_TAG_KEYS, GROUP_TAGS.paused];
  const others = Object.keys(tags).filter((key) => !ours.includes(key));
  return Math.max(0, others.length + ours.length - MOST_TAGS);
}

/** Those of our tags on instances that each new one would bear, and be taken for one to be replaced. */
export function propagatedMarks(keys: readonly string[]): string[] {
  const ours: readonly string[] = Object.values(INSTANCE_TAGS);
  return keys.filter((key) => ours.includes(key));
}

/** What a roll begins with, whatever stood there. */
export const FRESH_TAGS: Tags = { [GROUP_TAGS.course]: 'forward', ...canaryTags({ kind: 'pending' }) };

/** The tags that record where a roll is to go, instead of forward. */
export function courseTags({ kind, since, because }: Exclude<Course, { kind: 'forward' }>): Tags {
  return { [GROUP_TAGS.course]: `${kind} ${since.toISOString()}`, [GROUP_TAGS.because]: sentenceIn(because) };
}

/** Without a time it was somebody who wrote the tag, and the reason, if any, is none of his. */
function readCourse(tags: Tags, { now, isVoid }: Dates): Course {
  const [kind, written] = wordsIn(tags[GROUP_TAGS.course]);
  if (kind !== 'abort' && kind !== 'rollback') return { kind: 'forward' };
  const since = timeIn(written, now);
  if (since === undefined) return { kind, since: now, because: ASKED_BY_TAG };
  return isVoid(since)
    ? { kind: 'forward' }
    : { kind, since, because: readBecause(tags[GROUP_TAGS.because]) };
}

/** A reason that somebody has taken away was none of his asking: that would silence the alarm. */
function readBecause(text: string = NONE): string {
  return text === '' || text === NONE ? 'the tag that told why is gone' : text;
}

/** The tag by which nothing new is to begin. */
export function pausedTags(since: Date): Tags {
  return { [GROUP_TAGS.paused]: since.toISOString() };
}

/**
 * Whatever the tag says pauses the group, but `false`, which a person may have written instead of taking it
 * away.
 */
export function readPausedSince(tags: Tags, now: Date): Date | undefined {
  const text = tags[GROUP_TAGS.paused];
  return text === undefined || text === 'false' ? undefined : readTime(text, now);
}

/** The tags that keep a group from images, beyond its roll. */
export function rejectionTags({ imageIds, because }: Rejection): Tags {
  return {
    ...writeWords(GROUP_TAGS.rejected, 1, imageIds),
    [GROUP_TAGS.rejectedBecause]: sentenceIn(because),
  };
}

/** Undefined unless an image is named. */
export function readRejection(tags: Tags): Rejection | undefined {
  const imageIds = imageIdsIn(tags[GROUP_TAGS.rejected]);
  if (imageIds.length === 0) return undefined;
  return { imageIds, because: readBecause(tags[GROUP_TAGS.rejectedBecause]) };
}

export const REJECTION_TAG_KEYS: readonly string[] = [GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause];

/**
 * The tags that record what is ours to put back. All are always written, as one left out would keep its old
 * value.
 */
export function changesTags(
  cluster: string,
  { suspended, addedSizes, raisedMinSize }: TemporaryChanges,
): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.suspended]: suspended.join(' ') || NONE,
    [GROUP_TAGS.held]: writeAddedSizes(addedSizes),
    [GROUP_TAGS.minSize]: writeMinSize(raisedMinSize),
  };
}

/**
 * Those of them that a change is of, and the cluster's name, without which nobody would find them: what two invocations
 * write at once of different things doesn't undo each other.
 */
export function changedTags(cluster: string, before: TemporaryChanges, changes: TemporaryChanges): Tags {
  const [old, tags] = [changesTags(cluster, before), changesTags(cluster, changes)];
  const changed = Object.entries(tags).filter(([key, value]) => old[key] !== value);
  return changed.length === 0 ? {} : { ...Object.fromEntries(changed), [GROUP_TAGS.cluster]: cluster };
}

/** Whether the tags of a group still say so of what is ours. */
export function saysChanges(tags: Tags, changes: TemporaryChanges): boolean {
  return JSON.stringify(changesTags('', readHold(tags))) === JSON.stringify(changesTags('', changes));
}

function readHold(tags: Tags): TemporaryChanges {
  const raisedMinSize = readMinSize(tags[GROUP_TAGS.minSize]);
  return {
    suspended: wordsIn(tags[GROUP_TAGS.suspended]),
    addedSizes: readAddedSizes(tags[GROUP_TAGS.held]),
    ...(raisedMinSize && { raisedMinSize }),
  };
}

/**
 * Reads the opened tags of a group: undefined when no rollout for this cluster is recorded there. The cluster's name
 * alone is one, whatever of the rest is gone: lest something that is to be put back, or a tag, be left behind.
 */
export function readRoll(tags: Tags, cluster: string, now: Date): Roll | undefined {
  if (tags[GROUP_TAGS.cluster] !== cluster) return undefined;
  const dates = datesOf(tags, now);
  const forceBefore = readForce(tags[GROUP_TAGS.forceBefore], dates);
  const { startedAt = now } = dates;
  return {
    imageIds: imageIdsIn(tags[GROUP_TAGS.image]),
    startedAt,
    exact: tags[GROUP_TAGS.exact] === 'true',
    previous: readPrevious(tags),
    unsteady: readWords(tags, GROUP_TAGS.unsteady, TAG_PARTS.unsteady).flatMap(readUnsteady),
    canary: readCanary(tags[GROUP_TAGS.canary], dates),
    course: readCourse(tags, dates),
    changes: readHold(tags),
    ...(forceBefore && { forceBefore }),
  };
}

interface Dates {
  readonly now: Date;
  /** When the roll began, as far as that can be read. */
  readonly startedAt?: Date;
  /** Whether a date is of an earlier roll. */
  readonly isVoid: (date: Date) => boolean;
}

/** What an invocation was asked for as it began may be so much older than a roll that it begins. */
const INVOCATION_MILLISECONDS = FUNCTION_TIMEOUT_MINUTES * 60_000;

function datesOf(tags: Tags, now: Date): Dates {
  const startedAt = timeIn(tags[GROUP_TAGS.startedAt], now);
  return {
    now,
    ...(startedAt && { startedAt }),
    isVoid: (date) =>
      startedAt !== undefined && date.getTime() < startedAt.getTime() - INVOCATION_MILLISECONDS,
  };
}

/** One in the future is left so: see `forceOf` in `core/drift.ts`. */
function readForce(text: string | undefined, { now, startedAt = now, isVoid }: Dates): Date | undefined {
  if (text === undefined) return undefined;
  const before = dateIn(text) ?? startedAt;
  return isVoid(before) ? undefined : before;
}

function readTime(text: string | undefined, now: Date): Date {
  return timeIn(text, now) ?? now;
}

/** Undefined of what is no time. None lies in the future: another's clock may be ahead of this one. */
function timeIn(text: string | undefined, now: Date): Date | undefined {
  const time = dateIn(text);
  return time !== undefined && time > now ? now : time;
}

function dateIn(text = ''): Date | undefined {
  const time = new Date(text);
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}
