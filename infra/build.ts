/**
 * `npm run build`: writes the function's bundle to `dist/lambda`, the command line to `dist/cli`, the
 * licences of what is in them to `dist`, and the construct with its types to `dist/cdk`. With `--quiet` it
 * says no more than what is wrong; with `--within-budgets`, as `npm test` has it, it fails if a cold start
 * would load more than it may: nobody's deployment is to fail of it.
 *
 * The bundle is cut at each `import()`, ours (`lambda/aws/rare.ts`) and the SDK's: a credential provider
 * that Lambda doesn't need is never loaded. esbuild only cuts ES modules, so these are built first, and each
 * is then made CommonJS, which Node loads faster.
 *
 * Measured on Node 24 (medians of 15 cold imports, two virtual processors):
 *
 * - What rolls (`lambda/roll-in-real-time.ts`) is loaded when there is something to roll. Of 54 ms that
 *   leaves 44, beside 30 to 35 that a Node process takes to do nothing. Half of it is compiling.
 * - A code cache (`enableCompileCache` of `node:module`) is no help: it fits only the very Node that wrote
 *   it, and Lambda updates Node by itself; and `/tmp`, where a function may write, is empty at a cold start.
 * - CommonJS takes 59 ms, an ES module 69 ms. So we add a package.json that says `commonjs`: this project's
 *   own says `module`, and without any, Lambda would parse the file to find out.
 * - Without `module` in `mainFields` esbuild takes the SDK's CommonJS builds, which can't be tree-shaken: 2
 *   MB, 252 ms.
 * - Without the schema plugin: 1.1 MB, 113 ms.
 * - `keepNames` costs 37 KB and 2 ms for nothing: our errors and the SDK's set their own `name`.
 * - Loading a source map (`--enable-source-maps`) costs 15 ms. So the maps are written beside the bundle's
 *   folder, for reading stack traces, and aren't deployed.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile, transform } from 'esbuild';
import { BUNDLE } from '../lambda/contract.ts';
import { APART, apartPlugin, nameApart } from './apart-plugin.ts';
import { PACKAGE_ROOT } from './bundle.ts';
import { noticesOf } from './notices.ts';
import { sdkPlugin } from './sdk-plugin.ts';
import { chunksFor, kilobytes, weigh, weightTable } from './weigh.ts';

/** What may be loaded, in bytes: by each cold start, and by those that find something to roll. */
const BUDGETS = [
  { loaded: 'at a cold start', sources: ['lambda/index.ts'], most: 392_000 },
  {
    loaded: 'once there is something to roll',
    sources: ['lambda/index.ts', 'lambda/roll-in-real-time.ts'],
    most: 765_000,
  },
  {
    loaded: 'by what drains outside rolls',
    sources: ['lambda/terminations-handler.ts'],
    most: 420_000,
  },
  { loaded: 'by what decides for a sequence', sources: ['lambda/sequence-handler.ts'], most: 340_000 },
];

const bundleFolder = join(PACKAGE_ROOT, BUNDLE.folder);
const mapFolder = `${bundleFolder}.maps`;
const noticesFile = join(PACKAGE_ROOT, 'dist', 'THIRD-PARTY-NOTICES.txt');
/** What the construct brings along unbundled. */
const BROUGHT_ALONG = ['node_modules/fastest-levenshtein'];

/** This project's own says `module`. */
const COMMON_JS = '{ "type": "commonjs" }\n';

