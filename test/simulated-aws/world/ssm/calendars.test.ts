import { GetCalendarStateCommand } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';

const START = Date.parse('2026-11-21T00:00:00Z');

test('calendars are open if all of them are, and say when that changes', () => {
  const world = createWorld({ clock: virtualClock(START), seed: 1 });
  const hour = 3_600_000;
  world.setCalendar('a', [{ fromMs: START + hour, untilMs: START + 3 * hour }]);
  world.setCalendar('b', [{ fromMs: START + 2 * hour, untilMs: START + 4 * hour }]);
  const call = directCalls(world);
  const at = (AtTime: string | undefined, ...CalendarNames: string[]) =>
    call(GetCalendarStateCommand, { CalendarNames, AtTime });
  expect(at(undefined, 'a', 'b')).toMatchObject({
    State: 'OPEN',
    NextTransitionTime: '2026-11-21T01:00:00Z',
  });
  expect(at('2026-11-21T01:30:00Z', 'a', 'b')).toMatchObject({
    State: 'CLOSED',
    NextTransitionTime: '2026-11-21T04:00:00Z',
  });
  expect(at('2026-11-21T01:30:00Z', 'b')).toMatchObject({ State: 'OPEN' });
  expect(at('2026-11-21T04:00:00Z', 'a', 'b').NextTransitionTime).toBeUndefined();
  expect(() => at(undefined, 'c')).toThrow(/does not exist/);
});
