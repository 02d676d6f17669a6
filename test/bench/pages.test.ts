import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fill, PLACES } from './pages.ts';
import { RESULTS } from './results.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const RESULTS_FILE = 'docs/bench/results.json';

it.each(['README.md', 'docs/bench.md'])('%s tells what was measured', (file) => {
  const page = read(file);
  expect(fill(page, RESULTS.parse(JSON.parse(read(RESULTS_FILE))))).toBe(page);
});

it('each place is on a page', () => {
  const pages = read('README.md') + read('docs/bench.md');
  for (const name of Object.keys(PLACES)) expect(pages).toContain(`<!-- ${name} -->\n`);
});
