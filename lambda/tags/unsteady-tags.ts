import { GROUP_TAGS, TAG_PARTS, type Tags } from '../contract.ts';
import type { RollRecord, UnsteadyService } from '../core/model/roll.ts';
import { readWords, writeWords } from './tag-values.ts';
import { dateIn } from './times.ts';

const { unsteady: KEY } = GROUP_TAGS;

/**
 * The tags that name the services that were unsteady when a roll began, after its beginning: in a later roll
 * they may be steady.
 */
export function unsteadyTags({ startedAt, unsteady }: Pick<RollRecord, 'startedAt' | 'unsteady'>): Tags {
  const words = unsteady.map(({ name, runningCount }) => `${name}=${runningCount}`);
  return writeWords(KEY, TAG_PARTS.unsteady, words.length === 0 ? [] : [startedAt.toISOString(), ...words]);
}

/** None if they are of another roll. Skips a malformed word. */
export function readUnsteady(tags: Tags, startedAt: Date): UnsteadyService[] {
  const [begun, ...words] = readWords(tags, KEY, TAG_PARTS.unsteady);
  return dateIn(begun)?.getTime() === startedAt.getTime() ? words.flatMap(unsteadyIn) : [];
}

function unsteadyIn(word: string): UnsteadyService[] {
  const { name, count } = /^(?<name>[^=]+)=(?<count>\d+)$/.exec(word)?.groups ?? {};
  return name === undefined ? [] : [{ name, runningCount: Number(count) }];
}