const OPTIONS = {
  absWorkingDir: PACKAGE_ROOT,
  outdir: bundleFolder,
  bundle: true,
  splitting: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  // They are in the notices.
  legalComments: 'none',
  sourcemap: 'inline',
  sourcesContent: false,
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

const [lambda, command] = await Promise.all([buildFunction(), buildCommandLine(), buildConstruct()]);
const metafiles = [...lambda.metafiles, ...command.metafiles];
await writeFile(noticesFile, await noticesOf(PACKAGE_ROOT, metafiles, BROUGHT_ALONG));
if (!process.argv.includes('--quiet'))
  process.stdout.write([...lambda.said, ...command.said, 'construct  dist/cdk/infra', ''].join('\n'));

/** What to say of something that was built, and what it is made of. */
interface Built {
  readonly said: string[];
  readonly metafiles: Metafile[];
}

async function buildFunction(): Promise<Built> {
  const ofEntry = (name: string, source: string) =>
    build({
      ...OPTIONS,
      entryPoints: { [name]: join(PACKAGE_ROOT, 'lambda', source) },
      plugins: [sdkPlugin, apartPlugin],
    });
  const [index, terminations, sequence, apart] = await Promise.all([
    ofEntry('index', 'index.ts'),
    // Built together they would load each other's calls.
    ofEntry('terminations', 'terminations-handler.ts'),
    ofEntry('sequence', 'sequence-handler.ts'),
    build({
      ...OPTIONS,
      entryPoints: APART.map((path) => ({ in: path, out: nameApart(path) })),
      plugins: [sdkPlugin],
    }),
  ]);
  const built = [index, terminations, sequence, apart];
  const chunks = await Promise.all(built.flatMap(({ outputFiles }) => outputFiles).map(toCommonJs));
  for (const folder of [bundleFolder, mapFolder]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  await writeFile(join(bundleFolder, 'package.json'), COMMON_JS);
  for (const { name, code, map } of chunks) {
    await writeFile(join(bundleFolder, name), code);
    await writeFile(join(mapFolder, `${name}.map`), map);
  }
  const metafiles = built.map(({ metafile }) => metafile);
  return { said: sizes(chunks, metafiles), metafiles };
}

interface Chunk {
  readonly name: string;
  readonly code: string;
  readonly map: string;
}

async function toCommonJs({ path, text }: OutputFile): Promise<Chunk> {
  const name = basename(path);
  const { code, map } = await transform(text, {
    format: 'cjs',
    // Names what it exports for whoever imports it: no chunk is imported, and all their names are 11 KB.
    platform: name.startsWith('chunk-') ? 'neutral' : 'node',
    target: 'node24',
    // Otherwise `import()` would stay, and start the loader of ES modules.
    supported: { 'dynamic-import': false },
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    sourcefile: name,
  });
  return { name, code, map };
}

/**
 * Builds the command line into one file, so that the construct's users don't install its libraries.
 */
async function buildCommandLine(): Promise<Built> {
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
    // For `template` alone, which says so where they are missing.
    external: ['aws-cdk-lib', 'constructs'],
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [sdkPlugin],
  });
  await chmod(file, 0o755);
  const { size } = await stat(file);
  return { said: [`command    dist/cli   ${kilobytes(size)}`], metafiles: [metafile] };
}

/**
 * As CommonJS: a stock CDK app runs its tests in Jest, which can't `require` ES modules. The compiler can
 * rewrite everything but `import.meta`, so it gets a copy of the sources without it.
 */
async function buildConstruct(): Promise<void> {
  const sources = join(PACKAGE_ROOT, 'dist', 'source');
  const output = join(PACKAGE_ROOT, 'dist', 'cdk');
  for (const folder of [sources, output]) await rm(folder, { recursive: true, force: true });
  for (const room of ['infra', 'lambda'])
    await cp(join(PACKAGE_ROOT, room), join(sources, room), { recursive: true });
  await writeFile(join(sources, 'infra', 'here.ts'), 'export const HERE = __dirname;\n');
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', join(PACKAGE_ROOT, 'tsconfig.build.json')]);
  await writeFile(join(output, 'package.json'), COMMON_JS);
}

/** @throws Error if more is loaded than may be, and that matters */
function sizes(chunks: readonly Chunk[], metafiles: readonly Metafile[]): string[] {
  const bytesOf = (codes: readonly Chunk[]) => sum(codes.map(({ code }) => Buffer.byteLength(code)));
  const lines = BUDGETS.flatMap(({ loaded, sources, most }) => {
    const metafile = metafiles.find(({ inputs }) => sources.every((source) => source in inputs));
    if (metafile === undefined) throw new Error(`nothing is built of ${sources.join(', ')}`);
    const names = new Set(sources.flatMap((source) => chunksFor(metafile, source)));
    const found = chunks.filter(({ name }) => names.has(name));
    const bytes = bytesOf(found);
    const table = weightTable(weigh(metafile, [...names]));
    if (bytes > most && process.argv.includes('--within-budgets'))
      throw new Error([`${bytes} bytes are loaded ${loaded}, more than ${most}`, ...table].join('\n'));
    const compressed = sum(found.map(({ code }) => gzipSync(code).length));
    return [`${kilobytes(bytes).padStart(10)}  ${loaded}, ${kilobytes(compressed)} compressed`, ...table];
  });
  const all = kilobytes(bytesOf(chunks));
  return [`function   ${BUNDLE.folder}   ${all}`, ...lines];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
