import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';

/** One event of a log. */
export interface LogEvent {
  readonly id: string;
  readonly at: Date;
  readonly message: string;
}

/** The events of a log group since a time, oldest first. */
export async function logEvents(logGroupName: string, since: Date): Promise<LogEvent[]> {
  const client = new CloudWatchLogsClient({});
  const found: LogEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(
      new FilterLogEventsCommand({ logGroupName, startTime: since.getTime(), nextToken }),
    );
    for (const { eventId = '', timestamp = 0, message = '' } of page.events ?? [])
      found.push({ id: eventId, at: new Date(timestamp), message });
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found.sort((a, b) => a.at.getTime() - b.at.getTime());
}
