import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SERVICES } from '../account/operation.ts';
import { READING_NAMES } from '../world/readings.ts';
import { type Place, questionsOf, readLedger } from './ledger.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORLD = join(import.meta.dirname, '../world');
const ROWS = readLedger();

const files = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(ending) && !file.includes('node_modules'),
  );
const SOURCES = files(WORLD, '.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(WORLD, file), 'utf8') }));
const TESTS = files(ROOT, '.test.ts').map((file) => `/test/${file}`);

/** The test files that a row names by the end of their paths. */
function textsOf({ file }: Place): string[] {
  const found = TESTS.filter((each) => each.endsWith(`/${file}`));
  return found.map((each) => readFileSync(join(ROOT, '..', each), 'utf8'));
}

describe('the ledger', () => {
  test('has a name of its own for each row, and is of a service that is simulated unless it says that it is not', () => {
    const names = ROWS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)+$/.test(name))).toEqual([]);
    const stranger = ROWS.filter(({ service }) => !(SERVICES as readonly string[]).includes(service));
    expect(stranger.filter(({ world }) => world.kind !== 'not-simulated')).toEqual([]);
    expect(ROWS.filter(({ operation }) => operation === '')).toEqual([]);
  });

  test('has each page in a book that is listed, and lists no other', () => {
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    const listed = [...readme.matchAll(/^\| ([\w-]+) \| https:/gm)].map(([, book]) => book);
    const named = ROWS.flatMap(({ pages }) => pages).map((page) => page.split('/')[0]);
    expect([...new Set(named)].sort()).toEqual(listed.sort());
  });

  test('names tests that there are', () => {
    const missing = ROWS.flatMap(({ name, world }) => {
      if (world.kind === 'not-simulated') return [];
      const names = textsOf(world.test).flatMap(namesOf);
      return names.includes(world.test.title) ? [] : [`${name}: ${world.test.file} › ${world.test.title}`];
    });
    expect(missing).toEqual([]);
  });

  test('has a row for each of two readings, and no other', () => {
    const told = ROWS.flatMap(({ world }) => (world.kind === 'both' ? [world.reading] : []));
    expect([...new Set(told)].sort()).toEqual([...READING_NAMES].sort());
  });

  test('and the refusals in the code name each other', () => {
    const named = SOURCES.flatMap(({ text }) => [...text.matchAll(/\/\/ ledger: (.+)/g)]).flatMap(
      ([, rows = '']) => rows.split(', '),
    );
    const refusing = ROWS.filter(({ world }) => world.kind === 'refuses').map(({ name }) => name);
    expect([...new Set(named)].sort()).toEqual(refusing.sort());
  });

  test('is named by every refusal in the code', () => {
    const unnamed = SOURCES.flatMap(({ file, text }) => unnamedIn(text).map((line) => `${file}: ${line}`));
    expect(unnamed).toEqual([]);
  });

  test.each([
    ["throw new AwsError('NotFound', '');", 1],
    ["if (!found)\n  throw new AwsError(\n    'NotFound',\n    '',\n  );", 1],
    ["assertAtMost(10, names, 'ValidationError', 'Names');", 1],
    ["// ledger: a-row\nif (!found)\n  throw new AwsError('NotFound', '');", 0],
    ["// ledger: a-row\nthrow validationError('');\nthrow validationError('');", 1],
    ["// ledger: a-row\n// ledger: another\nassertAtMost(10, names, 'ValidationError', 'Names');", 0],
    ["// ledger: a-row\nconst none = () => validationError('');\n\nthrow none();", 0],
    ["throw new Error('a test asks for what there is not');\nthrow notSimulated('x');\nthrow error;", 0],
  ])('misses in %j a row %i times', (text, times) => {
    expect(unnamedIn(text)).toHaveLength(times);
  });

  test('leaves questions, which stand on a page', async () => {
    await expect(questionsOf(ROWS)).toMatchFileSnapshot('questions.md');
  });
});

/**
 * What refuses a call; what a test asks for in vain, what isn't simulated and what is passed on doesn't, nor
 * does what is refused by a code that a caller names, who names the row too.
 */
const REFUSAL =
  /\bthrow (?!new Error\(|notSimulated\(|unsimulated\(|error\b|new AwsError\(code,)|(?<!function )\bassertAtMost\(/;
const NAMED = /^\s*\/\/ ledger: /;

/** The lines that refuse a call, with no comment above them, or above their condition, that names a row. */
function unnamedIn(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter((line, index) => {
    if (!REFUSAL.test(line)) return false;
    const [, maker] = /\bthrow (\w+)\(/.exec(line) ?? [];
    const made = lines.findIndex((each) => new RegExp(`^(?:const|function) ${maker}\\b`).test(each));
    return !isNamed(lines, index) && !(made > 0 && isNamed(lines, made));
  });
}

function isNamed(lines: readonly string[], index: number): boolean {
  let at = index - 1;
  // A condition ends with `)` or `{`; a statement before it with `;` or `}`, and a block with an empty line.
  while (at >= 0 && !NAMED.test(lines[at] ?? '') && !/[;}]$|^$/.test(lines[at] ?? '')) at--;
  return NAMED.test(lines[at] ?? '');
}

/** The names of the tests in a file, those of a table with what the table fills in: `is refused %s`. */
function namesOf(text: string): string[] {
  const names = [
    ...text.matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1\s*,/gs),
  ];
  return names.map(([, , name = '']) => name.replace(/\\(['"`])/g, '$1'));
}
