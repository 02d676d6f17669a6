import { expect, test } from 'vitest';
import type { ReservedPlaces } from '../../../lambda/core/model/preflight-facts.ts';
import { lackOfReservations, warnOfReservations } from '../../../lambda/core/preflight/launch-room.ts';
import { assessed, observe, old } from '../builders.ts';

/** What is told of a group whose two members are replaced. */
function told(reservation: ReservedPlaces) {
  const preflight = { unusableProfiles: [], stuckServices: [], reservations: [reservation] };
  const assessment = assessed(observe([old('i-1'), old('i-2')], { roll: null, preflight }));
  return [...lackOfReservations(assessment), ...warnOfReservations(assessment)];
}
const elsewhere = { orElsewhere: true } as const;

test.each<[string, ReservedPlaces, object[]]>([
  ['with room enough is no matter', { id: 'cr-1', free: 2 }, []],
  [
    'with too little blocks its roll, and is not warned of as well',
    { id: 'cr-1', free: 1 },
    [{ code: 'reservation-full', id: 'cr-1', free: 1, instances: 2 }],
  ],
  [
    'of unknown room is warned of',
    { id: 'cr-1' },
    [{ code: 'reserved-room-unknown', id: 'cr-1', instances: 2 }],
  ],
  [
    'that is full, where instances may come up elsewhere, is warned of',
    { id: 'cr-1', free: 1, ...elsewhere },
    [{ code: 'reserved-places-left', id: 'cr-1', instances: 2 }],
  ],
  [
    'of unknown room is taken for full where instances may come up elsewhere',
    elsewhere,
    [{ code: 'reserved-places-left', instances: 2 }],
  ],
  [
    'with room enough is no matter where instances may come up elsewhere, either',
    { id: 'cr-1', free: 2, ...elsewhere },
    [],
  ],
])('a Capacity Reservation %s', (_, reservation, expected) => {
  expect(told(reservation)).toEqual(expected);
});
