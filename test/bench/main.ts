/** `npm run bench`: how fast, how gently and at what cost clusters are rolled, beside other ways. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import '../quiet-sdk.ts';
import { Command, Option } from 'commander';
import { FUNCTION_MEMORY_MEGABYTES } from '../../infra/functions.ts';
import { describeOrigin, originOf } from '../proof/origin.ts';
import { wholeNumber } from '../simulated-aws/serve/values.ts';
import { type BenchCluster, CLUSTERS } from './clusters.ts';
import { CONTESTANTS, type Contestant } from './contestants.ts';
import { QUICK_SIZES, SIZES } from './decide.ts';
import { timeBuiltDecide } from './decide-built.ts';
import { describeFunction } from './function-table.ts';
import { measureIdle } from './idle.ts';
import { measureInvocation } from './memory.ts';
import { fill } from './pages.ts';
import { play } from './play.ts';
import { plotsOf } from './plots.ts';
import {
  type FunctionFigures,
  keyOf,
  merge,
  RESULTS,
  type Result,
  type Results,
  summarise,
} from './results.ts';
import { measureSequence, QUICK_STACKS, STACKS } from './sequence.ts';
import { fullTables } from './table.ts';
import { copeAll } from './troubles.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = `${ROOT}docs/bench/`;
const FILE = `${FOLDER}results.json`;
const PAGES = ['README.md', 'docs/bench.md'];

interface BenchOptions {
  readonly quick?: true;
  readonly most: number;
  readonly least: number;
  readonly seeds: number;
  readonly who?: string;
  readonly only?: (typeof PARTS)[number];
}

const PARTS = ['rolls', 'troubles', 'decide', 'idle', 'memory', 'sequence'] as const;

const QUICK_MOST = 20;
/** Each way in each trouble takes hours of a world's time. */
const TROUBLE_SEEDS = [1, 2, 3];

const { quick, only, ...options } = new Command('npm run bench --')
  .description(
    'Rolls simulated clusters in virtual time, by this project and by others, and writes docs/bench/.',
  )
  .option('--quick', 'small clusters by one seed; writes nothing and fails if a roll of ours fails')
  .option('--most <instances>', 'no larger clusters', wholeNumber(1, 10_000), 250)
  .option('--least <instances>', 'no smaller clusters', wholeNumber(1, 10_000), 1)
  .option('--seeds <count>', 'worlds in which each rolls each cluster', wholeNumber(1, 1000), 10)
  .option('--who <name>', 'only those whose name has this in it')
  .addOption(new Option('--only <part>', 'one part of the bench').choices(PARTS))
  .allowExcessArguments(false)
  .parse()
  .opts<BenchOptions>();

const origin = await originOf(new Date());
const figures: FunctionFigures = {
  ...(isAsked('decide') && { decide: await timeBuiltDecide(quick ? QUICK_SIZES : SIZES) }),
  ...(isAsked('idle') && { idle: await measureIdle() }),
  ...(isAsked('sequence') && { sequence: await measureSequence(quick ? QUICK_STACKS : STACKS) }),
  // By the built function, of which a quick look at rolls has no need.
  ...(isAsked('memory') && !quick && { invocations: await measureInvocations() }),
};
if (only !== 'rolls') process.stdout.write(`${describeFunction(figures)}\n\n`);
const troubles =
  isAsked('troubles') && !quick ? await copeAll(inTrouble(), CONTESTANTS, TROUBLE_SEEDS) : undefined;
if (!quick) await write([]);
if (isAsked('rolls')) {
  const results = await rollAll(quick ? { ...options, most: QUICK_MOST, seeds: 1 } : options);
  process.stdout.write(`\n${fullTables(results)}\n`);
  process.exitCode = results.every(isSound) ? 0 : 1;
}

function isAsked(part: (typeof PARTS)[number]): boolean {
  return only === undefined || only === part;
}

function inTrouble(): BenchCluster {
  const found = CLUSTERS.find(({ instances }) => instances === QUICK_MOST);
  if (found === undefined) throw new Error(`no cluster has ${QUICK_MOST} instances`);
  return found;
}

/** Of the smallest cluster and of the largest. */
async function measureInvocations() {
  const sorted = CLUSTERS.toSorted((a, b) => a.instances - b.instances);
  const found = [];
  for (const cluster of [sorted[0], sorted.at(-1)]) if (cluster) found.push(await measureInvocation(cluster));
  return found;
}

async function rollAll({
  most,
  least,
  seeds,
  who = '',
}: Omit<BenchOptions, 'quick' | 'only'>): Promise<Result[]> {
  const found: Result[] = [];
  for (const cluster of CLUSTERS.filter(({ instances }) => instances <= most && instances >= least)) {
    for (const contestant of contestantsFor(cluster).filter(({ name }) => name.includes(who)))
      found.push(await rollWith(cluster, contestant, seeds));
    // The large ones take long: what is there is kept if one of them is cut short.
    if (!quick) await write(found);
  }
  return found;
}

async function rollWith(cluster: BenchCluster, contestant: Contestant, count: number): Promise<Result> {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  const rolls = [];
  for (const seed of seeds) rolls.push(await play(cluster, contestant, seed));
  const result = summarise({ cluster, contestant, seeds, rolls, memoryMegabytes: FUNCTION_MEMORY_MEGABYTES });
  process.stdout.write(`${keyOf(result)}: ${result.endings.join(', ')}, ${result.makespanSeconds} s\n`);
  return result;
}

function contestantsFor(cluster: BenchCluster): Contestant[] {
  return CONTESTANTS.filter(({ rolls }) => rolls?.(cluster) ?? true);
}

/** Others may fail: that is what is told of them. */
function isSound({ source, endings, broken }: Result): boolean {
  return source !== undefined || (broken === 0 && endings.every((ending) => ending === 'completed'));
}

async function write(now: readonly Result[]): Promise<void> {
  const order = CLUSTERS.flatMap((cluster) =>
    CONTESTANTS.map((contestant) => keyOf({ cluster: cluster.name, contestant: contestant.name })),
  );
  const text = await readFile(FILE, 'utf8').catch(() => undefined);
  const before = text === undefined ? undefined : RESULTS.parse(JSON.parse(text));
  const all: Results = {
    measured: describeOrigin(origin),
    function: { ...before?.function, ...figures },
    troubles: troubles ?? before?.troubles,
    results: merge(before?.results ?? [], now, order),
  };
  await mkdir(FOLDER, { recursive: true });
  await writeFile(FILE, `${JSON.stringify(all, undefined, 1)}\n`);
  await show(all);
}

async function show(all: Results): Promise<void> {
  for (const page of PAGES) await writeFile(ROOT + page, fill(await readFile(ROOT + page, 'utf8'), all));
  const spread = CLUSTERS.filter(
    ({ placement, managedScaling, delays }) =>
      placement === 'spread' && !managedScaling && delays !== 'quick',
  );
  const sizes = new Map(spread.map(({ name, instances }) => [name, instances]));
  for (const { file, svg } of await plotsOf(all.results, sizes)) await writeFile(FOLDER + file, svg);
}
