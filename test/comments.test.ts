import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..');

/** As the formatter has it, which leaves comments alone. */
const WIDTH = 110;

test.each(['lambda', 'infra', 'cli', 'test'])('no comment in %s is wider than the code', (folder) => {
  const sources = sourceFiles(folder);
  expect(sources.length).toBeGreaterThan(10);
  const wide = sources.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => line.length > WIDTH && /^\s*(?:\/\*\*|\*|\/\/) /.test(line) && !line.includes('http'))
      .map((line) => `${file}: ${line}`),
  );
  expect(wide).toEqual([]);
});
