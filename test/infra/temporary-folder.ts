import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives all that the tests put into the temporary folder, as each app of the CDK does its cloud assembly, a folder of the
 * run's own there, and removes it after the last. (A worker is ended by a signal: it can't clean up itself.)
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
