import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLike, MANY, ONE } from '../../../lambda/core/model/wildcards.ts';

const PART = fc.constantFrom('a', 'b', '.', ONE, MANY);
const asRegExp = (part: string | symbol) =>
  part === ONE ? '.' : part === MANY ? '.*' : part === '.' ? '\\.' : part;

test('a text is of a pattern exactly if a regular expression says so', () => {
  fc.assert(
    fc.property(
      fc.array(PART, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 }),
      (pattern, text) => {
        const compiled = new RegExp(`^${pattern.map(asRegExp).join('')}$`);
        expect(isLike(text, pattern)).toBe(compiled.test(text));
      },
    ),
    { numRuns: 2000 },
  );
});
