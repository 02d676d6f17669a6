import { partKeys } from '../contract.ts';
import { SEALED_BY } from './seal.ts';

/** AWS takes 256 characters as a tag's value. */
const LONGEST = 256 - SEALED_BY;

/** Stands where there is nothing to say: a tag's value may not be empty everywhere. */
export const NONE = 'none';

/** At the beginning of what goes on with the word before it. No word may begin so. */
const CONTINUES = '+';

/**
 * Writes words, separated by spaces, over as many tags as they may take. All are always written, as one left
 * out would keep its old value. A word that doesn't fit any more is left out as a whole.
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

/** Those words of a value that are ids of images: in EC2's filters another might stand for any. */
export function imageIdsIn(text: string | undefined): string[] {
  return wordsIn(text).filter((word) => /^ami-[0-9a-f]+$/.test(word));
}

function append(values: readonly string[], piece: string): readonly string[] {
  const last = values.at(-1);
  if (last === undefined || last.length + 1 + piece.length > LONGEST) return [...values, piece];
  return [...values.slice(0, -1), `${last} ${piece}`];
}

/** A word that is too long for one value is cut. */
function piecesOf(word: string): string[] {
  if (word.length <= LONGEST) return [word];
  return [word.slice(0, LONGEST), ...piecesOf(CONTINUES + word.slice(LONGEST))];
}

/**
 * A sentence of such characters as AWS takes in the tags of every service, which has no brackets; what is too long of it is
 * cut off.
 */
export function sentenceIn(text: string): string {
  const bare = text.replace(/\s*\(([^()]*)\)/g, ': $1');
  const plain = bare.replace(/[^A-Za-z0-9+\-=._:/@]+/g, ' ').trim();
  return plain.slice(0, LONGEST).trim() || NONE;
}
/** Tags by key, as everything in this project has them. */
export type Tags = Readonly<Record<string, string>>;
