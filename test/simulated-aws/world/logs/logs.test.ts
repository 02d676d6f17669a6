import { FilterLogEventsCommand, type FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { expect, test } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';
import { newLogGroup } from './log-groups.ts';

function setUp() {
  const world = createWorld({ clock: virtualClock(0), seed: 1 });
  const group = newLogGroup();
  world.state.logGroups.set('gates', group);
  const filter = (input: Partial<FilterLogEventsCommandInput>) =>
    directCalls(world)(FilterLogEventsCommand, { logGroupName: 'gates', ...input });
  return { group, filter };
}

test('a log group is read by time, in pages', () => {
  const { group, filter } = setUp();
  group.events.push(...[1, 2, 3, 4].map((atMs) => ({ atMs, message: `at ${atMs}` })));
  const messages = (input: Partial<FilterLogEventsCommandInput>) =>
    filter(input).events?.map(({ message }) => message);
  expect(messages({})).toEqual(['at 1', 'at 2', 'at 3', 'at 4']);
  expect(messages({ startTime: 2, endTime: 3 })).toEqual(['at 2', 'at 3']);
  group.eventsInPage = 3;
  const { nextToken, events } = filter({});
  expect(events).toHaveLength(3);
  expect(messages({ nextToken })).toEqual(['at 4']);
  expect(filter({ nextToken })).not.toHaveProperty('nextToken');
});

test('a log group that is not there is refused', () => {
  expect(() => setUp().filter({ logGroupName: 'none' })).toThrow(
    expect.objectContaining({ code: 'ResourceNotFoundException' }),
  );
});
