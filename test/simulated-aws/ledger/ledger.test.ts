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
const TESTS = files(ROOT, '.test.ts').map((file) => `/test/${file}`);

/** The test files that a row names by the end of their paths. */
function textsOf({ file }: Place): string[] {
  const found = TESTS.filter((each) => each.endsWith(`/${file}`));
  return found.map((each) => readFileSync(join(ROOT, '..', each), 'utf8'));
}

describe('the ledger', () => {
  test('has a name of its own for each row, and a service that is simulated', () => {
    const names = ROWS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)+$/.test(name))).toEqual([]);
    expect(ROWS.filter(({ service }) => !(SERVICES as readonly string[]).includes(service))).toEqual([]);
    expect(ROWS.filter(({ operation }) => operation === '')).toEqual([]);
  });

  test('names tests that there are', () => {
    const missing = ROWS.flatMap(({ name, world }) => {
      if (world.kind === 'not-simulated') return [];
      const names = textsOf(world.test).flatMap(namesOf);
      return names.some((each) => each.test(world.test.title))
        ? []
        : [`${name}: ${world.test.file} › ${world.test.title}`];
    });
    expect(missing).toEqual([]);
  });

  test('has a row for each of two readings, and no other', () => {
    const told = ROWS.flatMap(({ world }) => (world.kind === 'both' ? [world.reading] : []));
    expect([...new Set(told)].sort()).toEqual([...READING_NAMES].sort());
  });

  test('and the refusals in the code name each other', () => {
    const named = files(WORLD, '.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(join(WORLD, file), 'utf8').matchAll(/\/\/ ledger: (.+)/g)])
      .flatMap(([, rows = '']) => rows.split(', '));
    const refusing = ROWS.filter(({ world }) => world.kind === 'refuses').map(({ name }) => name);
    expect([...new Set(named)].sort()).toEqual(refusing.sort());
  });

  test('leaves questions, which stand on a page', async () => {
    await expect(questionsOf(ROWS)).toMatchFileSnapshot('questions.md');
  });
});

/** The names of the tests in a file; what its tables fill in may be anything. */
function namesOf(text: string): RegExp[] {
  const names = [
    ...text.matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1\s*,/gs),
  ];
  return names.map(([, , name = '']) => new RegExp(`^${pattern(name)}$`, 's'));
}

function pattern(name: string): string {
  return name
    .replace(/\\(['"`])/g, '$1')
    .split(/%[sdijfo%#]|\$\w+(?:\.\w+)*|\$\{.*?\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
