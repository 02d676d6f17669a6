/**
 * `npm run smoke`: the function in the caller's own AWS account, or what of that the simulated AWS can show.
 */

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import '../quiet-sdk.ts';
import { Command } from 'commander';
import { callersAccount } from './account.ts';
import { realClock } from './clock.ts';
import { gather, writeFixtures } from './fixtures.ts';
import { findImages } from './images.ts';
import { STEPS } from './make/steps.ts';
import {
  answersCount,
  answersText,
  CLEAN,
  findingsTable,
  givenUpText,
  isGood,
  lacksText,
  planText,
  removalText,
  troubleText,
} from './report.ts';
import { BrokenOff, clean, type Leftover, lacking, type Outcome, runSmoke } from './runner.ts';
import type { Smoke } from './smoke.ts';

interface SmokeOptions {
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly clean?: boolean;
  readonly simulated?: boolean;
  readonly endpoint?: string;
  readonly only?: string[];
  readonly fixtures: string;
}

const ECHO_MS = 2000;

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

const program = new Command('npm run smoke --')
  .description(
    'Tries the function in your own AWS account, by your own credentials and Region (AWS_PROFILE, AWS_REGION): makes a ' +
      'small cluster, rolls it, rolls it back, tells what AWS does meanwhile, and removes everything. --plan says what that costs.',
  )
  .option('--plan', 'say what would be made, what it costs and what is removed; change nothing')
  .option('--yes', 'do it')
  .option('--clean', 'remove what a run has left')
  .option('--simulated', 'in a simulated account, in virtual time')
  .option('--endpoint <url>', 'of something that stands for AWS')
  .option(
    '--only <names...>',
    `make and remove only these, and try nothing: ${STEPS.map(({ name }) => name).join(', ')}`,
  )
  .option('--fixtures <folder>', 'where to write the answers of AWS', FIXTURES)
  .allowExcessArguments(false)
  .showHelpAfterError('All options: npm run smoke -- --help')
  .parse();

const options = program.opts<SmokeOptions>();
if ([options.plan, options.yes, options.clean].filter(Boolean).length !== 1)
  program.error('error: exactly one of --plan, --yes and --clean is needed');
if (options.endpoint !== undefined) process.env.AWS_ENDPOINT_URL = options.endpoint;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const say = (line: string) => print(`${new Date().toISOString().slice(11, 19)} ${line}`);
const answers = gather();

const stop = new AbortController();
let remaining: readonly string[] = [];
let stoppedAtMs = 0;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopBy(name));
// A terminal that was closed takes no more lines, and the removal goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());

function stopBy(name: string) {
  if (stop.signal.aborted) return name === 'SIGINT' ? giveUp() : undefined;
  stoppedAtMs = Date.now();
  say(`${name}: removing what was made, which takes some minutes; once more to give up`);
  stop.abort(new BrokenOff(name));
}

/** npm passes a terminal's signal on once more. */
function giveUp() {
  if (Date.now() - stoppedAtMs < ECHO_MS || remaining.length === 0) return;
  print(givenUpText(remaining));
  process.exit(130);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${troubleText(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  if (options.simulated) return inSimulation();
  const { signal } = stop;
  const smoke = callersAccount({ clock: realClock(signal), signal, say, tell: answers.tell });
  const cleaner = callersAccount({ clock: realClock(), say });
  return act(smoke, cleaner);
}

async function inSimulation(): Promise<number> {
  const { signal } = stop;
  // Only now: it synthesizes the stack, which takes longer than all complaints.
  const { simulatedAccount } = await import('./simulated.ts');
  const { smoke, cleaner, drive } = simulatedAccount({ say, signal, tell: answers.tell });
  return drive(act(smoke, cleaner));
}

async function act(smoke: Smoke, cleaner: Smoke): Promise<number> {
  const steps = chosenSteps();
  const following = (names: readonly string[]) => {
    remaining = names;
  };
  if (options.clean) {
    say(`looks in ${await cleaner.place()} for what is left`);
    return concludeCleaning(await clean(cleaner, steps, following));
  }
  const lacks = await lacking(smoke, steps);
  if (options.plan) return plan(smoke, lacks);
  if (lacks.length > 0) throw new Error(`${lacksText(lacks)}\nNothing was made.`);
  const checks = options.only === undefined ? {} : { checks: [] };
  say(`If this is killed: ${CLEAN}`);
  return conclude(await runSmoke(smoke, { steps, ...checks, cleaner, remaining: following }));
}

function chosenSteps() {
  const { only } = options;
  const unknown = only?.find((wanted) => !STEPS.some(({ name }) => name === wanted));
  if (unknown !== undefined)
    throw new Error(`There is no step ${unknown}; there are ${STEPS.map(({ name }) => name).join(', ')}`);
  return STEPS.filter(({ name }) => only?.includes(name) ?? true);
}

async function plan(smoke: Smoke, lacks: readonly string[]): Promise<number> {
  const logPolicies = await smoke.logs.policies();
  print(planText(await smoke.place(), await findImages(smoke), logPolicies, lacks));
  return lacks.length === 0 ? 0 : 1;
}

function concludeCleaning(leftovers: readonly Leftover[]): number {
  print(removalText(leftovers));
  return leftovers.length === 0 ? 0 : 1;
}

function conclude(outcome: Outcome): number {
  if (outcome.findings.length > 0)
    print(
      `${findingsTable(outcome.findings)}\n${isOfRealAccount() ? answersText(outcome.findings) : answersCount(outcome.findings)}`,
    );
  if (isOfRealAccount()) writeFixtures(options.fixtures, answers.fixtures());
  print(removalText(outcome.leftovers));
  return isGood(outcome) ? 0 : 1;
}

/** Fixtures only hold what AWS itself answers, unless somebody asks for their own folder. */
function isOfRealAccount(): boolean {
  const isStandIn = options.simulated || process.env.AWS_ENDPOINT_URL !== undefined;
  return !isStandIn || options.fixtures !== FIXTURES;
}
