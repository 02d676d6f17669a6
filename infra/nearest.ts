import { distance } from 'fastest-levenshtein';

/**
 * The word that a mistyped one probably meant, ignoring case and hyphens: one that it is the beginning of,
 * as `bake` is of `bakeSeconds`, or one that differs in at most a quarter of its letters. Undefined if none
 * is that close.
 */
export function nearest(mistyped: string, words: readonly string[]): string | undefined {
  const letters = lettersOf(mistyped);
  const near = words
    .map((word) => ({ word, away: distanceTo(lettersOf(word), letters) }))
    .filter(({ away }) => away <= Math.ceil(letters.length / 4))
    .sort((one, other) => one.away - other.away);
  return near[0]?.word;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function distanceTo(word: string, letters: string): number {
  const isBegun = letters.length >= 4 && word.startsWith(letters) && word !== letters;
  return isBegun ? 1 : distance(word, letters);
}
