import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Files and folders of the project that a document names, such as `lambda/core/decide.ts`. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/`((?:lambda|infra|test|docs|\.ci)\/[\w./-]*)`/g)].map(([, path = '']) => path);
}

const documents = ['', 'docs', 'docs/designs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

test.each(documents)('%s names only files that exist', (file) => {
  const named = namedIn(readFileSync(join(ROOT, file), 'utf8'));
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('CONTRIBUTING.md names files, and each room', () => {
  const named = namedIn(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));
  expect(named).toEqual(expect.arrayContaining(['lambda/core/decide.ts', 'infra/', 'test/simulated-aws/']));
});
