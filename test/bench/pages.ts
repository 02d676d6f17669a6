import { describeFunction } from './function-table.ts';
import type { Results } from './results.ts';
import { fullTables, shortTable } from './table.ts';

/** The cluster of which the README tells. */
const SHOWN = '20 spread';

/** What the bench writes into pages, by the name of its place there. */
export const PLACES = {
  'bench-short': ({ results }: Results) => shortTable(SHOWN, results),
  'bench-measured': ({ measured }: Results) => `Measured ${measured}.`,
  'bench-function': ({ function: figures }: Results) => describeFunction(figures),
  'bench-full': ({ results }: Results) => fullTables(results),
} as const;

/** The page with its places filled in, each of which stands between two comments with its name. */
export function fill(page: string, results: Results): string {
  return Object.entries(PLACES).reduce((text, [name, textOf]) => {
    const place = new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 's');
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${textOf(results)}\n\n${end}`);
  }, page);
}
