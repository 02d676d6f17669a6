import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { quickApp } from './deployment.ts';
import setup from './temporary-folder.ts';

test('tests synthesize into a folder that is removed after the last of them', () => {
  const before = tmpdir();
  const remove = setup();
  try {
    const { outdir } = quickApp();
    expect(dirname(outdir)).toBe(tmpdir());
    remove();
    expect(existsSync(outdir)).toBe(false);
  } finally {
    process.env.TMPDIR = before;
  }
});

test('this run has such a folder', () => {
  expect(quickApp().outdir).toContain('/ecs-ami-deploy-tests-');
});
