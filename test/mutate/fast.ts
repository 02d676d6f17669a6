/** `npm run mutate:fast`; `docs/mutation-testing.md` says what it leaves to Stryker. */
import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { described, type Result, runMutants } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const settings: { mutate: string[]; mutator: { excludedMutations: string[] } } = (
  await import(new URL('stryker.config.mjs', import.meta.url).href)
).default;

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true, default: ['test/core'] } },
});
const named = (paths: readonly string[]) => paths.map((path) => relative(ROOT, resolve(path)));
const isIn = (file: string, paths: readonly string[]) =>
  paths.some((path) => file === path || file.startsWith(`${path}/`));

const files = named(positionals.length > 0 ? positionals : ['lambda/core']);
const tests = named(values.tests);
/** All that the globs of the settings leave out are folders. */
const leftOut = settings.mutate
  .filter((glob) => glob.startsWith('!'))
  .map((glob) => glob.slice(1).replace('/**', ''));
const isMutated = (file: string) => file.endsWith('.ts') && isIn(file, files) && !isIn(file, leftOut);
const isTest = (file: string) =>
  file.endsWith('.test.ts') && !file.endsWith('.properties.test.ts') && isIn(file, tests);
const absolute = (file: string) => join(ROOT, file);

const results = await runMutants({
  files: filesIn('lambda/core').filter(isMutated).sort().map(absolute),
  tests: filesIn('test/core').filter(isTest).sort().map(absolute),
  excludedMutations: settings.mutator.excludedMutations,
});

const told = results.filter(({ survived }) => survived).map(({ mutant }) => `${described(mutant)}\n\n`);
const summary = (name: string, of: readonly Result[]) =>
  `${name}: ${of.filter(({ survived }) => survived).length} of ${of.length} survive\n`;
const perFile = [...new Set(results.map(({ mutant }) => mutant.fileName))].map((file) =>
  summary(
    relative(ROOT, file),
    results.filter(({ mutant }) => mutant.fileName === file),
  ),
);
process.stdout.write([...told, ...perFile, summary('All', results)].join(''));
