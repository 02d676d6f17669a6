import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { sourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * The rooms of `lambda/`, and which rooms each may import. A file at the top of `lambda/` is a room of its
 * own. Each room imports rooms above it only, so this is also the order to read them in.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  contract: [],
  'metric-names': [],
  'core/reasons': [],
  'core/model': ['core/reasons'],
  'core/text': ['core/model', 'core/reasons'],
  'core/actions': ['core/model', 'core/reasons', 'core/text'],
  'core/sequence': ['core/model', 'core/text'],
  settings: ['contract', 'core/model', 'core/reasons', 'core/sequence'],
  event: ['contract', 'core/reasons', 'settings'],
  'core/launch-spec': ['core/actions', 'core/model', 'core/reasons'],
  'core/group': ['core/actions', 'core/launch-spec', 'core/model', 'core/reasons'],
  'core/placement': ['core/group', 'core/model', 'core/reasons'],
  'core/sizes': ['core/actions', 'core/group', 'core/model', 'core/reasons'],
  'core/drain': ['core/actions', 'core/group', 'core/model', 'core/reasons', 'core/sizes'],
  'core/trial': ['core/actions', 'core/drain', 'core/group', 'core/model', 'core/reasons'],
  'core/hooks': ['core/actions', 'core/group', 'core/model', 'core/reasons'],
  'core/preflight': [
    'core/drain',
    'core/group',
    'core/launch-spec',
    'core/model',
    'core/placement',
    'core/reasons',
  ],
  'core/replace': [
    'core/actions',
    'core/trial',
    'core/drain',
    'core/group',
    'core/launch-spec',
    'core/model',
    'core/reasons',
    'core/sizes',
  ],
  'core/rollback': [
    'core/actions',
    'core/drain',
    'core/group',
    'core/launch-spec',
    'core/model',
    'core/reasons',
    'core/replace',
    'core/sizes',
  ],
  core: [
    'core/actions',
    'core/trial',
    'core/drain',
    'core/group',
    'core/hooks',
    'core/launch-spec',
    'core/model',
    'core/preflight',
    'core/reasons',
    'core/replace',
    'core/rollback',
    'core/sizes',
    'core/text',
  ],
  'core/plan': [
    'core',
    'core/actions',
    'core/group',
    'core/launch-spec',
    'core/model',
    'core/reasons',
    'core/text',
  ],
  'core/events': ['core', 'core/actions', 'core/group', 'core/model', 'core/text'],
  picture: [],
  tags: ['contract', 'core/model', 'core/reasons'],
  aws: ['contract', 'core/actions', 'core/launch-spec', 'core/model', 'core/text', 'tags'],
  look: [
    'aws',
    'contract',
    'core/actions',
    'core/trial',
    'core/drain',
    'core/group',
    'core/launch-spec',
    'core/model',
    'core/placement',
    'core/preflight',
    'core/reasons',
    'settings',
    'tags',
  ],
  'lambda-process': ['aws', 'core/model'],
  invocation: ['aws', 'clock', 'core', 'core/actions', 'core/model'],
  'roll-ages': ['clock', 'core', 'core/model'],
  journal: ['aws', 'clock', 'core', 'core/actions', 'core/text', 'invocation', 'roll-ages'],
  sequence: [
    'aws',
    'clock',
    'contract',
    'core',
    'core/group',
    'core/model',
    'core/reasons',
    'core/sequence',
    'core/text',
    'event',
    'invocation',
  ],
  act: [
    'aws',
    'contract',
    'core',
    'core/actions',
    'core/events',
    'core/group',
    'core/hooks',
    'core/model',
    'core/sizes',
    'invocation',
    'look',
    'tags',
  ],
  orders: [
    'act',
    'aws',
    'contract',
    'core',
    'core/actions',
    'core/model',
    'core/reasons',
    'core/text',
    'event',
    'invocation',
    'look',
    'tags',
  ],
  pace: ['aws', 'core', 'core/model', 'look'],
  progress: [
    'aws',
    'contract',
    'core',
    'core/model',
    'core/reasons',
    'core/text',
    'event',
    'invocation',
    'look',
    'orders',
    'pace',
  ],
  metrics: [
    'aws',
    'clock',
    'core',
    'core/launch-spec',
    'core/model',
    'core/reasons',
    'event',
    'invocation',
    'look',
    'metric-names',
    'roll-ages',
  ],
  'groups-to-roll': ['core', 'event', 'look', 'orders', 'progress'],
  'look-act-loop': [
    'act',
    'aws',
    'core',
    'core/actions',
    'core/events',
    'core/model',
    'core/plan',
    'core/reasons',
    'core/sizes',
    'core/text',
    'event',
    'groups-to-roll',
    'invocation',
    'look',
    'orders',
    'pace',
    'progress',
  ],
  'roll-in-real-time': [
    'clock',
    'contract',
    'core',
    'core/reasons',
    'event',
    'invocation',
    'journal',
    'lambda-process',
    'look',
    'metrics',
    'look-act-loop',
    'sequence',
  ],
  handler: ['contract', 'core', 'event', 'lambda-process', 'look', 'roll-in-real-time', 'settings'],
  status: [
    'aws',
    'clock',
    'core',
    'core/launch-spec',
    'core/model',
    'event',
    'invocation',
    'look',
    'look-act-loop',
    'tags',
  ],
  history: ['core/model', 'picture', 'status'],
  widget: ['core', 'core/model', 'core/text', 'history', 'picture', 'status'],
  'widget-handler': ['aws', 'clock', 'contract', 'history', 'sequence', 'settings', 'status', 'widget'],
  terminations: ['aws', 'core', 'core/model', 'invocation', 'look'],
  'terminations-handler': [
    'aws',
    'clock',
    'contract',
    'core',
    'lambda-process',
    'metric-names',
    'settings',
    'terminations',
  ],
  'sequence-handler': [
    'aws',
    'contract',
    'core/sequence',
    'lambda-process',
    'metric-names',
    'sequence',
    'settings',
  ],
  'orders-handler': ['clock', 'lambda-process', 'orders', 'settings'],
  index: ['handler', 'orders-handler', 'widget-handler'],
};

