import { EVENT_SOURCE } from '../../lambda/contract.ts';
import type { Permission } from './permission.ts';

/** Lets a roll tell an event bus what becomes of it, in no other name than its own. */
export function eventPermissions(eventBusArn: string | undefined): Permission[] {
  if (eventBusArn === undefined) return [];
  return [
    {
      actions: ['events:PutEvents'],
      resources: [eventBusArn],
      conditions: {
        'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE },
        Null: { 'events:source': 'false' },
      },
    },
  ];
}
