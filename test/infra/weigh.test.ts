import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { chunksFor, weigh, weightTable } from '../../infra/weigh.ts';

type Output = Metafile['outputs'][string];

const imports = (path: string, kind: Output['imports'][number]['kind'] = 'import-statement') => ({
  path,
  kind,
});
const output = (given: Partial<Output>): Output => ({
  bytes: 0,
  inputs: {},
  imports: [],
  exports: [],
  ...given,
});

const METAFILE: Metafile = {
  inputs: {},
  outputs: {
    'dist/index.js': output({
      entryPoint: 'lambda/index.ts',
      imports: [imports('dist/shared.js'), imports('dist/rare.js', 'dynamic-import'), imports('node:fs')],
      inputs: {
        'lambda/core/decide.ts': { bytesInOutput: 30 },
        'lambda/core/reasons/steps.ts': { bytesInOutput: 20 },
        'node_modules/@smithy/core/dist/a.js': { bytesInOutput: 7 },
      },
    }),
    'dist/shared.js': output({
      imports: [imports('dist/index.js'), imports('dist/deeper.js')],
      inputs: { 'node_modules/zod/index.js': { bytesInOutput: 5 } },
    }),
    'dist/deeper.js': output({
      inputs: { 'node_modules/a/node_modules/@smithy/core/b.js': { bytesInOutput: 4 } },
    }),
    'dist/rare.js': output({
      entryPoint: 'lambda/aws/ssm.ts',
      imports: [imports('dist/deeper.js')],
      inputs: { 'lambda/aws/ssm.ts': { bytesInOutput: 900 } },
    }),
  },
};

test('a cold start loads what is imported, and not what is loaded at its first use', () => {
  expect(chunksFor(METAFILE, 'lambda/index.ts').sort()).toEqual(['deeper.js', 'index.js', 'shared.js']);
  expect(chunksFor(METAFILE, 'lambda/aws/ssm.ts').sort()).toEqual(['deeper.js', 'rare.js']);
});

test('weighs each package, and each of our folders, heaviest first', () => {
  const weights = weigh(METAFILE, chunksFor(METAFILE, 'lambda/index.ts'));
  expect([...weights]).toEqual([
    ['lambda/core', 50],
    ['@smithy/core', 11],
    ['zod', 5],
  ]);
});

test('sums up what is lighter', () => {
  const weights = new Map([
    ['heavy', 9_000],
    ['light', 2_000],
    ['lighter', 1_000],
  ]);
  expect(weightTable(weights, 1)).toEqual(['      9 KB  heavy', '      3 KB  2 others']);
});
