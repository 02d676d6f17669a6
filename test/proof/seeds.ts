import { randomInt } from 'node:crypto';
import { wholeNumber } from '../simulated-aws/serve/values.ts';

/** The first seed of the rolls in bad weather; the others follow it. */
export interface Seeds {
  readonly first: number;
  /** Drawn for this run: nobody has seen what comes of them. */
  readonly isFresh: boolean;
}

/** The report is on seeds below it, and so is what was mended by them. */
const SEEN_BELOW = 1_000_000;

/** A roll adds a million at most to the first. */
const MOST = 2 ** 31 - SEEN_BELOW;

export const FIXED: Seeds = { first: 1, isFresh: false };

/** `fresh`, or the number of the first. */
export function parseSeeds(text: string): Seeds {
  if (text === 'fresh') return { first: randomInt(SEEN_BELOW, MOST), isFresh: true };
  return { first: wholeNumber(0, MOST)(text), isFresh: false };
}

/** Which these are, and for those that are fresh how they are rolled again. */
export function describeSeeds({ first, isFresh }: Seeds, rolls: number, section: 'storm' | 'groups'): string {
  const range = `seeds ${first} to ${first + rolls - 1}`;
  if (!isFresh) return range;
  return `fresh ${range}; once more by \`npm run prove -- --only ${section} --rolls ${rolls} --seed ${first}\``;
}
