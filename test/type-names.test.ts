import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..');
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm;

test('the name of a type is used once: whoever searches for it finds the one that is meant', () => {
  const declared = new Map<string, string[]>();
  for (const file of ['lambda', 'infra', 'cli'].flatMap(sourceFiles))
    for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(DECLARATION))
      declared.set(name, [...(declared.get(name) ?? []), file]);
  expect(declared.size).toBeGreaterThan(500);
  expect([...declared].filter(([, files]) => files.length > 1)).toEqual([]);
});
