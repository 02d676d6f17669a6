import type { KnownRelease } from './model.ts';

/** Words that tell architectures apart, as names of images write them. */
const ARCHITECTURES = new Set(['x86_64', 'amd64', 'arm64', 'aarch64']);

/** Whether a release of another architecture is the same one: their names differ in nothing else. */
export function isSibling(name: string, other: string): boolean {
  return name !== other && neutral(name) === neutral(other);
}

function neutral(name: string): string {
  return name
    .split(/[-/]/)
    .filter((word) => !ARCHITECTURES.has(word))
    .join('-');
}

/** What members call an image that is gone: nobody knows its name any more. */
const GONE = /^ami-[\da-f]{8,17}$/;

/**
 * Whether one release is newer than another of its line: by the numbers in their names, where these differ in
 * nothing else; otherwise by which was told of first. Any is newer than an image that is gone.
 */
export function isNewer(name: string, than: string, known: readonly KnownRelease[]): boolean {
  if (name === than || GONE.test(name)) return false;
  if (GONE.test(than)) return true;
  const [numbers, others] = [numbersIn(name), numbersIn(than)];
  const at = numbers.findIndex((number, index) => number !== others[index]);
  const [number, other] = [numbers[at], others[at]];
  if (shapeOf(name) === shapeOf(than) && number !== undefined && other !== undefined) return number > other;
  const order = known.map((each) => each.name);
  return order.indexOf(name) > order.indexOf(than);
}

/** A hash says nothing of which came first. */
const HASH = /\b(?=\w*[a-f])(?=\w*\d)[\da-f]{6,}\b/gi;
const NUMBER = /\d+/g;

function numbersIn(name: string): number[] {
  return (name.replaceAll(HASH, '').match(NUMBER) ?? []).map(Number);
}

function shapeOf(name: string): string {
  return name.replaceAll(HASH, '').replaceAll(NUMBER, '#');
}
