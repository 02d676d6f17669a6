import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Package {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const packageAt = (folder: string): Package => JSON.parse(read(join(folder, 'package.json')));

test('docs/dependencies.md has each dependency once, with the licence that it names', () => {
  const { dependencies, peerDependencies, devDependencies } = packageAt('.');
  const names = [
    ...new Set(Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })),
  ].sort();
  const rows = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| .+ \|$/gm)];
  const told = rows.map(([, name, licence]) => [name, licence]).sort();
  expect(told).toEqual(names.map((name) => [name, packageAt(join('node_modules', name)).license]));
});
