/**
 * `npm run template`: builds, and has the command line write what CloudFormation deploys. It checks the
 * settings before, as the build takes longer than all else: a typo is told at once.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from './bundle.ts';
import { checkContext } from './template.ts';

const [, , ...line] = process.argv;
const context = { type: 'string', short: 'c', multiple: true } as const;
const { values } = parseArgs({ args: line, options: { context }, allowPositionals: true, strict: false });
// What is no pair, the command line complains of.
const pairs = (values.context ?? []).flatMap((text) => {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(String(text)) ?? [];
  return key === undefined ? [] : [[key, value ?? '']];
});

try {
  checkContext(Object.fromEntries(pairs));
  process.exitCode =
    run('npm', 'run', '--silent', 'build', '--', '--quiet') ||
    run(process.execPath, join(PACKAGE_ROOT, 'cli', 'ecs-ami-deploy.cjs'), ...line);
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'DeploymentError') throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function run(command: string, ...words: readonly string[]): number {
  return spawnSync(command, words, { stdio: 'inherit' }).status ?? 1;
}
