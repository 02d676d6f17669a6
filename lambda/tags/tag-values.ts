import { partKeys, type Tags } from '../contract.ts';
import { SEAL_OVERHEAD } from './trusted-tags.ts';

/** A space, and when the roll began: see `trusted-tags.ts`. */
const DATE_OVERHEAD = 9;

/** AWS allows 256 characters in a tag's value. */
const LONGEST = 256 - SEAL_OVERHEAD - DATE_OVERHEAD;

/** The value for "nothing": some services don't allow an empty one. */
export const NONE = 'none';

/** Marks the continuation of the word before. No word may begin with it. */
const CONTINUES = '+';

/**
 * Writes words, separated by spaces, over as many tags as they may take. It always writes all of these
 * tags, as one left out would keep its old value. A word that doesn't fit any more is dropped whole.
 */
export function writeWords(key: string, parts: number, words: readonly string[]): Tags {
  let values: readonly string[] = [];
  for (const word of words) {
    const longer = piecesOf(word).reduce(append, values);
    if (longer.length <= parts) values = longer;
  }
  return Object.fromEntries(partKeys(key, parts).map((part, index) => [part, values[index] ?? NONE]));
}

/** Reads what `writeWords` has written. */
export function readWords(tags: Tags, key: string, parts: number): string[] {
  const words: string[] = [];
  for (const piece of partKeys(key, parts).flatMap((part) => wordsIn(tags[part]))) {
    const begun = piece.startsWith(CONTINUES) ? words.pop() : undefined;
    words.push(begun === undefined ? piece : begun + piece.slice(CONTINUES.length));
  }
  return words;
}

/** The words of one value. */
export function wordsIn(text = ''): string[] {
  return text.split(' ').filter((word) => word !== '' && word !== NONE);
}

/** The words that are image ids. Anything else, such as `*`, could match every image in EC2's filters. */
export function imageIdsIn(text: string | undefined): string[] {
  return wordsIn(text).filter((word) => /^ami-[0-9a-f]+$/.test(word));
}

function append(values: readonly string[], piece: string): readonly string[] {
  const last = values.at(-1);
  if (last === undefined || last.length + 1 + piece.length > LONGEST) return [...values, piece];
  return [...values.slice(0, -1), `${last} ${piece}`];
}

/** Cuts a word that is too long for one value. */
function piecesOf(word: string): string[] {
  if (word.length <= LONGEST) return [word];
  return [word.slice(0, LONGEST), ...piecesOf(CONTINUES + word.slice(LONGEST))];
}

/** So much of a sentence is looked at: it may come from a stranger, who may write a book. */
const MOST_CHARACTERS = 1000;

/**
 * The sentence in characters that tags of every AWS service allow, which excludes brackets; cut off if it
 * is too long.
 */
export function sentenceIn(text: string): string {
  const bare = text.slice(0, MOST_CHARACTERS).replace(/\s*\(([^()]*)\)/g, ': $1');
  return cutToTag(bare.replace(/[^A-Za-z0-9+\-=._:/@]+/g, ' ').trim()) || NONE;
}

/** As much of a text as a tag has room for. */
export function cutToTag(text: string): string {
  return text.slice(0, LONGEST).trim();
}
