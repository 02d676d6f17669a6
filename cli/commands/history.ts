import { writeFile } from 'node:fs/promises';
import { readHistory } from '../../lambda/aws/history.ts';
import { BESIDE_ENVIRONMENT } from '../../lambda/contract.ts';
import { type PastRoll, pastRolls } from '../../lambda/history/past-rolls.ts';
import { pictureOfPast } from '../../lambda/history/picture-of-past.ts';
import { pageOf } from '../../lambda/picture/page.ts';
import { elapsedText } from '../../lambda/picture/time-axis.ts';
import type { DeployedFunction } from '../aws/functions.ts';
import { neededFunction } from '../deployed.ts';
import { table } from '../layout.ts';
import { Complaint, EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { json, timeText } from '../text.ts';

export interface HistoryOptions extends Options {
  readonly group?: string;
  readonly limit: number;
  readonly since: Date;
  /** File to draw them in. */
  readonly html?: string;
}

/** The rolls there have been, the latest first, and how each ended. */
export async function history(options: HistoryOptions, terminal: Terminal): Promise<Exit> {
  const found = await neededFunction(options);
  const told = await terminal.waiting('reading the history', () => rollsOf(found, options.since));
  if (told === undefined)
    throw new Complaint(
      `${found.name} keeps no history; deploy it with the prop events, which is the default`,
    );
  if (told.missingBefore !== undefined)
    terminal.note(
      `The history is longer than is read: what it told before ${told.missingBefore.toISOString()} is left out.`,
    );
  const all = told.rolls.filter(({ group }) => options.group === undefined || group === options.group);
  const rolls = all.slice(0, options.limit);
  if (all.length > rolls.length)
    terminal.note(`The latest ${rolls.length} of ${all.length} rolls; --limit shows more.`);
  if (rolls.length > 0)
    terminal.note('As events tell of them, which whoever may put events on that bus can make up.');
  if (options.html !== undefined)
    await writeFile(
      options.html,
      pageOf(
        'Rolls by ecs-ami-deploy',
        rolls.map((roll) => pictureOfPast(roll)),
      ),
    );
  if (options.json) terminal.out(json(rolls));
  else
    terminal.out(
      rolls.length > 0
        ? table(terminal, HEAD, rolls.map(rowOf), {
            wraps: 'BECAUSE',
            cuts: ['FROM', 'TO'],
          })
        : 'No roll has been told of in this time.',
    );
  return EXIT.done;
}

/** A page is a megabyte at most, and may be empty. */
const MOST_PAGES = 500;

export interface ReadRolls {
  /** The latest first. */
  readonly rolls: readonly PastRoll[];
  /** What came before this time is too much to be read; absent if nothing is missing. */
  readonly missingBefore?: Date;
}

/** The rolls since a time; undefined if the function keeps no history. */
export async function rollsOf(
  { environment }: DeployedFunction,
  since: Date,
): Promise<ReadRolls | undefined> {
  const logGroup = environment[BESIDE_ENVIRONMENT.history];
  if (logGroup === undefined) return undefined;
  const { lines, ...rest } = await readHistory(logGroup, since, { mostPages: MOST_PAGES });
  return { rolls: pastRolls(lines), ...rest };
}

const HEAD = ['BEGAN', 'CLUSTER', 'GROUP', 'FROM', 'TO', 'TOOK', 'REPLACED', 'ENDED', 'BECAUSE'];

function rowOf(roll: PastRoll): string[] {
  const { startedAt, cluster, group, from, to, seconds, replaced, total, endedAt, ended, because } = roll;
  return [
    timeText(startedAt),
    cluster,
    group,
    from.join(', ') || '-',
    to.join(', ') || '-',
    seconds === undefined ? '-' : elapsedText(seconds),
    `${replaced} of ${total}`,
    endedAt === undefined ? `not yet (${ended})` : ended,
    because ?? '-',
  ];
}
