import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
export function logOperations(state: State): Operation[] {
  return [
    on(
      FilterLogEventsCommand,
      { logGroupName: 'all', startTime: 'all', endTime: 'all', nextToken: 'all' },
      ({ logGroupName = '', startTime = 0, endTime = Number.POSITIVE_INFINITY, nextToken = '0' }) => {
        const group = state.logGroups.get(logGroupName);
        // ledger: log-events-group-unknown
        if (group === undefined)
          throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
        const chosen = group.events
          .map(({ atMs, message }, index) => ({
            eventId: String(index).padStart(56, '0'),
            timestamp: atMs,
            ingestionTime: atMs,
            message,
          }))
          .filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime);
        const from = Number(nextToken);
        const next = from + group.eventsInPage;
        return {
          events: chosen.slice(from, next),
          ...(next < chosen.length && { nextToken: String(next) }),
        };
      },
    ),
  ];
}
