import { describeFunction } from './function-table.ts';
import type { Results } from './results.ts';
import { fullTables, shortTable, troublesTable } from './table.ts';

/** What the bench writes into pages, by the name of its place there. */
export const PLACES = {
  'bench-short': ({ results }: Results) => shortTable(results),
  'bench-measured': ({ measured, results }: Results) =>
    `Last measured ${measured}. ${describeSeeds(results)}`,
  'bench-function': ({ function: figures }: Results) => describeFunction(figures),
  'bench-troubles': ({ troubles }: Results) => troublesTable(troubles),
  'bench-full': ({ results }: Results) => fullTables(results),
} as const;

/** As few or as many as the machine had time for. */
function describeSeeds(results: Results['results']): string {
  const counts = results.map(({ seeds }) => seeds.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `Each figure is the median of ${least === most ? least : `${least} to ${most}`} seeds.`;
}

/** The page with its places filled in, each of which stands between two comments with its name. */
export function fill(page: string, results: Results): string {
  return Object.entries(PLACES).reduce((text, [name, textOf]) => {
    const place = new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 's');
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${textOf(results)}\n\n${end}`);
  }, page);
}
