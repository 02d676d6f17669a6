import { GROUP_TAGS, INSTANCE_TAGS } from './contract.ts';
import { NOTHING_HELD } from './core/hold.ts';
import type { HeldSizes, Hold, Mark, Rollout, SizeChange, Sizes } from './core/model.ts';

/** Tags by key, as everything in this project has them. */
export type Tags = Readonly<Record<string, string>>;

/** The tags that mark an instance for replacement. */
export function markTags(cluster: string, mark: Mark): Tags {
  return {
    [INSTANCE_TAGS.group]: mark.group,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: cluster,
    [INSTANCE_TAGS.detachStartedAt]: mark.detachStartedAt.toISOString(),
    ...(mark.drainStartedAt && { [INSTANCE_TAGS.drainStartedAt]: mark.drainStartedAt.toISOString() }),
  };
}

/**
 * Reads the tags of an instance: undefined unless both, the group's name and the word to terminate, are there. A time
 * that somebody has spoilt counts as now, so that a limit begins anew rather than runs out.
 */
export function readMark(tags: Tags, now: Date): Mark | undefined {
  const group = tags[INSTANCE_TAGS.group];
  if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;
  const drainStartedAt = tags[INSTANCE_TAGS.drainStartedAt];
  return {
    group,
    detachStartedAt: readTime(tags[INSTANCE_TAGS.detachStartedAt], now),
    ...(drainStartedAt !== undefined && { drainStartedAt: readTime(drainStartedAt, now) }),
  };
}

/** The tags that record a rollout on its group. */
export function rolloutTags(cluster: string, rollout: Omit<Rollout, 'hold'>): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.image]: rollout.imageIds.join(' '),
    [GROUP_TAGS.startedAt]: rollout.startedAt.toISOString(),
    ...(rollout.exact && { [GROUP_TAGS.exact]: 'true' }),
    ...(rollout.forceBefore && { [GROUP_TAGS.forceBefore]: rollout.forceBefore.toISOString() }),
  };
}

/** The tags that record what is ours to put back. Both are always written, as one left out would keep its old value. */
export function holdTags(cluster: string, { suspended, held }: Hold): Tags {
  return {
    [GROUP_TAGS.cluster]: cluster,
    [GROUP_TAGS.suspended]: suspended.join(' ') || NONE,
    [GROUP_TAGS.held]: writeHeld(held),
  };
}

/** Whether the tags of a group still say so of what is ours. */
export function saysHold(tags: Tags, hold: Hold): boolean {
  return JSON.stringify(holdTags('', readHold(tags))) === JSON.stringify(holdTags('', hold));
}

function readHold(tags: Tags): Hold {
  return { suspended: words(tags[GROUP_TAGS.suspended]), held: readHeld(tags[GROUP_TAGS.held]) };
}

/**
 * Reads the tags of a group: undefined when no rollout for this cluster is recorded there. The cluster's name alone is one,
 * however spoilt the rest: lest something that is to be put back, or a tag, be left behind.
 */
export function readRollout(tags: Tags, cluster: string, now: Date): Rollout | undefined {
  if (tags[GROUP_TAGS.cluster] !== cluster) return undefined;
  const forceBefore = tags[GROUP_TAGS.forceBefore];
  return {
    imageIds: words(tags[GROUP_TAGS.image]),
    startedAt: readTime(tags[GROUP_TAGS.startedAt], now),
    exact: tags[GROUP_TAGS.exact] === 'true',
    hold: readHold(tags),
    ...(forceBefore !== undefined && { forceBefore: readTime(forceBefore, now) }),
  };
}

/** Stands where there is nothing to say: a tag's value may not be empty everywhere. */
const NONE = 'none';

function words(text = ''): string[] {
  return text.split(' ').filter((word) => word !== '' && word !== NONE);
}

/**
 * `+2/+0 over 6/8`: 2 of the desired capacity are ours, on top of 6, and nothing of the maximum size, which is 8; then a
 * change such as `8/8 to 6/8 of 2 marked`.
 */
function writeHeld({ desiredCapacity, maxSize, over, change }: HeldSizes): string {
  return [
    `+${desiredCapacity}/+${maxSize}`,
    ...(over === undefined ? [] : [`over ${writeSizes(over)}`]),
    ...(change === undefined
      ? []
      : [`${writeSizes(change.from)} to ${writeSizes(change.to)} of ${change.marked} marked`]),
  ].join(' ');
}

function writeSizes({ desiredCapacity, maxSize }: Sizes): string {
  return `${desiredCapacity}/${maxSize}`;
}

const HELD =
  /^\+(?<desired>\d+)\/\+(?<max>\d+)(?: over (?<overDesired>\d+)\/(?<overMax>\d+))?(?: (?<change>\d.*))?$/;
const CHANGE = /^(\d+)\/(\d+) to (\d+)\/(\d+) of (\d+) marked$/;

/** A tag that somebody has spoilt holds nothing: then the sizes stay as they are. */
function readHeld(text = ''): HeldSizes {
  const { desired, max, overDesired, overMax, change } = HELD.exec(text)?.groups ?? {};
  const read = change === undefined ? undefined : readChange(change);
  if (change !== undefined && read === undefined) return NOTHING_HELD;
  return {
    desiredCapacity: Number(desired ?? 0),
    maxSize: Number(max ?? 0),
    ...(overDesired !== undefined && {
      over: { desiredCapacity: Number(overDesired), maxSize: Number(overMax) },
    }),
    ...(read && { change: read }),
  };
}

function readChange(text: string): SizeChange | undefined {
  const numbers = CHANGE.exec(text)?.slice(1).map(Number);
  if (numbers === undefined) return undefined;
  const [fromDesired = 0, fromMax = 0, toDesired = 0, toMax = 0, marked = 0] = numbers;
  return {
    from: { desiredCapacity: fromDesired, maxSize: fromMax },
    to: { desiredCapacity: toDesired, maxSize: toMax },
    marked,
  };
}

function readTime(text: string | undefined, now: Date): Date {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? now : time;
}
