import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One fact that AWS states of an operation, and what the world does with it. */
export interface Row {
  /** By the name of its model, such as `autoscaling`. */
  readonly service: string;
  readonly operation: string;
  readonly name: string;
  readonly says: string;
  /** Such as `ASG-API/API_AttachInstances`; none for a question. */
  readonly pages: readonly string[];
  readonly world: World;
}

export type World =
  /** `test` is a file and the name of a test in it. */
  | { readonly kind: 'refuses' | 'alike'; readonly test: Place }
  | { readonly kind: 'both'; readonly reading: string; readonly test: Place }
  | { readonly kind: 'not-simulated'; readonly because: string };

export interface Place {
  readonly file: string;
  readonly title: string;
}

const FOLDER = import.meta.dirname;

export function readLedger(): Row[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !NO_SERVICE.has(name));
  return files.flatMap((file) => rowsIn(file.replace('.md', ''), readFileSync(join(FOLDER, file), 'utf8')));
}

const NO_SERVICE: ReadonlySet<string> = new Set(['README.md', 'questions.md']);

function rowsIn(service: string, text: string): Row[] {
  const rows: Row[] = [];
  let operation = '';
  for (const line of text.split('\n')) {
    const heading = /^## (\w+)$/.exec(line)?.[1];
    if (heading !== undefined) operation = heading;
    if (!line.startsWith('|') || /^\| (?:row|---) /.test(line)) continue;
    rows.push(rowOf(service, operation, line));
  }
  return rows;
}

function rowOf(service: string, operation: string, line: string): Row {
  // A bar within a cell is written `\|`.
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [, name, says, page, world, end] = cells;
  if (!name || !says || !page || !world || end !== '' || cells.length !== 6)
    throw new Error(`A row has four cells: ${line}`);
  const pages = [...page.matchAll(/\[([\w-]+\/[\w.-]+)\]/g)].map(([, each = '']) => each);
  if (pages.length === 0 && page !== 'none') throw new Error(`A page is [BOOK/page] or none: ${line}`);
  return { service, operation, name, says, pages, world: worldOf(world, line) };
}

function worldOf(cell: string, line: string): World {
  const [, kind, rest = ''] = /^(refuses|alike|both|not simulated): (.+)$/.exec(cell) ?? [];
  switch (kind) {
    case 'refuses':
    case 'alike':
      return { kind, test: placeOf(rest, line) };
    case 'both': {
      const [, reading = '', place = ''] = /^(\w+) \((.+)\)$/.exec(rest) ?? [];
      return { kind, reading, test: placeOf(place, line) };
    }
    case 'not simulated':
      return { kind: 'not-simulated', because: rest };
    default:
      throw new Error(`The world refuses, does alike, both, or it is not simulated: ${line}`);
  }
}

function placeOf(text: string, line: string): Place {
  const [, file, title] = /^(\S+\.test\.ts) › (.+)$/.exec(text) ?? [];
  if (file === undefined || title === undefined) throw new Error(`A test is <file> › <name>: ${line}`);
  return { file, title };
}

/** No page tells, or it leaves two readings. */
export const isOpen = ({ pages, world }: Row) => pages.length === 0 || world.kind === 'both';

/** What AWS's pages leave open, as a page for people who can ask a real account. */
export function questionsOf(rows: readonly Row[]): string {
  const open = rows.filter(isOpen);
  return [
    '# Questions',
    '',
    "What AWS's pages leave open, by row of the ledger. Where there are two readings, the world has both, and the product holds",
    'under both. A real account can answer; [the smoke test](../../smoke/main.ts) answers those that it names. Made from the ledger:',
    'see `ledger.test.ts`.',
    '',
    '| row | open | readings |',
    '| --- | --- | --- |',
    ...open.map(
      ({ name, says, world }) => `| ${name} | ${says} | ${world.kind === 'both' ? world.reading : ''} |`,
    ),
    '',
  ].join('\n');
}
