import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { type History, readHistory } from '../../lambda/aws/history.ts';
import { BESIDE_ENVIRONMENT } from '../../lambda/contract.ts';
import { type PastRoll, pastRolls } from '../../lambda/history/past-rolls.ts';
import { type PastTermination, pastTerminations } from '../../lambda/history/past-terminations.ts';
import { pictureOfPast } from '../../lambda/history/picture-of-past.ts';
import { pageOf } from '../../lambda/picture/page.ts';
import { elapsedText } from '../../lambda/picture/time-axis.ts';
import { countOf } from '../../lambda/status/words.ts';
import type { DeployedFunction } from '../aws/functions.ts';
import { neededFunction } from '../deployed.ts';
import { hanging, table } from '../layout.ts';
import { Complaint, EXIT, type Exit, type Options, type Page, type Terminal } from '../session.ts';
import { json, timeText } from '../text.ts';

export interface HistoryOptions extends Options {
  readonly group?: string;
  readonly limit: number;
  /** Milliseconds back from now. */
  readonly since: number;
  /** File to draw them in. */
  readonly html?: string;
  /** Instead of rolls: what was ended outside them. */
  readonly terminations?: true;
}

/** The rolls there have been, or the terminations outside them, the latest first, and how each ended. */
export async function history(options: HistoryOptions, terminal: Terminal): Promise<Exit> {
  const found = await neededFunction(options);
  const told = await terminal.waiting('reading the history', () => historyOf(found, options.since));
  if (told === undefined)
    throw new Complaint(
      `${found.name} keeps no history; deploy it with the prop events, which is the default`,
    );
  if (told.missingBefore !== undefined)
    terminal.note(
      `The history is longer than is read: what it told before ${timeText(told.missingBefore.toISOString())} is left out.`,
    );
  if (options.terminations) tellTerminations(pastTerminations(told.lines), options, terminal);
  else await tellRolls(pastRolls(told.lines), options, terminal);
  return EXIT.done;
}

async function tellRolls(
  told: readonly PastRoll[],
  options: HistoryOptions,
  terminal: Terminal,
): Promise<void> {
  const rolls = latestOf(told, 'rolls', options, terminal);
  if (options.html !== undefined) {
    const pictures = rolls.map((roll) => pictureOfPast(roll));
    await writeFile(options.html, pageOf('Rolls by ecs-ami-deploy', pictures));
    terminal.note(`${options.html} shows ${countOf(rolls.length, 'roll')}.`);
  }
  if (options.json) terminal.out(json(rolls));
  else terminal.out(rolls.length > 0 ? rollsText(rolls, terminal) : 'The history has no roll in this time.');
}

function tellTerminations(
  told: readonly PastTermination[],
  options: HistoryOptions,
  terminal: Terminal,
): void {
  const ended = latestOf(told, 'terminations', options, terminal);
  if (options.json) terminal.out(json(ended));
  else
    terminal.out(
      ended.length > 0
        ? table(terminal, TERMINATIONS_HEAD, ended.map(terminationRow), { wraps: 'WHAT' })
        : 'The history has no termination outside a roll in this time. `drainTerminations` drains them.',
    );
}

function latestOf<Told extends { readonly group: string }>(
  told: readonly Told[],
  noun: string,
  { group, limit }: HistoryOptions,
  terminal: Terminal,
): readonly Told[] {
  const all = told.filter((each) => group === undefined || each.group === group);
  if (all.length === 0 && told.length > 0) {
    const names = [...new Set(told.map((each) => each.group))].sort().join(', ');
    throw new Complaint(`the history has no ${noun} of ${group} in this time, only of ${names}`);
  }
  const latest = all.slice(0, limit);
  if (all.length > latest.length)
    terminal.note(`The latest ${latest.length} of ${all.length} ${noun}; --limit shows more.`);
  if (latest.length > 0)
    terminal.note('This is what events tell. Whoever may put events on their bus can make some up.');
  return latest;
}

/** A page is a megabyte at most, and may be empty. */
const MOST_PAGES = 500;

/** What was told since a time; undefined if the function keeps no history. */
export async function historyOf(
  { environment, now }: DeployedFunction,
  milliseconds: number,
): Promise<History | undefined> {
  const logGroup = environment[BESIDE_ENVIRONMENT.history];
  if (logGroup === undefined) return undefined;
  return readHistory(logGroup, new Date(now().getTime() - milliseconds), { mostPages: MOST_PAGES });
}

/** In a pipe a row for each; a terminal has no room for images and reasons beside the rest. */
export function rollsText(rolls: readonly PastRoll[], page: Page): string {
  const rows = rolls.map(rowOf);
  const { columns } = page;
  if (columns === undefined) return table(page, HEAD, rows);
  const without = (titles: readonly string[]) => {
    const isKept = (_: string, column: number) => !titles.includes(HEAD[column] ?? '');
    return table(
      page,
      HEAD.filter(isKept),
      rows.map((row) => row.filter(isKept)),
    ).split('\n');
  };
  const named = without(LONG);
  const isTooWide = named.some((line) => stripVTControlCharacters(line).length > columns);
  const [head, ...lines] = isTooWide ? without([...LONG, ...NAMES]) : named;
  const whole = rolls.flatMap(({ cluster, group, from, to, because }, index) => [
    lines[index],
    ...(isTooWide ? [hanging(page, '  ', `${cluster} ${group}`)] : []),
    ...(from.length + to.length === 0
      ? []
      : [hanging(page, '  ', `${from.join(', ') || '-'} → ${to.join(', ') || '-'}`)]),
    ...(because === undefined ? [] : [hanging(page, '  because: ', because, { indent: 4 })]),
  ]);
  return [head, ...whole].join('\n');
}

/** Names are never cut: too long ones get a line of their own. */
const NAMES = ['CLUSTER', 'GROUP'];
const LONG = ['FROM', 'TO', 'BECAUSE'];
const HEAD = ['BEGAN', 'CLUSTER', 'GROUP', 'FROM', 'TO', 'TOOK', 'REPLACED', 'ENDED', 'BECAUSE'];

function rowOf(roll: PastRoll): string[] {
  const { startedAt, cluster, group, from, to, seconds, replaced, total, ended, last, because } = roll;
  return [
    timeText(startedAt),
    cluster,
    group,
    from.join(', ') || '-',
    to.join(', ') || '-',
    seconds === undefined ? '-' : elapsedText(seconds),
    `${replaced} of ${total}`,
    ended ?? `not yet (${last})`,
    because ?? '-',
  ];
}

const TERMINATIONS_HEAD = ['ENDED', 'CLUSTER', 'GROUP', 'INSTANCE', 'TOOK', 'HOW', 'WHAT'];

function terminationRow({ at, cluster, group, instanceId, seconds, ended, text }: PastTermination): string[] {
  const took = seconds === undefined ? '-' : elapsedText(seconds);
  return [timeText(at), cluster, group, instanceId, took, ended, text.replace(`${cluster}/${group}: `, '')];
}
