import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
} from '../builders.ts';

const classified = (sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) =>
  assessed(observe(sketches, scene), settings).classified;
const idsOf = (
  some: readonly ({ readonly instanceId: string } | { readonly instance: { readonly instanceId: string } })[],
) => some.map((each) => ('instance' in each ? each.instance : each).instanceId);

const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
const throughGroup = { terminateHooks: 'run' } as const;

describe('members are sorted', () => {
  test('oldest first, whatever order AWS answers in; those as old by their ids', () => {
    const members = [
      old('i-2', { age: 900 }),
      old('i-4', { age: 900 }),
      old('i-3', { age: 950 }),
      old('i-1', { age: 900 }),
    ];
    expect(idsOf(classified(members).drifted)).toEqual(['i-3', 'i-1', 'i-2', 'i-4']);
    const aside = members.map((each) => ({ ...each, member: null, marked: 60 }));
    expect(idsOf(classified(aside).detached)).toEqual(['i-3', 'i-1', 'i-2', 'i-4']);
  });

  test('into outdated ones, current ones and those that are left alone', () => {
    const all = [old('i-1'), fresh('i-2'), old('i-3', { excluded: true }), old('i-4', { member: 'Standby' })];
    const { drifted, current, skipped } = classified(all);
    expect([drifted, current, skipped].map(idsOf)).toEqual([['i-1'], ['i-2'], ['i-3', 'i-4']]);
    const replaced = classified(all, {}, { standby: 'replace' });
    expect([replaced.drifted, replaced.skipped].map(idsOf)).toEqual([['i-1', 'i-4'], ['i-3']]);
  });

  test('without those that their group ends; those that it detaches are told apart', () => {
    const all = [
      old('i-1', { member: 'Terminating:Wait' }),
      old('i-2', { member: 'Detaching' }),
      fresh('i-3', { member: 'Detached' }),
      fresh('i-4'),
    ];
    const { drifted, current, detaching } = classified(all);
    expect([drifted, current, detaching].map(idsOf)).toEqual([[], ['i-4'], ['i-2', 'i-3']]);
  });

  test('apart if EC2 does not show them, and if it does not answer for them', () => {
    const observation = observe([fresh('i-1'), fresh('i-2'), fresh('i-3')], {
      unknown: { zones: ['a'], instanceIds: ['i-2', 'i-7'] },
    });
    const groups = observation.groups.map((group) => ({ ...group, instances: group.instances.slice(2) }));
    const { current, unseen, unknown } = assessed({ ...observation, groups }).classified;
    expect([current, unseen, unknown].map(idsOf)).toEqual([['i-3'], ['i-1'], ['i-2']]);
  });
});

describe('an instance leaves', () => {
  const leaving = (...given: Parameters<typeof classified>) =>
    classified(...given).leaving.map(({ instanceId, attached }) => [instanceId, attached]);

  test('once it is detached', () => {
    expect(leaving([detached('i-1'), fresh('i-2')])).toEqual([['i-1', false]]);
  });

  test('as a member only where members drain in place, and it is marked and runs', () => {
    const members = [old('i-1', { marked: 60 }), old('i-2'), old('i-3', { marked: 60, alive: false })];
    expect(leaving(members, {}, inPlace)).toEqual([['i-1', true]]);
    expect(leaving(members)).toEqual([]);
  });

  test('of the warm pool if it is marked and registered', () => {
    const warm = (rest: Partial<Sketch>) => [old('i-8', { member: 'Warmed:Running', ...rest })];
    expect(leaving([fresh('i-9')], { warm: warm({ marked: 60 }) })).toEqual([['i-8', false]]);
    expect(leaving([fresh('i-9')], { warm: warm({}) })).toEqual([]);
    expect(leaving([fresh('i-9')], { warm: warm({ marked: 60, ecs: null }) })).toEqual([]);
  });

  describe('as surplus', () => {
    const grown = (desiredCapacity = 1): Scene => ({
      roll: { changes: { suspended: [], addedSizes: { desiredCapacity, maxSize: 0 } } },
    });
    const members = [fresh('i-1', { marked: 60 }), fresh('i-2')];

    test('if it is marked in a group that is larger and ends its members itself', () => {
      expect(leaving(members, grown(), throughGroup)).toEqual([['i-1', true]]);
      expect(leaving(members, grown(), inPlace)).toEqual([]);
      expect(leaving(members, grown(0), throughGroup)).toEqual([]);
      expect(leaving(members, { roll: null }, throughGroup)).toEqual([]);
    });

    test('in a rollback only if it was marked since that began', () => {
      const back = (since: number) => {
        const course = { kind: 'rollback', since: ago(since), because: { code: 'asked' } } as const;
        const stayed = [old('i-1', { marked: 60 }), old('i-2')];
        return leaving(
          stayed,
          { roll: { ...grown().roll, course }, launch: launching(PLACE, OLD, OLD) },
          throughGroup,
        );
      };
      expect(back(61)).toEqual([['i-1', true]]);
      expect(back(60)).toEqual([]);
    });
  });
});

test('a warm pool is to be replaced where its instances run and are not left out', () => {
  const pooled = (rest: Partial<Sketch>) => old('i-8', { member: 'Warmed:Stopped', ecs: null, ...rest });
  const warm = (rest: Partial<Sketch>) => idsOf(classified([fresh('i-9')], { warm: [pooled(rest)] }).warm);
  expect(warm({})).toEqual(['i-8']);
  expect(warm({ excluded: true })).toEqual([]);
  expect(warm({ alive: false })).toEqual([]);
  expect(warm({ member: 'Warmed:Terminating:Wait' })).toEqual([]);
  expect(warm({ image: TARGET })).toEqual([]);
});
