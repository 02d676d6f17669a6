/** A log group, with what was written to it, first to last. */
export interface LogGroup {
  readonly events: LogLine[];
  /** How many there are in a page at most. */
  eventsInPage: number;
}

export interface LogLine {
  /** Both when it occurred and when it was ingested. */
  readonly atMs: number;
  readonly message: string;
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
const EVENTS_IN_PAGE = 10_000;

export const newLogGroup = (): LogGroup => ({ events: [], eventsInPage: EVENTS_IN_PAGE });
