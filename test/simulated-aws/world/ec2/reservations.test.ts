import { DescribeCapacityReservationsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { GroupOptions } from '../group-builder.ts';
import { createWorld } from '../world.ts';

function setUp(bind: (id: string) => Partial<GroupOptions>, zone = 'a') {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const call = directCalls(world);
  const { id } = world.addCapacityReservation({ total: 2, zone });
  const group = world.addGroup({
    name: 'g',
    image: world.release('amazon-linux-2023'),
    instances: 0,
    maxSize: 3,
    launchSpec: 'launch-template',
    zones: ['a'],
    ...bind(id),
  });
  const free = () =>
    call(DescribeCapacityReservationsCommand, { CapacityReservationIds: [id] }).CapacityReservations?.[0]
      ?.AvailableInstanceCount;
  const desire = (desiredCapacity: number) => {
    world.owner.setSizes('g', { desiredCapacity });
    clock.advance(60);
    return group.members.size;
  };
  return { clock, world, call, group, free, desire };
}

const only = (id: string): Partial<GroupOptions> => ({
  reservations: {
    CapacityReservationPreference: 'capacity-reservations-only',
    CapacityReservationTarget: { CapacityReservationIds: [id] },
  },
});

describe('a Capacity Reservation', () => {
  it('has as many places fewer as instances run in it', () => {
    const { clock, world, group, free, desire } = setUp(only);
    expect(free()).toBe(2);
    expect(desire(3)).toBe(2);
    expect(free()).toBe(0);
    expect(group.activities[0]?.StatusMessage).toMatch(
      /^The requested reservation does not have sufficient compatible and available capacity for this request\./,
    );
    const [member] = group.members.values();
    world.faults.killInstance(member?.instance.id ?? '');
    expect(free()).toBe(0);
    clock.advance(600);
    expect([group.members.size, free()]).toEqual([2, 0]);
  });

  it.each([
    ['its template names it', { reservedInTemplate: true }, 2],
    ['its template names it, but the group wants none', { reservedInTemplate: true, preference: 'none' }, 3],
    ['the group prefers it', { preference: 'capacity-reservations-first' }, 3],
  ] as const)(
    'counts for a group only if its own setting leaves that to the template: %s',
    (_, options, size) => {
      const { preference, reservedInTemplate } = {
        preference: undefined,
        reservedInTemplate: false,
        ...options,
      };
      const { desire } = setUp((id) => ({
        ...(preference && { reservations: { CapacityReservationPreference: preference } }),
        ...(reservedInTemplate && { reservedInTemplate: id }),
      }));
      expect(desire(3)).toBe(size);
    },
  );

  it('takes instances of its zone alone', () => {
    expect(setUp(only, 'b').desire(1)).toBe(0);
  });

  it('is unknown by any other id', () => {
    const { call } = setUp(only);
    const ids = ['cr-0123456789abcdef0'];
    expect(() => call(DescribeCapacityReservationsCommand, { CapacityReservationIds: ids })).toThrow(
      'does not exist',
    );
    expect(call(DescribeCapacityReservationsCommand, {}).CapacityReservations).toHaveLength(1);
  });
});

describe('a group that launches into its reservation first', () => {
  const first = (id: string): Partial<GroupOptions> => ({
    reservations: {
      CapacityReservationPreference: 'capacity-reservations-first',
      CapacityReservationTarget: { CapacityReservationIds: [id] },
    },
    zones: ['a', 'b'],
    maxSize: 6,
  });
  const zonesOf = ({ group }: ReturnType<typeof setUp>) =>
    [...group.members.values()].map(({ instance }) => instance.availabilityZone.at(-1)).join('');

  it('launches elsewhere once that is full, and keeps zones even all the same', () => {
    const made = setUp(first, 'b');
    expect(made.desire(4)).toBe(4);
    expect([zonesOf(made), made.free()]).toEqual(['abab', 0]);
  });

  it('fills it before it balances the rest, and evens nothing out for what is reserved', () => {
    const made = setUp((id) => ({ ...first(id), zoneDistribution: 'reservations-then-balanced' }), 'b');
    expect(made.desire(4)).toBe(4);
    made.clock.advance(3600);
    expect([zonesOf(made), made.free()]).toEqual(['bbab', 0]);
    made.desire(2);
    expect([zonesOf(made), made.free()]).toEqual(['bb', 0]);
  });
});
