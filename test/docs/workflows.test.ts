import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../.github/workflows');
const USED = readdirSync(FOLDER).flatMap((file) =>
  [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\buses:\s*(.+)$/gm)].map(
    ([, action = '']) => action,
  ),
);

test('workflows name the actions of others by commit, with the version that it is', () => {
  expect(USED.length).toBeGreaterThan(0);
  expect(USED.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});
