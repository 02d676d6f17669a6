import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../contract.ts';
import { batches } from '../core/group/budget.ts';
import type { RollEvent } from '../core/model/roll-event.ts';
import { detailTypeOf } from '../core/text/events.ts';
import { type Aws, rareClient } from './clients.ts';
import { FailureAnswered } from './errors.ts';
import { noteOperations } from './operations.ts';

/** A roll doesn't wait for its audience: what isn't told now is told with a later look. */
const LIMITS = { maxAttempts: 3, milliseconds: 10_000 } as const;

export const eventBridgeOf = rareClient((config) =>
  noteOperations(
    new EventBridgeClient({ ...config, retryMode: 'standard', maxAttempts: LIMITS.maxAttempts }),
    'events',
  ),
);

/** The limit of entries in a call. */
const ENTRIES = 10;

/**
 * Puts events on a bus, in their order.
 *
 * @param bus its name or ARN
 * @throws FailureAnswered if EventBridge took the call but not every event; the others are on the bus
 */
export async function publish(aws: Aws, bus: string, events: readonly RollEvent[]): Promise<void> {
  for (const batch of batches(events, ENTRIES)) {
    const Entries = batch.map((event) => ({
      EventBusName: bus,
      Source: EVENT_SOURCE,
      DetailType: detailTypeOf(event.kind),
      Time: new Date(event.at),
      Detail: JSON.stringify(event),
    }));
    const abortSignal = AbortSignal.timeout(LIMITS.milliseconds);
    const answer = await eventBridgeOf(aws).send(new PutEventsCommand({ Entries }), { abortSignal });
    const failed = (answer.Entries ?? []).find(({ ErrorCode }) => ErrorCode !== undefined);
    if (failed === undefined && !answer.FailedEntryCount) continue;
    const { ErrorCode = 'no reason given', ErrorMessage = '' } = failed ?? {};
    throw new FailureAnswered(
      `EventBridge refused ${answer.FailedEntryCount} of ${Entries.length} events: ${ErrorCode} ${ErrorMessage}`,
    );
  }
}
