import { describe, expect, test } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup } from './happenings.ts';
import { only, writes } from './outcomes.ts';
import { stage } from './stage.ts';

/** Groups that launch only into a Capacity Reservation: old instances keep their places until they end. */

type GroupOptions = Parameters<World['addGroup']>[0];

function staged(
  total: number,
  environment: Readonly<Record<string, string>>,
  bind: (id: string) => Partial<GroupOptions> = ofGroup,
) {
  return stage({
    shortcut: true,
    environment,
    furnish: (world) => {
      const { id } = world.addCapacityReservation({ total });
      oneGroup(world, { instances: 3, zones: ['a'], ...bind(id) });
    },
  });
}

const byPreference =
  (CapacityReservationPreference: 'capacity-reservations-only' | 'capacity-reservations-first') =>
  (id: string): Partial<GroupOptions> => ({
    reservations: {
      CapacityReservationPreference,
      CapacityReservationTarget: { CapacityReservationIds: [id] },
    },
  });
const ofGroup = byPreference('capacity-reservations-only');
const first = byPreference('capacity-reservations-first');
const ofTemplate = (id: string): Partial<GroupOptions> => ({ reservedInTemplate: id });

describe.each([
  ['by the group', ofGroup],
  ['by its template', ofTemplate],
])('a group that is bound to a reservation %s', (_, bind) => {
  test('is told before anything changes that there is no room beside its old instances', async () => {
    const { invoke, account, invariants } = staged(3, { MAX_SURGE: '1' }, bind);
    expect(only(await invoke())).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /only into Capacity Reservation cr-\w+, which has room for 0 more, but up to 1/,
      ),
    });
    expect(writes(account.calls.log)).toEqual([]);
    invariants.assertHeld();
  });

  test.each([
    ['in place', 3, '0'],
    ['where there is room', 4, '1'],
  ])('is rolled %s', async (_way, total, MAX_SURGE) => {
    const { invoke, invariants } = staged(total, { MAX_SURGE }, bind);
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    invariants.assertFinished();
  });
});

test.each(['expired', 'cancelled'] as const)('room in a reservation that is %s is none', async (state) => {
  const { invoke, world, invariants } = staged(4, { MAX_SURGE: '1' });
  for (const reservation of world.state.capacityReservations.values()) reservation.state = state;
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('which has room for 0 more'),
  });
  invariants.assertHeld();
});

test('a group that may launch elsewhere is rolled, whatever its template targets', async () => {
  const { invoke, invariants } = staged(0, { MAX_SURGE: '1' }, (id) => ({
    reservations: { CapacityReservationPreference: 'none' },
    reservedInTemplate: id,
  }));
  expect(only(await invoke())).toMatchObject({ state: 'completed' });
  invariants.assertFinished();
});

test('a group that fills its reservation before it balances zones stays in it', async () => {
  const { roll, world } = staged(6, { MAX_SURGE: '1' }, (id) => ({
    ...first(id),
    zones: ['a', 'b', 'c'],
    maxSize: 6,
    zoneDistribution: 'reservations-then-balanced',
  }));
  await roll();
  const instances = [...world.state.instances.values()];
  expect(instances.every(({ capacityReservationId: id }) => id !== undefined)).toBe(true);
  expect(instances).toHaveLength(6);
});

test.each([
  [3, ['old instances keep their places in Capacity Reservation']],
  [4, []],
])(
  'a group that launches into %i places first is told whether replacements find none',
  async (total, expected) => {
    const warningsAt = async (MAX_SURGE: string) =>
      only(await staged(total, { MAX_SURGE }, first).invoke({ action: 'plan' })).warnings ?? [];
    const warnings = await warningsAt('1');
    expect(warnings.map((each) => /^old instances .* Reservation\b/.exec(each)?.[0])).toEqual(expected);
    expect(await warningsAt('0')).toEqual([]);
  },
);

test('reservations that are not named by id have room that nobody tells: a warning', async () => {
  const { invoke } = staged(3, { MAX_SURGE: '1' }, () => ({
    reservations: { CapacityReservationPreference: 'capacity-reservations-only' },
  }));
  expect(only(await invoke({ action: 'plan' })).warnings).toContainEqual(
    expect.stringContaining("launches only into Capacity Reservations, whose room can't be read"),
  );
});
