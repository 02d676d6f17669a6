import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

const zonesOf = (members: ReturnType<typeof setUp>['members']) =>
  members()
    .map(({ instance }) => instance.availabilityZone.slice(-1))
    .sort()
    .join('');

describe('a zonal shift', () => {
  it('has nothing launched in its zone, and nothing evened out until it is over', () => {
    const { world, clock, members } = setUp({ zones: ['a', 'b'], instances: 2, maxSize: 9 });
    world.owner.shiftZone('g', 'b');
    world.owner.setSizes('g', { desiredCapacity: 5 });
    clock.advance(900);
    expect(zonesOf(members)).toBe('aaaab');
    world.owner.shiftZone('g');
    clock.advance(3600);
    expect(['aaabb', 'aabbb']).toContain(zonesOf(members));
  });

  it.each([
    ['IgnoreUnhealthy', 'ab'],
    ['ReplaceUnhealthy', 'aa'],
  ] as const)('of a group that says %s of who is unhealthy in its zone', (behavior, zones) => {
    const { world, clock, members, describeGroup } = setUp({ zones: ['a', 'b'], instances: 2 });
    world.owner.allowShifts('g', behavior);
    expect(describeGroup()?.AvailabilityZoneImpairmentPolicy).toEqual({
      ZonalShiftEnabled: true,
      ImpairedZoneHealthCheckBehavior: behavior,
    });
    world.owner.shiftZone('g', 'b');
    const lost = members().find(({ instance }) => instance.availabilityZone.endsWith('b'));
    world.faults.killInstance(lost?.instance.id ?? '');
    clock.advance(600);
    expect(zonesOf(members)).toBe(zones);
  });
});
