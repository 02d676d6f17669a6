import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../account/call.ts';
import { virtualClock } from '../../clock/clock.ts';
import { checksOf } from '../../iam/context.ts';
import { directCalls } from '../direct-calls.ts';
import { resourceFacts } from '../resource-facts.ts';
import { createWorld } from '../world.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const EVENT = { Source: 'orders', DetailType: 'Order placed', Detail: '{"id":1}' };

function setUp() {
  const world = createWorld({ clock: virtualClock(START), seed: 1 });
  const call = directCalls(world);
  return {
    world,
    put: (...Entries: object[]) => call(PutEventsCommand, { Entries } as never),
    bus: () => world.state.eventBuses.get('default')?.events ?? [],
  };
}

describe('an event bus', () => {
  test('takes events by its name, its ARN or none, in their order', () => {
    const { put, bus } = setUp();
    const arn = 'arn:aws:events:eu-central-1:123456789012:event-bus/default';
    const later = new Date(START + 5000);
    const { FailedEntryCount, Entries = [] } = put(
      EVENT,
      { ...EVENT, EventBusName: 'default', Time: later },
      { ...EVENT, EventBusName: arn },
    );
    expect(FailedEntryCount).toBe(0);
    expect(new Set(Entries.map(({ EventId }) => EventId)).size).toBe(3);
    expect(bus().map(({ atMs }) => atMs)).toEqual([START, later.getTime(), START]);
    expect(bus()[0]).toMatchObject({ source: 'orders', detailType: 'Order placed', detail: '{"id":1}' });
  });

  test.each([
    ['no detail', { ...EVENT, Detail: undefined }, 'InvalidArgument'],
    ['a detail that is no JSON', { ...EVENT, Detail: 'soon' }, 'MalformedDetail'],
    ['a detail that is no object', { ...EVENT, Detail: '[1]' }, 'MalformedDetail'],
    ['a source of AWS', { ...EVENT, Source: 'aws.ec2' }, 'NotAuthorizedForSourceException'],
    ['a bus that is not there', { ...EVENT, EventBusName: 'other' }, 'InvalidArgument'],
  ])('refuses an event with %s, and takes the others', (_, event, ErrorCode) => {
    const { put, bus } = setUp();
    expect(put(event, EVENT)).toMatchObject({ FailedEntryCount: 1, Entries: [{ ErrorCode }, {}] });
    expect(bus()).toHaveLength(1);
  });

  test('refuses a call with more than ten events, or more than 256 KB', () => {
    const { put, bus } = setUp();
    expect(() => put(...Array(11).fill(EVENT))).toThrow('less than or equal to 10');
    expect(() => put({ ...EVENT, Detail: JSON.stringify({ text: 'x'.repeat(262_144) }) })).toThrow(
      'Total size',
    );
    expect(bus()).toEqual([]);
  });
});

test('PutEvents asks IAM for the bus of each event, with its source and type', () => {
  const input = { Entries: [EVENT, { ...EVENT, EventBusName: 'rolls' }] };
  const call = { service: 'eventbridge', operation: 'PutEvents', input } as Call;
  const asked = checksOf(call, resourceFacts(setUp().world));
  expect(asked.map(({ action, resource }) => [action, resource])).toEqual([
    ['events:PutEvents', 'arn:aws:events:eu-central-1:123456789012:event-bus/default'],
    ['events:PutEvents', 'arn:aws:events:eu-central-1:123456789012:event-bus/rolls'],
  ]);
  expect(asked[0]?.context).toMatchObject({
    'events:source': ['orders'],
    'events:detail-type': ['Order placed'],
  });
});
