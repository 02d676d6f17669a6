import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { PACKAGE_ROOT } from './bundle.ts';
import { ec2SchemaPlugin } from './ec2-schema-plugin.ts';
import { packageVersionPlugin } from './package-version-plugin.ts';
import { kilobytes } from './weigh.ts';

/**
 * Builds the command line into one file, so that the construct's users don't install its libraries.
 *
 * @returns what to say about it, and what it is made of
 */
export async function buildCommandLine(): Promise<{ said: string[]; metafiles: Metafile[] }> {
  const file = join(PACKAGE_ROOT, 'dist', 'cli', 'ecs-ami-deploy.cjs');
  const { metafile } = await build({
    absWorkingDir: PACKAGE_ROOT,
    entryPoints: [join(PACKAGE_ROOT, 'cli', 'main.ts')],
    outfile: file,
    bundle: true,
    metafile: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    banner: { js: '#!/usr/bin/env node' },
    plugins: [ec2SchemaPlugin, packageVersionPlugin],
  });
  await chmod(file, 0o755);
  const { size } = await stat(file);
  return { said: [`command    dist/cli   ${kilobytes(size)}`], metafiles: [metafile] };
}
