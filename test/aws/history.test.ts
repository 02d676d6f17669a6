import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, test } from 'vitest';
import { readHistory } from '../../lambda/aws/history.ts';
import { mocked } from './mocked.ts';

const logs = mocked(CloudWatchLogsClient);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-23T12:00:00Z');
const since = (days: number) => new Date(NOW - days * DAY);
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();

/**
 * A log group as CloudWatch keeps it: both times are included, a page is in order, and some are empty.
 *
 * @param lines each is the time when it came
 */
function keeps(lines: readonly string[], { perPage = 10, emptyFirst = 0 } = {}) {
  logs.on(FilterLogEventsCommand).callsFake((input: FilterLogEventsCommandInput) => {
    const { startTime = 0, endTime = Number.POSITIVE_INFINITY, nextToken = '0' } = input;
    const found = lines
      .map((message) => ({ message, timestamp: Date.parse(message), ingestionTime: Date.parse(message) + 7 }))
      .filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime)
      .sort((a, b) => a.timestamp - b.timestamp);
    const page = Number(nextToken);
    const from = (page - emptyFirst) * perPage;
    const isMore = from + perPage < found.length;
    return {
      events: found.slice(Math.max(0, from), Math.max(0, from + perPage)),
      ...(isMore && { nextToken: String(page + 1) }),
    };
  });
}

async function read(days: number, limits = {}) {
  const { lines, ...rest } = await readHistory('history', since(days), {
    mostPages: 50,
    now: new Date(NOW),
    ...limits,
  });
  return { lines: lines.map(({ message }) => message), ...rest };
}
const calls = () => logs.commandCalls(FilterLogEventsCommand).length;

describe('the history', () => {
  test('comes in its order, each line once, although it is read from its end', async () => {
    const lines = Array.from({ length: 14 * 24 }, (_, index) => ago(14 * DAY - index * HOUR));
    // As far as a day and others reach; one came late.
    const edges = [ago(DAY), ago(DAY + 1), ago(DAY - 1), new Date(NOW + 500).toISOString()];
    keeps([...lines, ...edges]);
    const { lines: told, missingBefore } = await read(14);
    expect(told).toEqual([...lines, ...edges].sort());
    expect(missingBefore).toBeUndefined();
  });

  test('tells when CloudWatch took in each line, which nobody else can set', async () => {
    keeps([ago(HOUR)]);
    const { lines } = await readHistory('history', since(14), { mostPages: 50, now: new Date(NOW) });
    expect(lines).toEqual([{ message: ago(HOUR), ingestedAt: NOW - HOUR + 7 }]);
  });

  test('takes few calls if there is little of it', async () => {
    keeps([ago(300 * DAY), ago(HOUR)]);
    expect((await read(14)).lines).toEqual([ago(HOUR)]);
    expect(calls()).toBeLessThanOrEqual(4);
    expect((await read(365)).lines).toEqual([ago(300 * DAY), ago(HOUR)]);
    expect(calls()).toBeLessThanOrEqual(4 + 9);
  });

  test('nothing is asked for before its time', async () => {
    keeps([]);
    await read(14);
    const starts = logs.commandCalls(FilterLogEventsCommand).map(({ args: [{ input }] }) => input.startTime);
    expect(Math.min(...starts.map(Number))).toBe(since(14).getTime());
  });

  test('is cut off at its beginning if it is too long, and says where', async () => {
    const lines = Array.from({ length: 14 * 24 * 60 }, (_, index) => ago(14 * DAY - index * 60_000));
    keeps(lines, { perPage: 100 });
    const { lines: told, missingBefore } = await read(14);
    expect(calls()).toBeLessThanOrEqual(50);
    expect(missingBefore).toBeDefined();
    expect(told.length).toBeGreaterThan(1000);
    expect(told).toEqual(lines.filter((line) => Date.parse(line) >= Number(missingBefore)));
  });

  test('a day that is too full for it is read from its end, too', async () => {
    const lines = Array.from({ length: 24 * 60 }, (_, index) => ago(DAY - index * 60_000));
    keeps(lines, { perPage: 10 });
    const { lines: told, missingBefore } = await read(14);
    expect(told.length).toBeGreaterThan(100);
    expect(told).toEqual(lines.filter((line) => Date.parse(line) >= Number(missingBefore)));
  });

  test('is cut off at its beginning if its lines take more room than there is', async () => {
    const lines = Array.from({ length: 14 * 24 }, (_, index) => ago(14 * DAY - index * HOUR));
    keeps(lines, { perPage: 100 });
    const mostCharacters = 100 * ago(0).length;
    const { lines: told, missingBefore } = await read(14, { mostCharacters });
    expect(told.length).toBeGreaterThan(50);
    expect(told.length).toBeLessThanOrEqual(100);
    expect(told).toEqual(lines.filter((line) => Date.parse(line) >= Number(missingBefore)));
  });

  test('goes on behind empty pages', async () => {
    keeps([ago(HOUR)], { emptyFirst: 3 });
    expect((await read(1)).lines).toEqual([ago(HOUR)]);
  });

  test('a page that never ends leaves it empty, and it says so', async () => {
    logs.on(FilterLogEventsCommand).resolves({ events: [], nextToken: 'more' });
    expect(await read(14)).toEqual({ lines: [], missingBefore: new Date(NOW) });
    expect(calls()).toBe(50);
  });

  test('is given up when its time is over', async () => {
    keeps([ago(HOUR), ago(2 * DAY)]);
    expect(await read(14, { seconds: 0 })).toEqual({ lines: [], missingBefore: new Date(NOW) });
  });
});
