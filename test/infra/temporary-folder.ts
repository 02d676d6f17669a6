import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives everything that the tests write to the temporary folder, such as each CDK app's cloud assembly, a
 * folder of this run's own, and removes it after the last test. (A worker is ended by a signal, so it can't
 * clean up itself.)
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
