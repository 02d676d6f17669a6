import {
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { findEventBus } from './buses.ts';

const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
export function eventBusOperations(state: State): Operation[] {
  return [
    on(
      PutEventsCommand,
      { Entries: { Detail: 'all', DetailType: 'all', EventBusName: 'all', Source: 'all', Time: 'all' } },
      ({ Entries: entries = [] }) => {
        // ledger: put-events-entries
        if (entries.length === 0 || entries.length > MAX_ENTRIES)
          throw new AwsError(
            'ValidationException',
            `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length less than or equal to ${MAX_ENTRIES}`,
          );
        const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
        // ledger: put-events-size
        if (bytes > MAX_BYTES)
          throw new AwsError(
            'ValidationException',
            'Total size of the entries in the request is over the limit.',
          );
        const results = entries.map((entry) => put(state, entry));
        return {
          FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode !== undefined).length,
          Entries: results,
        };
      },
    ),
  ];
}

/** One entry that fails doesn't keep the others from the bus. */
function put(state: State, entry: PutEventsRequestEntry): PutEventsResultEntry {
  const { Source, DetailType, Detail, Time, EventBusName = 'default' } = entry;
  const missing = Object.entries({ Source, DetailType, Detail }).find(([, value]) => !value)?.[0];
  if (missing !== undefined)
    return failed(
      'InvalidArgument',
      `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`,
    );
  if (Source?.startsWith('aws.'))
    return failed('NotAuthorizedForSourceException', `Not authorized for the source ${Source}.`);
  if (!isJsonObject(Detail ?? '')) return failed('MalformedDetail', 'Detail is malformed.');
  const bus = findEventBus(state.eventBuses, EventBusName);
  if (bus === undefined) return failed('InvalidArgument', `Event bus ${EventBusName} does not exist.`);
  const id = `${bus.name}-${bus.events.length + 1}`;
  const atMs = Time?.getTime() ?? state.clock.now();
  const event = { id, atMs, source: Source ?? '', detailType: DetailType ?? '', detail: Detail ?? '' };
  bus.events.push(event);
  for (const tell of bus.targets) tell(event);
  return { EventId: id };
}

function failed(ErrorCode: string, ErrorMessage: string): PutEventsResultEntry {
  return { ErrorCode, ErrorMessage };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevents-size */
function sizeOf({ Source = '', DetailType = '', Detail = '', Time }: PutEventsRequestEntry): number {
  return [Source, DetailType, Detail].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    Time === undefined ? 0 : 14,
  );
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
