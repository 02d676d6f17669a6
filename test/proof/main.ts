/** `npm run prove`: thousands of rolls with everything that may go wrong, and a report. See `--help`. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import '../quiet-sdk.ts';
import { Command, Option } from 'commander';
import { wholeNumber } from '../simulated-aws/serve/values.ts';
import type { Done } from './jobs.ts';
import { hashOfLoaded } from './loaded.ts';
import { originOf } from './origin.ts';
import { type RollOutcome, SECTIONS, type Section } from './outcome.ts';
import { type Extent, jobsOf } from './plan.ts';
import { startProgress } from './progress.ts';
import { parseReplay } from './replay.ts';
import { commandOf, firstLine, reportOf } from './report.ts';
import { describeSeeds, FIXED, parseSeeds, type Seeds } from './seeds.ts';
import { howToGoOn, openSittings } from './sittings.ts';
import { shareOut } from './workers.ts';

const REPORT = fileURLToPath(new URL('../../RELIABILITY.md', import.meta.url));

interface ProveOptions extends Omit<Extent, 'seed'> {
  readonly seed: Seeds;
  readonly rules: number;
  readonly only?: Section | 'mutations';
  readonly threads: number;
  readonly replay?: ReturnType<typeof parseReplay>;
  readonly report: string;
  readonly minutes: number;
}

/** At most this many failures are listed one by one; the report has more. */
const TOLD = 20;

const options = new Command('npm run prove --')
  .description(
    'Rolls simulated clusters, killed at every call, in bad weather and by several invocations at once, and writes what ' +
      'it came to. The exit status is 0 only if every invariant held in every roll.',
  )
  .option('--rolls <count>', 'rolls in bad weather', wholeNumber(1, 1_000_000), 10_000)
  .addOption(
    new Option('--seed <number>', 'of the first roll in bad weather; fresh: some that no run had before')
      .argParser(parseSeeds)
      .default(FIXED, String(FIXED.first)),
  )
  .option(
    '--share <count>',
    'try one in so many of the kills and orders; 1: all of them',
    wholeNumber(1, 12),
    1,
  )
  .option(
    '--rules <count>',
    'break one in so many of the rules, which takes a minute each; 1: all of them',
    wholeNumber(1, 100),
    1,
  )
  .addOption(
    new Option('--only <part>', 'one part of the proof; no report').choices([...SECTIONS, 'mutations']),
  )
  .option(
    '--minutes <count>',
    'begins nothing more after so long; the same command goes on from there, as long as lambda/ stays the same, and what rolls load of test/, or the test that caught a broken rule, and all is committed',
    wholeNumber(1, 100_000),
    100_000,
  )
  .option('--threads <count>', 'processors to use', wholeNumber(1, 64), availableParallelism())
  .option(
    '--replay <roll>',
    'do one roll again, by its seed or what a failure named, and print its whole log',
    parseReplay,
  )
  .addOption(new Option('--report <file>', 'where the report goes').default(REPORT, 'RELIABILITY.md'))
  .allowExcessArguments(false)
  .showHelpAfterError('All options: npm run prove -- --help')
  .parse()
  .opts<ProveOptions>();

process.exitCode = (await (options.replay === undefined ? prove(options) : tellOfOne(options.replay)))
  ? 0
  : 1;

/** @returns whether all held */
async function prove({
  only,
  report,
  minutes,
  rules: everyRule,
  seed: seeds,
  ...extent
}: ProveOptions): Promise<boolean> {
  const origin = await originOf(new Date());
  const until = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > until;
  const sittings = await openSittings(origin, await hashOfLoaded());
  const outcomes: RollOutcome[] = [];
  const seconds: Partial<Record<Section, number>> = {};
  let left = 0;
  for (const section of SECTIONS) {
    if (only !== undefined && only !== section) continue;
    if (section === 'storm' || section === 'groups')
      process.stdout.write(`${section}: ${describeSeeds(seeds, extent.rolls, section)}\n`);
    const jobs = jobsOf(section, { seed: seeds.first, rolls: extent.rolls, share: extent.share });
    const progress = startProgress(section, jobs.length);
    const take = (done: Done) => {
      tellBroken(done.outcomes, outcomes.filter(isBroken).length);
      outcomes.push(...done.outcomes);
      seconds[section] = (seconds[section] ?? 0) + done.seconds;
      progress.tell(done.outcomes);
    };
    const kept = jobs.flatMap((job) => sittings.done<Done>(job) ?? []);
    const due = jobs.filter((job) => sittings.done(job) === undefined);
    left += due.length;
    for (const done of kept) take(done);
    await shareOut(due, extent.threads, isOver, async (job, done) => {
      await sittings.keep(job, done);
      left--;
      take(done);
    });
    progress.end();
  }
  const breakRules = async (every: number) => {
    // Loaded only if it is needed: it copies the repository.
    const { breakEach } = await import('./mutations/sitting.ts');
    return breakEach(every, {
      sittings: await openSittings(origin, 'rules'),
      isOver,
      workers: extent.threads,
    });
  };
  const isWanted = only === undefined || only === 'mutations';
  const rules = isWanted ? await breakRules(everyRule) : { mutations: [], left: 0 };
  const { mutations } = rules;
  left += rules.left;
  if (left > 0) {
    process.stdout.write(`${left} parts are left: ${howToGoOn(sittings, seeds)}\n`);
    return false;
  }
  // The threads end their jobs in any order.
  outcomes.sort((a, b) => a.replay.localeCompare(b.replay, 'en', { numeric: true }));
  const shares = { share: extent.share, rules: everyRule };
  const text = reportOf({ origin, seeds, ...shares, outcomes, seconds, mutations });
  if (only === undefined) await writeFile(report, text);
  process.stdout.write(only === undefined ? `${report}\n` : `\n${text}`);
  return !outcomes.some(isBroken) && mutations.every(({ caughtBy }) => caughtBy !== undefined);
}

function isBroken({ broken }: RollOutcome): boolean {
  return broken.length > 0;
}

/** As soon as they are: a whole proof takes long. */
function tellBroken(outcomes: readonly RollOutcome[], toldBefore: number): void {
  for (const outcome of outcomes.filter(isBroken).slice(0, Math.max(0, TOLD - toldBefore)))
    process.stderr.write(`${commandOf(outcome)}\n  ${firstLine(outcome.broken[0] ?? '')}\n`);
}

async function tellOfOne(replay: () => Promise<RollOutcome>): Promise<boolean> {
  const { name, weathers, log, faults, endedIn, checked, broken } = await replay();
  const told = [
    `${name}${weathers.length > 0 ? `, in ${weathers.join(', ')}` : ''}`,
    ...log,
    `${endedIn}; ${checked} checks; ${Object.entries(faults)
      .map(([fault, count]) => `${count} ${fault}`)
      .join(', ')}`,
    ...broken,
  ];
  process.stdout.write(`${told.join('\n')}\n`);
  return broken.length === 0;
}