/** Ordered lists of rules: the first that has something to say decides. */
const LISTS: ReadonlySet<string> = new Set([
  'decide.ts',
  'forward.ts',
  'abort.ts',
  'drain/drain.ts',
  'replace/finish.ts',
  'rollback/roll-back.ts',
  'rollback/replace-failed.ts',
  'plan/plan.ts',
]);

/** What many rules end in: an answer or a wait that is the same for all, a detach, a tag taken off. */
const WAITS_AND_STEPS: ReadonlySet<string> = new Set([
  'awaitUnknown',
  'blockedByUnproven',
  'waitForEnding',
  'waitForOthers',
  'waitForReadiness',
  'detach',
  'detachAndShrink',
  'forget',
  'nothingToGoBackTo',
  'unmark',
]);

/** What a file imports, types too: paths from the project's root, or names of packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [
    ...text.matchAll(/^(?:(?:import|export|\})[^';]*\bfrom |import )'([^'\n]+)'|\bimport\('([^']+)'\)/gm),
  ].flatMap(([, named, dynamic]) => named ?? dynamic ?? []);
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier,
  );
}

/** Each file with those of its imports that may not be. */
function offences(files: readonly string[], mayImport: (imported: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !mayImport(imported))
      .map((imported) => `${file} imports ${imported}`),
  );
}

/** The room of a file of `lambda/`. */
function roomOf(file: string): string {
  const [, ...parts] = file.split('/');
  const folders = parts.slice(0, -1);
  return folders.length === 0 ? (parts[0] ?? '').replace('.ts', '') : folders.join('/');
}

/** A file, what it imports and so on, back to the file; empty where there is no way back. */
function circleFrom(file: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const from = new Map<string, string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const imported of graph.get(next) ?? []) {
      if (imported === file) return pathTo(next, from, file);
      if (!from.has(imported)) open.push(imported);
      from.set(imported, from.get(imported) ?? next);
    }
  }
  return [];
}

