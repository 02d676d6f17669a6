/** The first half of `npm test`: builds, checks types and lints, all at once; fails if one of them does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const COMMANDS = [
  'npm run --silent build -- --within-budgets',
  // What it knows of unchanged files goes when `npm ci` removes the folder.
  'tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/tsc.tsbuildinfo',
  'biome ci .',
];

/** Shows what a command says when it is over, so that no two are mixed. */
async function run(command: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(said));
  if (code !== 0) process.stdout.write(`Failed: ${command}\n`);
  return code === 0;
}

const results = await Promise.all(COMMANDS.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
