import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfLoaded } from './loaded.ts';

test('what is loaded has another hash once its code differs, and the same with other comments, or other files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-loaded-'));
  const hashWith = (texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    return hashOfLoaded(join(folder, 'entry.ts'));
  };
  const first = await hashWith({
    'entry.ts': "import { two } from './two.ts';\nconsole.log(two);\n",
    'two.ts': 'export const two = 2;\n',
  });
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  expect(await hashWith({ 'two.ts': '/** Two. */\nexport const two = 2;\n', 'three.ts': '3;\n' })).toBe(
    first,
  );
  expect(await hashWith({ 'two.ts': 'export const two = 3;\n' })).not.toBe(first);
});
