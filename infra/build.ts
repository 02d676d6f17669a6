/**
 * `npm run build`: writes the function's bundle to `dist/lambda`, and the construct with its types to
 * `dist/cdk`.
 *
 * Measured on Node 24 (medians of 15 cold imports, two virtual processors):
 *
 * - CommonJS takes 59 ms, an ES module 69 ms. So we build `index.js` and add a package.json that says
 *   `commonjs`: this project's own says `module`, and without any, Lambda would parse the file to find out.
 * - Without `module` in `mainFields` esbuild takes the SDK's CommonJS builds, which can't be tree-shaken: 2
 *   MB, 252 ms.
 * - Without the schema plugin: 1.1 MB, 113 ms.
 * - `keepNames` costs 37 KB and 2 ms for nothing: our errors and the SDK's set their own `name`.
 * - Loading a source map (`--enable-source-maps`) costs 15 ms. So the map is written beside the bundle's
 *   folder, for reading stack traces, and isn't deployed.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { BUNDLE } from '../lambda/contract.ts';
import { PACKAGE_ROOT } from './bundle.ts';
import { ec2SchemaPlugin } from './ec2-schema-plugin.ts';

const dist = join(PACKAGE_ROOT, 'dist');
const bundleFolder = join(PACKAGE_ROOT, BUNDLE.folder);
const bundleFile = join(bundleFolder, 'index.js');

await Promise.all([buildFunction(), buildConstruct()]);
process.stdout.write(await sizes());

async function buildFunction(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(PACKAGE_ROOT, 'lambda', 'index.ts')],
    outfile: bundleFile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    sourcemap: 'external',
    sourcesContent: false,
    plugins: [ec2SchemaPlugin],
    write: false,
  });
  await rm(bundleFolder, { recursive: true, force: true });
  await mkdir(bundleFolder, { recursive: true });
  await writeFile(join(bundleFolder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { path, contents } of outputFiles)
    await writeFile(path.endsWith('.map') ? join(dist, 'lambda.index.js.map') : path, contents);
}

async function buildConstruct(): Promise<void> {
  await rm(join(dist, 'cdk'), { recursive: true, force: true });
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', join(PACKAGE_ROOT, 'tsconfig.build.json')]);
}

async function sizes(): Promise<string> {
  const code = await readFile(bundleFile);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`;
  return [
    `function   ${BUNDLE.folder}/index.js   ${kilobytes(code.length)}, ${kilobytes(gzipSync(code).length)} compressed`,
    'construct  dist/cdk/infra',
    '',
  ].join('\n');
}
