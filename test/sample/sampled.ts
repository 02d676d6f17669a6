import { createRandom } from '../simulated-aws/world/random.ts';

/** Which sample is taken; undefined where everything is done. Set by `vitest.config.ts`. */
const { SAMPLE } = process.env;

export const IS_WHOLE = SAMPLE === undefined;

/** Whether a test file chooses by `testsFor` which of its tests are in the sample. */
export const byFile = { choosesItself: false };

/**
 * The rows of a table that a file's tests are made of, where a sample is taken about so many. A facet is what
 * a row shows, such as the name of what goes wrong in it: each is shown by one row at least, though it makes
 * them more.
 */
export function testsFor<Row>(
  rows: readonly Row[],
  most: number,
  ...facets: readonly ((row: Row) => unknown)[]
): readonly Row[] {
  byFile.choosesItself = true;
  return sampled(rows, most, ...facets);
}

/** The same within one test. */
export function sampled<Row>(
  rows: readonly Row[],
  most: number,
  ...facets: readonly ((row: Row) => unknown)[]
): readonly Row[] {
  return IS_WHOLE ? rows : sampleOf(rows, most, facets, Number(SAMPLE));
}

/**
 * The rows that are worth their time even in the whole, where each two of what a row is made of are shown
 * together by one row at least. `SAMPLE` gives others.
 */
export function pairsOf<Row extends readonly unknown[]>(rows: readonly Row[], most: number): readonly Row[] {
  const places = [...(rows[0] ?? []).keys()];
  const pairs = places.flatMap((place, index) => places.slice(index + 1).map((other) => [place, other]));
  const facets = pairs.map((pair) => (row: Row) => JSON.stringify(pair.map((place) => row[place])));
  return sampleOf(rows, most, facets, Number(SAMPLE ?? 1));
}

/** How often something random is tried. */
export function times(whole: number, inSample: number): number {
  return IS_WHOLE ? whole : inSample;
}

/** The same for the same seed. */
export function sampleOf<Row>(
  rows: readonly Row[],
  most: number,
  facets: readonly ((row: Row) => unknown)[],
  seed: number,
): readonly Row[] {
  const drawn = shuffled(rows, seed);
  const shown = facets.map(() => new Set<unknown>());
  const chosen = new Set<Row>();
  const shows = (row: Row) => facets.filter((facet, index) => !shown[index]?.has(facet(row))).length;
  const choose = (row: Row) => {
    chosen.add(row);
    for (const [index, facet] of facets.entries()) shown[index]?.add(facet(row));
  };
  // What shows something new in every way comes first, so that few rows show everything.
  for (let least = facets.length; least > 0; least--)
    for (const row of drawn) if (shows(row) >= least) choose(row);
  for (const row of drawn) if (chosen.size < most) choose(row);
  return rows.filter((row) => chosen.has(row));
}

function shuffled<Row>(rows: readonly Row[], seed: number): Row[] {
  const random = createRandom(seed);
  const ranked = rows.map((row) => ({ row, rank: random() }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}
