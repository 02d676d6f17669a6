import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * What a thread that rolls loads of the tests: the simulated AWS, the judges, and the weather; and which
 * packages. The other tests may change between two sittings.
 *
 * @returns 12 hexadecimal digits, others for other text; `lambda` isn't in it
 */
export async function hashOfLoaded(): Promise<string> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/proof/worker.ts'],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const hash = createHash('sha256');
  const tests = Object.keys(metafile.inputs).filter((file) => file.startsWith('test/'));
  for (const file of [...tests.sort(), 'package-lock.json']) {
    hash
      .update(`${file}\0`)
      .update(await readFile(`${ROOT}${file}`))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}
