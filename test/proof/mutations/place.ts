import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutation } from './mutation.ts';

/** A file of the product. */
interface Source {
  /** Below the root of the repository. */
  readonly file: string;
  readonly text: string;
}

/** Where a rule is, and what its file contains with the rule broken. */
export interface Place {
  /** Below the root of the repository. */
  readonly file: string;
  readonly broken: string;
}

export function readSources(root: string): Source[] {
  const names = readdirSync(join(root, 'lambda'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: `lambda/${name}`, text: readFileSync(join(root, 'lambda', name), 'utf8') }));
}

/**
 * Searches the whole product for a rule, so that files may be moved and renamed.
 *
 * @throws Error unless the text occurs exactly once: the table must follow the code
 */
export function placeOf(sources: readonly Source[], mutation: Mutation): Place {
  const { rule, file: name, find, replace } = mutation;
  const [longest = ''] = (find.match(/\w+/g) ?? []).sort((a, b) => b.length - a.length);
  const places = sources
    .filter(({ file }) => name === undefined || basename(file) === name)
    // Much faster than a pattern.
    .filter(({ text }) => text.includes(longest))
    .flatMap(({ file, text }) =>
      Array.from(text.matchAll(patternOf(mutation)), ({ 0: found, index }) => ({
        file,
        broken: text.slice(0, index) + replace + text.slice(index + found.length),
      })),
    );
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new Error(`"${rule}" stands ${times(places)}, not once`);
  return place;
}

function times(places: readonly Place[]): string {
  return places.length === 0
    ? 'nowhere'
    : `${places.length} times (${places.map(({ file }) => file).join()})`;
}

/**
 * Allows whitespace between any two words or signs, and a comma before a closing bracket, as the formatter
 * may put them.
 */
function patternOf({ find }: Mutation): RegExp {
  const parts = find.match(/\w+|[^\w\s]/g) ?? [];
  const patterns = parts.map((part) =>
    /[)\]}]/.test(part) ? `(?:,\\s*)?\\${part}` : part.replace(/[^\w]/, String.raw`\$&`),
  );
  return new RegExp(patterns.join(String.raw`\s*`), 'g');
}
