import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';

test('`npm run template` says what is wrong before it builds', () => {
  const built = () => statSync('dist/lambda/index.js').mtimeMs;
  const before = built();
  const line = ['--import', 'tsx', 'infra/build-template.ts', 'template', '-c', 'clusters=web'];
  const { status, stderr } = spawnSync(process.execPath, [...line, '--context', 'maxSrge=2'], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(
    /^This can't be deployed:\n {2}- maxSrge isn't a setting; did you mean maxSurge\?\n/,
  );
  expect(stderr).toContain('`npx ecs-ami-deploy template -c clusters=web,jobs`');
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(1);
  expect(built()).toBe(before);
});
