/**
 * Which of the words a mistyped one was meant to be, whatever its case and hyphens: one that it begins, as
 * `bake` does `bakeSeconds`, or one that differs from it in a quarter of its letters at most. Undefined where
 * none is as near.
 */
export function nearest(mistyped: string, words: readonly string[]): string | undefined {
  const letters = lettersOf(mistyped);
  const near = words
    .map((word) => ({ word, distance: distanceTo(lettersOf(word), letters) }))
    .filter(({ distance }) => distance <= Math.ceil(letters.length / 4))
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.word;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function distanceTo(word: string, letters: string): number {
  const isBegun = letters.length >= 4 && word.startsWith(letters) && word !== letters;
  return isBegun ? 1 : editDistance(word, letters);
}

/** How many letters must be put in, taken out or replaced to make one of the other (Levenshtein's distance). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, its] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
