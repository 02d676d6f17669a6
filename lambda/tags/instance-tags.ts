import { INSTANCE_TAGS, type Tags } from '../contract.ts';
import type { Mark } from '../core/model/group.ts';
import { wordsIn, writeWords } from './tag-values.ts';
import { readTime, timeIn } from './times.ts';

/** The tags that mark an instance for replacement. */
export function markTags(cluster: string, mark: Mark): Tags {
  return {
    [INSTANCE_TAGS.group]: mark.group,
    [INSTANCE_TAGS.terminate]: 'true',
    [INSTANCE_TAGS.cluster]: cluster,
    [INSTANCE_TAGS.detachStartedAt]: mark.detachStartedAt.toISOString(),
    ...(mark.drainStartedAt && { [INSTANCE_TAGS.drainStartedAt]: mark.drainStartedAt.toISOString() }),
    ...(mark.drainGivenUpAt && drainGivenUpTags(mark.drainGivenUpAt, mark.shortServices ?? [])),
  };
}

/** Long names are cut, so that at least one fits. */
const LONGEST_NAME = 200;

function drainGivenUpTags(drainGivenUpAt: Date, shortServices: readonly string[]): Tags {
  const names = shortServices.map((name) => name.slice(0, LONGEST_NAME));
  return writeWords(INSTANCE_TAGS.drainGivenUpAt, 1, [drainGivenUpAt.toISOString(), ...names]);
}

/**
 * Reads an instance's opened tags: undefined unless both the group's name and `terminate` are there. A
 * malformed time counts as now, so that a timeout starts anew instead of expiring. A drain that was given
 * up no longer counts once another turn has begun, or if its time is malformed; otherwise the instance
 * would never get another turn.
 */
export function readMark(tags: Tags, now: Date): Mark | undefined {
  const group = tags[INSTANCE_TAGS.group];
  if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;
  const drainStartedText = tags[INSTANCE_TAGS.drainStartedAt];
  const detached = timeIn(tags[INSTANCE_TAGS.detachStartedAt], now);
  const drainStarted = drainStartedText === undefined ? undefined : readTime(drainStartedText, now);
  const drainStartedAt = drainStarted && isOfMark(drainStarted, detached) ? drainStarted : undefined;
  const [givenUpAt, ...shortServices] = wordsIn(tags[INSTANCE_TAGS.drainGivenUpAt]);
  const drainGivenUpAt = timeIn(givenUpAt, now);
  const isVoid =
    drainGivenUpAt === undefined ||
    !isOfMark(drainGivenUpAt, detached) ||
    (drainStartedAt !== undefined && drainStartedAt > drainGivenUpAt);
  return {
    group,
    detachStartedAt: detached ?? drainStartedAt ?? now,
    ...(drainStartedAt && { drainStartedAt }),
    ...(!isVoid && { drainGivenUpAt, ...(shortServices.length > 0 && { shortServices }) }),
  };
}

/** How much the clocks of two invocations may differ. */
const CLOCK_MILLISECONDS = 60_000;

/** A turn from before the instance was chosen was another roll's. */
function isOfMark(turn: Date, detached: Date | undefined): boolean {
  return detached === undefined || turn.getTime() > detached.getTime() - CLOCK_MILLISECONDS;
}

/** The tags of an instance without those that mark it, and the keys of these. */
export function splitMarks(tags: Tags): { readonly tags: Tags; readonly marks: readonly string[] } {
  const ours: readonly string[] = Object.values(INSTANCE_TAGS);
  const others = Object.entries(tags).filter(([key]) => !ours.includes(key));
  return { tags: Object.fromEntries(others), marks: Object.keys(tags).filter((key) => ours.includes(key)) };
}

/** Our instance tags among these keys. Each new instance would get them, and look like one to replace. */
export function propagatedMarks(keys: readonly string[]): string[] {
  const ours: readonly string[] = Object.values(INSTANCE_TAGS);
  return keys.filter((key) => ours.includes(key));
}
