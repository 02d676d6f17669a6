import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { type Aws, createAws } from '../../lambda/aws/clients.ts';
import { publish } from '../../lambda/aws/events.ts';
import { dueEvents } from '../../lambda/core/events/due.ts';
import type { RollEvent } from '../../lambda/core/model/roll-event.ts';
import { createSeal } from '../../lambda/tags/trusted-tags.ts';
import { decideAll, observe, old, ROLL, SETTINGS } from '../core/builders.ts';
import { mocked } from './mocked.ts';

const eventBridge = mocked(EventBridgeClient);
const SEAL = createSeal([new Uint8Array(32).fill(1)]);
const aws: Aws = { ...createAws({ region: 'eu-west-1' }), seal: async () => SEAL };

function begun(): RollEvent {
  const [decided] = decideAll(observe([old('i-1')], { roll: {} }), SETTINGS, ROLL);
  const [event] = decided === undefined ? [] : dueEvents(decided, ROLL, []).events;
  if (event === undefined) throw new Error('a roll that began has an event');
  return event;
}

test('at most ten events go to the bus at once, each with its source, type and time', async () => {
  eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  const event = begun();
  await publish(aws, 'rolls', Array<RollEvent>(12).fill(event));
  const [first, second] = eventBridge.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries);
  expect([first?.length, second?.length]).toEqual([10, 2]);
  expect(second?.[0]).toEqual({
    EventBusName: 'rolls',
    Source: 'ecs-ami-deploy',
    DetailType: 'Roll begun',
    Time: new Date(event.at),
    Detail: expect.stringContaining(JSON.stringify(event.text)),
  });
});

test('an id is sealed, so that nobody foresees it, and is the same each time', async () => {
  eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  const event = begun();
  await publish(aws, 'rolls', [event]);
  await publish(aws, 'rolls', [{ ...event, at: '2026-11-23T05:01:00.000Z' }]);
  const other = { ...aws, seal: async () => createSeal([new Uint8Array(32).fill(2)]) };
  await publish(other, 'rolls', [event]);
  const [first, again, strangers] = eventBridge
    .commandCalls(PutEventsCommand)
    .flatMap(({ args }) => args[0].input.Entries ?? [])
    .map(({ Detail = '' }) => JSON.parse(Detail) as RollEvent);
  expect(SEAL.open(first?.id ?? '', ['event'])).toBe(event.id);
  expect(first?.chat.id).toBe(first?.id);
  expect(again?.id).toBe(first?.id);
  expect(strangers?.id).not.toBe(first?.id);
});

test('a call has less than 256 KB, as EventBridge refuses all of a larger one, and keeps the order', async () => {
  eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  const sizes = [100, 100, 100, 10, 200];
  const events = sizes.map((size) => ({
    ...begun(),
    id: String(size),
    reason: '€'.repeat((size * 1000) / 3),
  }));
  await publish(aws, 'rolls', events);
  const calls = eventBridge.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);
  expect(calls.map((entries) => entries.length)).toEqual([2, 2, 1]);
  expect(calls.flat().map(({ Detail = '' }) => SEAL.open(JSON.parse(Detail).id, ['event']))).toEqual(
    sizes.map(String),
  );
  for (const entries of calls)
    expect(Buffer.byteLength(entries.map(({ Detail }) => Detail).join(''))).toBeLessThan(256 * 1024);
});

test('an event that EventBridge refuses in a successful answer is a failure', async () => {
  const refused = { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [refused] });
  await expect(publish(aws, 'rolls', [begun()])).rejects.toMatchObject({
    name: 'FailureAnswered',
    message: 'EventBridge refused 1 of 1 events: MalformedDetail Detail is malformed.',
  });
});

test('a count of failures is believed although no entry names one', async () => {
  eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 2 });
  await expect(publish(aws, 'rolls', [begun()])).rejects.toThrow('refused 2 of 1 events: no reason given');
});
