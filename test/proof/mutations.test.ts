import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { hashOfLoaded } from './loaded.ts';
import { failuresOf } from './mutations/check.ts';
import { ROOT } from './mutations/copy.ts';
import { likeliestFirst, thatLoad } from './mutations/likely.ts';
import { placeOf, readSources } from './mutations/place.ts';
import { RULES } from './mutations/rules.ts';
import { placed } from './mutations/run.ts';
import { caughtBefore, type Kept } from './mutations/sitting.ts';
import { STAGES, stepsFor, testsOf } from './mutations/stages.ts';

const RULE = { rule: 'all is well', harm: 'Nothing is.', find: 'all(\n  is, well)', replace: 'none()' };

test('each broken rule occurs once in the code, and breaking it changes the code', () => {
  const sources = new Map(readSources(ROOT).map(({ file, text }) => [file, text]));
  const idle = placed(RULES).filter(({ file, broken }) => sources.get(file) === broken);
  expect(idle.map(({ rule }) => rule)).toEqual([]);
});

test('each broken rule is a program', () => {
  const unread = placed(RULES).flatMap(({ rule, broken }) => {
    try {
      transformSync(broken, { loader: 'ts' });
      return [];
    } catch (error) {
      return [`${rule}: ${error}`];
    }
  });
  expect(unread).toEqual([]);
});

test('no two rules have the same name, which identifies them in the report', () => {
  const names = RULES.map(({ rule }) => rule);
  expect(names).toEqual([...new Set(names)]);
});

test('a rule is found in whatever file it is, however the formatter broke its lines', () => {
  const sources = [
    { file: 'lambda/a.ts', text: 'return is(well);' },
    { file: 'lambda/core/b.ts', text: 'return all(\n  is,\n  well,\n);' },
  ];
  expect(placeOf(sources, RULE)).toEqual({ file: 'lambda/core/b.ts', broken: 'return none();' });
});

test('a rule that occurs in two files is reported, unless it names its file', () => {
  const sources = ['lambda/a.ts', 'lambda/core/b.ts'].map((file) => ({ file, text: 'all(is, well)' }));
  expect(() => placeOf(sources, RULE)).toThrow('stands 2 times (lambda/a.ts,lambda/core/b.ts), not once');
  expect(placeOf(sources, { ...RULE, file: 'b.ts' }).file).toBe('lambda/core/b.ts');
});

test('a rule that occurs nowhere is reported', () => {
  expect(() => placeOf([], RULE)).toThrow('"all is well" stands nowhere, not once');
});

test('a test file that fails without a failed test counts, if others load: else the broken rule is no program', () => {
  const copy = { folder: '/copy' };
  const passing = { status: 'passed', title: 'is so', ancestorTitles: [] };
  const cut = { name: '/copy/test/a.test.ts', status: 'failed', message: 'cut short', assertionResults: [] };
  const other = { name: '/copy/test/b.test.ts', status: 'passed', assertionResults: [passing] };
  expect(failuresOf([cut, other], copy)).toEqual([
    { file: 'test/a.test.ts', name: 'does not load', message: 'cut short' },
  ]);
  const told = { ...other, assertionResults: [{ ...passing, status: 'failed' }] };
  expect(failuresOf([cut, told], copy).map(({ file }) => file)).toEqual(['test/b.test.ts', 'test/a.test.ts']);
  expect(() => failuresOf([cut], copy)).toThrow("test/a.test.ts can't be loaded: cut short");
});

const OF_TESTS: Readonly<Record<string, string>> = {
  'test/a.test.ts': "import { roll } from '../lambda/roll.ts';\n// A calendar that closes.",
  'test/b.test.ts': "import { roll } from '../lambda/roll.ts';\n// A member drains, and then another member.",
  'test/c.test.ts': "import { other } from '../lambda/other.ts';\n// A calendar that closes, and drains.",
  'lambda/roll.ts': "import { windows } from './look/windows.ts';",
};
const textOf = (file: string) => OF_TESTS[file] ?? '';

test('the tests that load what is broken are tried, and of these the likeliest first', () => {
  const tests = ['test/b.test.ts', 'test/a.test.ts', 'test/c.test.ts'];
  const rule = { ...RULE, rule: 'a closed calendar is read', file: 'lambda/look/windows.ts' };
  const loading = thatLoad(tests, rule.file, textOf);
  expect(loading).toEqual(['test/b.test.ts', 'test/a.test.ts']);
  expect(likeliestFirst(loading, rule, textOf)).toEqual(['test/a.test.ts', 'test/b.test.ts']);
});

test('each test that may tell of a broken rule is in one step, and no other', () => {
  const [rule] = placed(RULES.slice(0, 1));
  if (rule === undefined) throw new Error('there is a rule');
  const tried = stepsFor(rule).flatMap(({ tests }) => tests);
  expect([...tried].sort()).toEqual(thatLoad(STAGES.flatMap(testsOf), rule.file).sort());
  expect(tried.length).toBeGreaterThan(100);
});

test('what an earlier sitting has broken stays caught as long as the rule, and the test that caught it, are the same', async () => {
  const test = 'test/core/text/endings-outside-rolls.test.ts';
  const kept = { test, loaded: await hashOfLoaded(`${ROOT}${test}`), rule: RULE.rule } as Kept;
  const { rule, find, replace } = RULE;
  const asKept = (each: Kept) => ({
    done: <Result>(part: object) =>
      JSON.stringify(part) === JSON.stringify({ rule, find, replace }) ? (each as Result) : undefined,
  });
  expect(await caughtBefore(RULE, asKept(kept))).toBe(kept);
  expect(await caughtBefore({ ...RULE, replace: 'some()' }, asKept(kept))).toBeUndefined();
  expect(await caughtBefore(RULE, asKept({ ...kept, loaded: '123456789abc' }))).toBeUndefined();
  expect(await caughtBefore(RULE, asKept({ ...kept, test: 'test/gone.test.ts' }))).toBeUndefined();
});
