import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { DecideTimes } from './decide.ts';

/**
 * Times `decide` as it is deployed: bundled, and by the Node of `ECS_AMI_DEPLOY_NODE`, if it is set. The tool
 * that runs the bench wraps each function, which makes it half as slow again.
 */
export async function timeBuiltDecide(sizes: readonly number[]): Promise<DecideTimes> {
  const folder = await mkdtemp(join(tmpdir(), 'decide-'));
  try {
    const outfile = join(folder, 'decide.mjs');
    await build({ stdin: TIMING, bundle: true, platform: 'node', format: 'esm', outfile });
    const node = process.env.ECS_AMI_DEPLOY_NODE ?? process.execPath;
    const { stdout } = await promisify(execFile)(node, [outfile, ...sizes.map(String)]);
    return JSON.parse(stdout) as DecideTimes;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const TIMING = {
  contents: `
    import { timeDecide } from './decide.ts';
    console.log(JSON.stringify(timeDecide(process.argv.slice(2).map(Number))));
  `,
  resolveDir: import.meta.dirname,
};
