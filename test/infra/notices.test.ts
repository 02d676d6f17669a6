import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bundledPackage, notices, packageFolders } from '../../infra/notices.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = { name: 'left-pad', version: '1.3.0', licence: 'WTFPL', texts: ['Do what you want'] };

/** As esbuild describes one output. */
function metafile(inputs: Readonly<Record<string, number>>) {
  const parts = Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }] as const);
  const output = { bytes: 1, imports: [], exports: [], inputs: Object.fromEntries(parts) };
  return { inputs: {}, outputs: { 'index.js': output } };
}

describe('a package', () => {
  test('is in a bundle if any of its code is left there, once, wherever it is installed', () => {
    const built = metafile({
      'lambda/index.ts': 9,
      'node_modules/@aws-sdk/core/dist/a.js': 1,
      'node_modules/@aws-sdk/core/dist/b.js': 2,
      'node_modules/shaken/index.js': 0,
      'node_modules/zod/node_modules/left-pad/index.js': 3,
    });
    expect(packageFolders([built, built])).toEqual([
      'node_modules/@aws-sdk/core',
      'node_modules/zod/node_modules/left-pad',
    ]);
  });

  test('comes with the text of its licence', async () => {
    const { name, licence, texts } = await bundledPackage(ROOT, 'node_modules/zod');
    expect([name, licence]).toEqual(['zod', 'MIT']);
    expect(texts.join()).toContain('Permission is hereby granted');
  });

  test('shares the text of its licence with others that have the same', () => {
    const other = { ...PACKAGE, name: 'right-pad' };
    const bare = { ...PACKAGE, name: 'bare', texts: [] };
    const text = notices([PACKAGE, other, bare]);
    expect(text.match(/Do what you want/g)).toHaveLength(1);
    expect(text).toContain('left-pad 1.3.0 (WTFPL)\nright-pad 1.3.0 (WTFPL)\n\nDo what you want');
    expect(text).toContain('bare 1.3.0 (WTFPL)\n\nHas no file');
  });
});

/** Paths of the sources that the built bundle has code of, by its source maps. */
function bundledSources(): string[] {
  const folder = join(ROOT, 'dist/lambda.maps');
  const map = z.object({ sources: z.array(z.string()) });
  return readdirSync(folder).flatMap(
    (file) => map.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).sources,
  );
}

test('the built package names every package that its function has code of', () => {
  const text = readFileSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const names = bundledSources().flatMap(
    (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
  );
  for (const name of [...new Set(names), 'zod', '@smithy/core', 'fastest-levenshtein', 'commander'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+.* \\(.+\\)$`, 'm'));
});
