import type { RollEvent } from '../../lambda/core/model/roll-event.ts';
import { expectValid } from '../core/events/schema.ts';
import type { World } from '../simulated-aws/world/world.ts';

/** The setting with which the function tells of its rolls. */
export const TELLS = { EVENT_BUS: 'default' } as const;

/** What came to the event bus, doubles and all. */
export function toldIn({ state }: World): RollEvent[] {
  return [...state.eventBuses.values()].flatMap(({ events }) =>
    events.map(({ detail }) => {
      const event = JSON.parse(detail) as RollEvent;
      expectValid(event);
      return event;
    }),
  );
}

/** The same without doubles, as its readers see it. */
export function eventsIn(world: World): RollEvent[] {
  return [...new Map(toldIn(world).map((event) => [event.id, event])).values()];
}
