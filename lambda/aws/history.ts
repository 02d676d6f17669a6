import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';

/** A page may be empty although more follow; so many of them are enough for a fortnight of rolls. */
const MOST_PAGES = 50;

/** The lines of a log group since a time, oldest first; of more than that many pages, the first. */
export async function readHistory(
  logGroupName: string,
  since: Date,
  client = new CloudWatchLogsClient({}),
): Promise<string[]> {
  const lines: string[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MOST_PAGES && (page === 0 || nextToken !== undefined); page++) {
    const input = { logGroupName, startTime: since.getTime(), nextToken };
    const { events = [], ...rest } = await client.send(new FilterLogEventsCommand(input));
    lines.push(...events.flatMap(({ message }) => message ?? []));
    ({ nextToken } = rest);
  }
  return lines;
}
