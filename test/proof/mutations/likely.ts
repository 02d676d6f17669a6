import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './copy.ts';
import type { Mutation } from './mutation.ts';
import type { Place } from './place.ts';

export type Rule = Pick<Mutation, 'rule' | 'harm' | 'find'> & Pick<Place, 'file'>;

/** A test that says in rare words what the rule says is likely to be about it. */
export function likeliestFirst(
  tests: readonly string[],
  { rule, harm, find, file }: Rule,
  textOf = read,
): string[] {
  const wordsOfTests = tests.map((test) => [test, wordsIn(`${test} ${textOf(test)}`)] as const);
  const found = new Map<string, number>();
  for (const [, words] of wordsOfTests) for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  const asked = wordsIn(`${rule} ${harm} ${find} ${file}`);
  const scored = wordsOfTests.map(([test, words]) => {
    const common = [...asked].filter((word) => words.has(word));
    const rarity = common.reduce((sum, word) => sum + Math.log(tests.length / (found.get(word) ?? 1)), 0);
    // A long test has words of everything.
    return { test, score: rarity / Math.sqrt(words.size) };
  });
  return scored.sort((a, b) => b.score - a.score || (a.test < b.test ? -1 : 1)).map(({ test }) => test);
}

/** Those of the tests that load a file, directly or not: in the others it may be broken as it likes. */
export function thatLoad(tests: readonly string[], file: string, textOf = read): string[] {
  const found = new Map<string, readonly string[]>();
  const importedBy = (each: string) => {
    const imported = found.get(each) ?? importsIn(each, textOf(each));
    found.set(each, imported);
    return imported;
  };
  return tests.filter((test) => {
    const loaded = new Set([test]);
    for (const each of loaded) for (const next of importedBy(each)) loaded.add(next);
    return loaded.has(file);
  });
}

function importsIn(file: string, text: string): string[] {
  const paths = text.matchAll(/['"](\.{1,2}\/[^'"\n]+\.m?ts)['"]/g);
  return Array.from(paths, ([, path = '']) => normalize(join(dirname(file), path)));
}

const texts = new Map<string, string>();

/** Each file once; nothing of one that only a fixture names. */
function read(file: string): string {
  const text = texts.get(file) ?? textAt(file);
  texts.set(file, text);
  return text;
}

function textAt(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}

function wordsIn(text: string): Set<string> {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? [];
  return new Set(words.map((word) => word.replace(/(?:ing|ed|es|s)$/, '')));
}
