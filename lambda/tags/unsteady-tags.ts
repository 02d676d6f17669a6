import { GROUP_TAGS, TAG_PARTS, type Tags } from '../contract.ts';
import type { RollRecord, UnsteadyService } from '../core/model/roll.ts';
import { readWords, writeWords } from './tag-values.ts';

const { unsteady: KEY } = GROUP_TAGS;

/** The tags that name the services that were unsteady when a roll began. */
export function unsteadyTags({ unsteady }: Pick<RollRecord, 'unsteady'>): Tags {
  return writeWords(
    KEY,
    TAG_PARTS.unsteady,
    unsteady.map(({ name, runningCount }) => `${name}=${runningCount}`),
  );
}

/** Skips a malformed word. */
export function readUnsteady(tags: Tags): UnsteadyService[] {
  return readWords(tags, KEY, TAG_PARTS.unsteady).flatMap(unsteadyIn);
}

function unsteadyIn(word: string): UnsteadyService[] {
  const { name, count } = /^(?<name>[^=]+)=(?<count>\d+)$/.exec(word)?.groups ?? {};
  return name === undefined ? [] : [{ name, runningCount: Number(count) }];
}
