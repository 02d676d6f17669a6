import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutate } from './mutations/mutation.ts';
import { RULES } from './mutations/rules.ts';

test('each rule that the proof breaks stands once in the code, as it is written there now', () => {
  const faults = RULES.flatMap((rule) => {
    try {
      const source = readFileSync(new URL(`../../${rule.file}`, import.meta.url), 'utf8');
      return mutate(source, rule) === source ? [`"${rule.rule}" changes nothing`] : [];
    } catch (error) {
      return [String(error)];
    }
  });
  expect(faults).toEqual([]);
});

test('no two rules have the same name, by which the report tells them', () => {
  const names = RULES.map(({ rule }) => rule);
  expect(names).toEqual([...new Set(names)]);
});