function pathTo(last: string, from: ReadonlyMap<string, string>, first: string): string[] {
  const path = [first];
  for (let at: string | undefined = last; at !== undefined && at !== first; at = from.get(at))
    path.unshift(at);
  return [first, ...path];
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isSdk = (name: string) => /^@(aws-sdk|smithy)\//.test(name);

describe('imports go one way', () => {
  const files = sourceFiles('lambda');

  test('each file is in a room that is listed, and each room that is listed has files', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
  });

  test('a room imports only the rooms that it may', () => {
    const found = files.flatMap((file) => {
      const may = [roomOf(file), ...(ROOMS[roomOf(file)] ?? [])];
      return offences([file], (imported) => !isIn('lambda')(imported) || may.includes(roomOf(imported)));
    });
    expect(found).toEqual([]);
  });

  test('a room may import only rooms listed above it or beside it, and no arrow is listed that nobody needs', () => {
    const used = new Set(
      files.flatMap((file) =>
        importsOf(file)
          .filter(isIn('lambda'))
          .map((imported) => `${roomOf(file)} -> ${roomOf(imported)}`),
      ),
    );
    const arrows = Object.entries(ROOMS).flatMap(([room, others]) =>
      others.map((other) => ({ room, other })),
    );
    expect(arrows.filter(({ room, other }) => !used.has(`${room} -> ${other}`))).toEqual([]);
    const order = Object.keys(ROOMS);
    expect(arrows.filter(({ room, other }) => order.indexOf(other) >= order.indexOf(room))).toEqual([]);
  });

  test('no file imports itself by way of others, types included', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file).filter(isIn('lambda'))]));
    expect(graph.get('lambda/core/decide.ts')?.length).toBeGreaterThan(10);
    expect(files.map((file) => circleFrom(file, graph)).filter((circle) => circle.length > 0)).toEqual([]);
  });

  test('lambda/core imports nothing outside itself', () => {
    expect(offences(sourceFiles('lambda/core'), isIn('lambda/core'))).toEqual([]);
  });

  test('lambda/core has no clock, no environment, no randomness and nothing asynchronous', () => {
    const impure =
      /\bDate\.now\b|new Date\(\)|\bprocess\.|Math\.random|\basync\b|\bawait\b|\bPromise\b|\bconsole\b/;
    const found = sourceFiles('lambda/core').filter((file) =>
      impure.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  test('rules are put in order by lists alone: a rule names no other rule, only waits and steps', () => {
    const decides = /export function (\w+)\([^{]*?\): Decision\b/gs;
    const core = sourceFiles('lambda/core');
    const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
    const rules = new Map(
      core.flatMap((file) => [...textOf(file).matchAll(decides)].map(([, name]) => [name, file] as const)),
    );
    expect(rules.size).toBeGreaterThan(40);
    const found = core.flatMap((file) => {
      const named = [...textOf(file).matchAll(/^import \{([^}]*)\} from/gms)]
        .flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
        .filter((name) => rules.has(name) && !WAITS_AND_STEPS.has(name));
      return LISTS.has(file.replace('lambda/core/', '')) ? [] : named.map((name) => `${file}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  test('the SDK is named in lambda/aws alone', () => {
    const elsewhere = [...files, ...sourceFiles('infra')].filter((file) => !isIn('lambda/aws')(file));
    expect(offences(elsewhere, (imported) => !isSdk(imported))).toEqual([]);
  });

  test('infra knows the names and the settings of the function only', () => {
    const isKnown = (imported: string) => ['contract', 'metric-names', 'settings'].includes(roomOf(imported));
    expect(
      offences(sourceFiles('infra'), (imported) => !isIn('lambda')(imported) || isKnown(imported)),
    ).toEqual([]);
  });

  test('the command line has calls of its own in cli/aws, and nobody imports it', () => {
    const cli = sourceFiles('cli');
    const elsewhere = cli.filter((file) => !isIn('cli/aws')(file));
    expect(offences(elsewhere, (imported) => !isSdk(imported))).toEqual([]);
    expect(offences([...files, ...sourceFiles('infra')], (imported) => !isIn('cli')(imported))).toEqual([]);
    // Loaded by `template` alone, as it needs the CDK.
    expect(offences(cli, (imported) => !isIn('infra')(imported))).toEqual([
      'cli/commands/template.ts imports infra/template.ts',
    ]);
  });

  test('the command line only looks: no room of lambda/ that it imports by itself changes AWS', () => {
    const may = [
      'aws',
      'clock',
      'contract',
      'core',
      'core/group',
      'core/launch-spec',
      'core/model',
      'core/reasons',
      'core/sequence',
      'core/text',
    ];
    const also = [
      'event',
      'history',
      'invocation',
      'look',
      'orders',
      'picture',
      'look-act-loop',
      'sequence',
      'settings',
      'status',
      'tags',
    ];
    const isMay = (imported: string) =>
      !isIn('lambda')(imported) || [...may, ...also].includes(roomOf(imported));
    expect(offences(sourceFiles('cli'), isMay)).toEqual([]);
  });

  test('what is shipped never imports tests', () => {
    const shipped = [...files, ...sourceFiles('infra'), ...sourceFiles('cli')];
    expect(offences(shipped, (imported) => !isIn('test')(imported))).toEqual([]);
  });
});

/** `decide.left-out.test.ts` tests an aspect of `decide.ts`. */
describe('tests mirror the rooms', () => {
  const mirrored = ['core', 'look', 'act', 'tags', 'settings', 'aws', 'orders', 'picture', 'history'];
  const tests = mirrored
    .filter((folder) => existsSync(join(ROOT, 'test', folder)))
    .flatMap((folder) => sourceFiles(join('test', folder)))
    .filter((file) => file.endsWith('.test.ts'));
  const subjectOf = (file: string) =>
    file.replace(/^test\//, 'lambda/').replace(/(?:\.[\w-]+)*\.test\.ts$/, '.ts');

  test('each test of a room has the place and name of the file that it tests', () => {
    expect(tests.length).toBeGreaterThan(60);
    expect(tests.filter((file) => !existsSync(join(ROOT, subjectOf(file))))).toEqual([]);
  });
});

const MANIFEST = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});

describe('the simulated AWS is a package of its own', () => {
  const folder = 'test/simulated-aws';
  const files = sourceFiles(folder);
  const manifest = (path: string) => z.parse(MANIFEST, JSON.parse(readFileSync(join(ROOT, path), 'utf8')));
  const { dependencies, devDependencies, peerDependencies } = manifest(`${folder}/package.json`);

  test('it imports only itself and what its package.json names', () => {
    const named = new Set(Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }));
    const packageOf = (imported: string) => /^(@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? '';
    const may = (imported: string) =>
      isIn(folder)(imported) || imported.startsWith('node:') || named.has(packageOf(imported));
    expect(files.length).toBeGreaterThan(250);
    expect(offences(files, may)).toEqual([]);
  });

  // It is AGPL-3.0: whoever doesn't have permissions checked needs neither install nor load it.
  test('the simulation of IAM is loaded by iam/permissions.ts alone', () => {
    const found = offences(files, (imported) => !imported.startsWith('@cloud-copilot/'));
    expect(found.filter((offence) => !/^\S+\/iam\/iam(\.test)?\.ts /.test(offence))).toEqual([]);
    const loading = files.filter((file) =>
      /from '[./]*(iam\/)?iam\.ts'/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(loading.sort()).toEqual([`${folder}/iam/iam.test.ts`, `${folder}/iam/permissions.ts`]);
    const byPermissions = files.filter((file) =>
      /^import \{[^}]*\benforce\b[^}]*\} from/m.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(byPermissions.filter((file) => !file.endsWith('.test.ts'))).toEqual([
      `${folder}/world/wire-set-up.ts`,
    ]);
  });

  test('it speaks of no name of this product', () => {
    const named = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('ecs-ami-deploy'));
    expect(named).toEqual([]);
  });

  test('it is tested with the versions that it names', () => {
    const root = manifest('package.json');
    const installed = { ...root.dependencies, ...root.devDependencies };
    expect(installed).toMatchObject({ ...dependencies, ...devDependencies, ...peerDependencies });
  });
});
