import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ora from 'ora';
import picocolors from 'picocolors';
import { pageOf } from '../../lambda/picture/page.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import type { DemoOptions } from './main.ts';
import { record } from './recording.ts';
import { failuresOf, type Report } from './report.ts';
import { type Roll, startRoll } from './run.ts';
import { scaleIn } from './scale-in.ts';
import { show, terminalColors, terminalColumns, watchReaders } from './screen.ts';
import { playedText, reportTable } from './table.ts';

const BUILD = fileURLToPath(new URL('../../infra/build.ts', import.meta.url));

/** Rolls, shows it, and says what it came to. @returns the exit status */
export async function demonstrate(options: DemoOptions): Promise<number> {
  const stop = new AbortController();
  // More than once: a terminal signals the whole process group, and then npm and tsx pass it on.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));
  // As a process that SIGPIPE ends, but not before what it has started is ended.
  const unread = new Error('nobody reads the output');
  watchReaders(() => stop.abort(unread));
  try {
    return await demonstrated(options, stop.signal);
  } catch (error) {
    // What was broken off rejects with an error of its own.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
    if (cause !== unread) process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
    return cause === unread ? 141 : stop.signal.aborted ? 130 : 1;
  }
}

async function scaledIn(options: DemoOptions, signal: AbortSignal): Promise<number> {
  const lost = await scaleIn(options, (line) => process.stdout.write(`${line}\n`), signal);
  return lost === 0 ? 0 : 1;
}

async function staged(options: DemoOptions, signal: AbortSignal): Promise<number> {
  // What nobody else needs takes a second to load.
  const { showStages } = await import('./stages.ts');
  const tell = (line: string) => void process.stdout.write(`${line}\n`);
  // In a pipe nothing is cut, as by the command line itself.
  const columns = process.stdout.isTTY ? terminalColumns() : Number.POSITIVE_INFINITY;
  const canvas = { columns, colors: terminalColors() };
  const failures = await showStages(options, { tell, canvas }, signal);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length === 0) process.stdout.write(NEXT_OF_STAGES);
  return failures.length === 0 ? 0 : 1;
}

const NEXT_OF_STAGES = 'Next: docs/stages.md has the file of a few lines that this takes\n';

async function demonstrated(options: DemoOptions, signal: AbortSignal): Promise<number> {
  if (options.stages) return staged(options, signal);
  if (options.build) await build(signal);
  if (options.scaleIn) return scaledIn(options, signal);
  const roll = await startRoll(options, signal);
  const { html } = options;
  const recording = html === undefined ? undefined : record(roll);
  const report = await watch(roll, options.interactive ? guideTo(roll) : []);
  if (html !== undefined && recording !== undefined)
    await writeFile(html, pageOf('A simulated roll by ecs-ami-deploy', [recording.picture(report)]));
  return conclude(report, options);
}

async function build(signal: AbortSignal): Promise<void> {
  const color = picocolors.isColorSupported && 'cyan';
  const text = 'Building the function';
  const spinner = ora({ text, stream: process.stderr, color, discardStdin: false });
  if (process.stderr.isTTY) spinner.start();
  else process.stderr.write(`${text}\n`);
  try {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', BUILD], { signal });
  } finally {
    spinner.stop();
  }
}

const LEVERS = 'npm run demo -- --interactive     the levers in your hand';
const OUTSIDE = [
  'npm run smoke -- --plan           what a test in your account would create',
  'npx cdk deploy -c clusters=<name> deploys it; docs/how-to.md has the rest',
];

function nextText({ interactive }: DemoOptions): string {
  const all = interactive ? OUTSIDE : [LEVERS, ...OUTSIDE];
  return `\nNext: ${all.join('\n      ')}\n`;
}

/** What whoever plays may type. */
function guideTo({ endpoint }: Roll): string[] {
  return [
    `npx ecs-ami-deploy --region ${DEFAULT_REGION} --endpoint ${endpoint} pause`,
    'in a second terminal, in this folder: you have the levers. Or resume, status, plan, rollback, abort, logs --follow, history. The first roll asks nobody. After each end a newer image is announced, for skip or roll; that roll asks after its trial, and status says how to approve or refuse. Ctrl-C here ends it.',
    '',
  ];
}

async function watch(roll: Roll, heading: readonly string[]): Promise<Report> {
  const hide = show(roll, heading);
  try {
    return await roll.report;
  } finally {
    hide();
  }
}

async function conclude(report: Report, options: DemoOptions): Promise<number> {
  const canvas = { columns: terminalColumns(), colors: terminalColors() };
  if (options.interactive) process.stdout.write(`\n${playedText(report)}\n`);
  else process.stdout.write(`\n${reportTable(report, options, canvas)}\n`);
  if (options.report !== undefined)
    await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`);
  const failures = failuresOf(report, options);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length === 0) process.stdout.write(nextText(options));
  return failures.length === 0 ? 0 : 1;
}
