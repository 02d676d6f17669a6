import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { described, runMutants } from './mutants.ts';

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('tells which mutants no test notices, and cuts what loops without end', async () => {
  const counts = written(
    'counts.ts',
    `const MOST = [1 + 2, 4];
export const isMany = (of: number) => of >= Math.max(...MOST);
export function digits(of: number): number {
  let count = 0;
  for (let left = of; left >= 1; left /= 10) count += 1;
  return count;
}
const known = new WeakMap<object, number>();
export function twice(of: { readonly n: number }): number {
  const found = known.get(of) ?? of.n * 2;
  known.set(of, found);
  return found;
}
export const unused = (is: boolean) => !is;
`,
  );
  const itsTest = written(
    'counts.test.ts',
    `import { describe, expect, test } from 'vitest';
import { digits, isMany, twice } from './counts.ts';
const KEPT = { n: 3 };
describe('counts', () => {
  test('twice', () => expect(twice(KEPT)).toBe(6));
  test.each([[5, true], [3, false]])('%s', (of, many) => expect(isMany(of)).toBe(many));
  test('digits', async () => expect(digits(250)).toBe(3));
});
`,
  );
  const results = await runMutants({
    files: [counts],
    tests: [itsTest],
    excludedMutations: ['ConditionalExpression', 'ArrowFunction'],
  });
  const survivors = results.filter(({ survived }) => survived).map(({ mutant }) => described(mutant));
  expect(survivors.map((survivor) => survivor.split('\n').slice(1))).toEqual([
    [
      '- export const isMany = (of: number) => of >= Math.max(...MOST);',
      '+ export const isMany = (of: number) => of > Math.max(...MOST);',
    ],
    [
      '-   for (let left = of; left >= 1; left /= 10) count += 1;',
      '+   for (let left = of; left > 1; left /= 10) count += 1;',
    ],
    ['- export const unused = (is: boolean) => !is;', '+ export const unused = (is: boolean) => is;'],
  ]);
  // `/=` as `*=` loops without end. `MOST` has none, as it is computed while the module loads.
  expect(results.map(({ mutant }) => mutant.mutatorName)).toEqual([
    'EqualityOperator',
    'EqualityOperator',
    'MethodExpression',
    'BlockStatement',
    'EqualityOperator',
    'EqualityOperator',
    'AssignmentOperator',
    'AssignmentOperator',
    'BlockStatement',
    'LogicalOperator',
    'ArithmeticOperator',
    'BooleanLiteral',
  ]);
});
