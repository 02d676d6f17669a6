import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../contract.ts';
import type { RollEvent } from '../core/model/roll-event.ts';
import { detailTypeOf } from '../core/text/events.ts';
import type { Seal } from '../tags/trusted-tags.ts';
import { type Aws, rareClient } from './clients.ts';
import { FailureAnswered } from './errors.ts';

/** A roll doesn't wait for its audience: what isn't told now is told with a later look. */
const LIMITS = { maxAttempts: 3, milliseconds: 10_000 } as const;

export const eventBridgeOf = rareClient(EventBridgeClient, 'events', LIMITS.maxAttempts);

/**
 * The limits of a call, with room for what isn't the event itself.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/calculate-putevents-entry-size.html
 */
const MOST = { entries: 10, bytes: 250_000 } as const;

/**
 * Puts events on a bus, in their order. Their ids are sealed: otherwise somebody who foresees one could put
 * another event on the bus under it, and whoever tells doubles by it would take the real one for the double.
 *
 * @param bus its name or ARN
 * @throws FailureAnswered if EventBridge took the call but not every event; the others are on the bus
 */
export async function publish(aws: Aws, bus: string, events: readonly RollEvent[]): Promise<void> {
  const seal = await aws.seal();
  const sealed = events.map((event) => withSealedId(event, seal));
  await putAll(
    aws,
    sealed.map((event) => entryOf(bus, detailTypeOf(event.kind), event)),
  );
}

/**
 * Events that need no seal: nothing counts those of instances that ended outside a roll, so that a double of
 * one does no harm, and of a sequence the table, not the bus, has the state.
 */
export async function publishUnsealed<Event extends { readonly at: string }>(
  aws: Aws,
  bus: string,
  events: readonly Event[],
  detailTypeOf: (event: Event) => string,
): Promise<void> {
  await putAll(
    aws,
    events.map((event) => entryOf(bus, detailTypeOf(event), event)),
  );
}

function entryOf(bus: string, DetailType: string, event: { readonly at: string }) {
  return {
    EventBusName: bus,
    Source: EVENT_SOURCE,
    DetailType,
    Time: new Date(event.at),
    Detail: JSON.stringify(event),
  };
}

async function putAll(aws: Aws, entries: readonly ReturnType<typeof entryOf>[]): Promise<void> {
  for (const Entries of calls(entries)) {
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

/** The same however often the event is told. */
function withSealedId(event: RollEvent, seal: Seal): RollEvent {
  const id = seal.seal(event.id, ['event']);
  return { ...event, id, chat: { ...event.chat, id } };
}

/** The entries in their order, as many in a call as it may have. */
function calls<Entry extends { readonly Detail: string }>(entries: readonly Entry[]): Entry[][] {
  const made: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const own = Buffer.byteLength(entry.Detail);
    const last = made.at(-1);
    if (last !== undefined && last.length < MOST.entries && bytes + own <= MOST.bytes) {
      last.push(entry);
      bytes += own;
    } else {
      made.push([entry]);
      bytes = own;
    }
  }
  return made;
}
