import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { KeptLine } from '../core/model/roll-event.ts';

export interface History {
  /** Oldest first by their timestamps, without a gap. */
  readonly lines: readonly KeptLine[];
  /** What came before this time is too much to be read; absent if nothing is missing. */
  readonly missingBefore?: Date;
}

export interface HistoryLimits {
  readonly mostPages: number;
  /** Of the lines that are kept: they are parsed, and anybody's events may fill any number of pages. */
  readonly mostCharacters?: number;
  /** How long to read. */
  readonly seconds?: number;
  readonly now?: Date;
}

const DAY_MILLISECONDS = 86_400_000;
const SHORTEST_MILLISECONDS = 1000;

/** A slice of time that has more is read in smaller ones. */
const MOST_IN_SLICE = 10;

/**
 * The lines of a log group since a time. CloudWatch tells the oldest first, and a roll under way is in the
 * latest: so it is asked for one slice of time after the other, going back.
 */
export async function readHistory(
  logGroupName: string,
  since: Date,
  {
    mostPages,
    mostCharacters = Number.POSITIVE_INFINITY,
    seconds = Number.POSITIVE_INFINITY,
    now = new Date(),
  }: HistoryLimits,
  client = new CloudWatchLogsClient({}),
): Promise<History> {
  const giveUpAt = Date.now() + seconds * 1000;
  const slices: KeptLine[][] = [];
  let pages = 0;
  let room = mostCharacters;
  let span = DAY_MILLISECONDS;
  let readFrom = now.getTime();
  while (readFrom > since.getTime()) {
    const most = Math.min(MOST_IN_SLICE, mostPages - pages);
    const startTime = Math.max(since.getTime(), readFrom - span);
    // Both ends are included. A line may be dated by a clock ahead of ours.
    const endTime = slices.length === 0 && readFrom === now.getTime() ? undefined : readFrom - 1;
    const slice = { logGroupName, startTime, endTime };
    const { lines, taken, left } = await readSlice(slice, { most, room, giveUpAt }, client);
    pages += taken;
    if (left !== undefined) {
      room = left;
      slices.unshift(lines);
      readFrom = startTime;
      if (2 * taken <= MOST_IN_SLICE) span *= 2;
    } else {
      // Its latest lines are those that weren't told: with the others there would be a gap.
      if (pages >= mostPages || Date.now() >= giveUpAt)
        return { lines: slices.flat(), missingBefore: new Date(readFrom) };
      span = Math.max(SHORTEST_MILLISECONDS, Math.floor((readFrom - startTime) / 4));
    }
  }
  return { lines: slices.flat() };
}

interface Slice {
  readonly logGroupName: string;
  readonly startTime: number;
  readonly endTime: number | undefined;
}

/**
 * A page may be empty although more follow.
 *
 * @returns as `left` the room that is left, if it has read all of the slice
 */
async function readSlice(
  slice: Slice,
  { most, room, giveUpAt }: { readonly most: number; readonly room: number; readonly giveUpAt: number },
  client: CloudWatchLogsClient,
): Promise<{ readonly lines: KeptLine[]; readonly taken: number; readonly left: number | undefined }> {
  const lines: KeptLine[] = [];
  let nextToken: string | undefined;
  let left = room;
  let taken = 0;
  while (taken < most && left >= 0 && Date.now() < giveUpAt) {
    const page = await client.send(new FilterLogEventsCommand({ ...slice, nextToken }));
    taken++;
    for (const { message, ingestionTime, timestamp = 0 } of page.events ?? []) {
      if (message === undefined) continue;
      lines.push({ message, ingestedAt: ingestionTime ?? timestamp });
      left -= message.length;
    }
    ({ nextToken } = page);
    if (nextToken === undefined && left >= 0) return { lines, taken, left };
  }
  return { lines, taken, left: undefined };
}
