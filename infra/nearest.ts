import { distance } from 'fastest-levenshtein';

/**
 * Which of the words a mistyped one was meant to be, whatever its case and hyphens: one that it begins, as
 * `bake` does `bakeSeconds`, or one that differs from it in a quarter of its letters at most. Undefined where
 * none is as near.
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
