import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureColdStart } from './cold-start.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cold-start-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('counts what an import loads, and not what it leaves for later', async () => {
  const bundle = join(folder, 'index.cjs');
  const entry = "require('./shared.cjs'); exports.later = () => require('./rare.cjs');";
  await writeFile(bundle, entry);
  await writeFile(join(folder, 'shared.cjs'), 'exports.a = 1;');
  await writeFile(join(folder, 'rare.cjs'), 'exports.b = 2;');
  const measured = measureColdStart({ bundle, runs: 3 });
  expect(measured).toMatchObject({ node: process.version, files: 2, bytes: entry.length + 14 });
  expect(measured.importMillis).toBeGreaterThan(0);
  expect(measured.emptyMillis).toBeGreaterThan(1);
});

test('an import that fails is told', () => {
  expect(() => measureColdStart({ bundle: join(folder, 'nowhere.cjs'), runs: 1 })).toThrow('nowhere.cjs');
});
