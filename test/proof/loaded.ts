import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * What a thread that rolls loads, but for its comments: the product, the simulated AWS, the judges, and the
 * weather; and which packages. Other tests may change between two sittings.
 *
 * @returns 12 hexadecimal digits
 */
export async function hashOfLoaded(entry = `${ROOT}test/proof/worker.ts`): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    legalComments: 'none',
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const hash = createHash('sha256').update(await readFile(`${ROOT}package-lock.json`));
  for (const { text } of outputFiles) hash.update(text);
  return hash.digest('hex').slice(0, 12);
}
