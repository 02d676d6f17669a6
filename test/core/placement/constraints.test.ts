import { describe, expect, test } from 'vitest';
import type { ServicePlacement, TaskDefinition } from '../../../lambda/core/model/placement.ts';
import { fits, requirementsOf } from '../../../lambda/core/placement/constraints.ts';
import type { Place } from '../../../lambda/core/placement/place.ts';
import { DEFINITION } from '../builders.ts';

const SERVICE: ServicePlacement = { expressions: [], distinctInstance: false, capacityProviders: [] };
const AGENT = 'com.amazonaws.ecs.capability.task-iam-role';

const place = (rest: Partial<Place> = {}): Place => ({
  attributes: new Map([
    ['stack', 'blue'],
    ['rank', '1'],
  ]),
  guessed: new Set(),
  resources: { cpu: 2048, memory: 4000 },
  ...rest,
});

/** What a service asks for: each need as it is told, what of it is met, and what the place has instead. */
function asked(service: Partial<ServicePlacement>, definition?: Partial<TaskDefinition>, at = place()) {
  const requirements = requirementsOf(
    { ...SERVICE, ...service },
    definition && { ...DEFINITION, ...definition },
  );
  return requirements.map((each) => [each.needs, each.met(at), each.instead(at)]);
}
const one = (service: Partial<ServicePlacement>, definition?: Partial<TaskDefinition>) => {
  const [first] = requirementsOf({ ...SERVICE, ...service }, { ...DEFINITION, ...definition });
  return first;
};

test('a service that says nothing asks for nothing', () => {
  expect(asked({})).toEqual([]);
  expect(asked({}, {})).toEqual([]);
  expect(fits(place(), [])).toBe('yes');
});

test('any of its capacity providers will do', () => {
  const both = { capacityProviders: ['blue', 'green'] };
  const needs = 'capacity provider blue or green';
  expect(asked(both, {}, place({ capacityProvider: 'green' }))).toEqual([
    [needs, 'yes', 'capacity provider green'],
  ]);
  expect(asked(both)).toEqual([[needs, 'no', 'no capacity provider']]);
  expect(one(both)).toMatchObject({ kind: 'capacity-provider', attributes: [], ofImage: false });
});

test('what an agent must be able to do is asked for by the service as well', () => {
  expect(asked({ capabilities: [AGENT] })).toEqual([[`attribute ${AGENT}`, 'no', `no attribute ${AGENT}`]]);
  expect(one({ capabilities: [AGENT] })).toMatchObject({ attributes: [AGENT], ofImage: true });
});

test('an attribute that somebody may have put is no matter of the image, and may be guessed', () => {
  const definition = { attributes: [{ name: 'stack', value: 'blue' }] };
  expect(one({}, definition)).toMatchObject({ kind: 'attribute', attributes: ['stack'], ofImage: false });
  expect(asked({}, definition)).toEqual([['attribute stack = blue', 'yes', 'stack = blue']]);
  expect(asked({}, definition, place({ guessed: new Set(['stack']) }))).toMatchObject([
    [expect.anything(), 'unknown', expect.anything()],
  ]);
});

describe('resources', () => {
  test('are enough if there is as much as is asked for, and unknown if ECS does not say', () => {
    expect(asked({}, { resources: { cpu: 2048, memory: 4001, gpus: 1 } })).toEqual([
      ['2048 CPU units', 'yes', '2048 CPU units'],
      ['4001 MiB of memory', 'no', '4000 MiB of memory'],
      ['1 GPUs', 'unknown', 'an unknown number of GPUs'],
    ]);
  });

  test('are not asked for by zero', () => {
    expect(asked({}, { resources: { cpu: 0, gpus: 0 } })).toEqual([]);
  });

  test('depend on the image, but for CPU units, which are the type’s', () => {
    expect(one({}, { resources: { cpu: 1 } })).toMatchObject({ attributes: [], ofImage: false });
    expect(one({}, { resources: { memory: 1 } })).toMatchObject({ kind: 'resource', ofImage: true });
  });
});

describe('an expression', () => {
  test('tells which attributes it asks for, each once', () => {
    const names = (text: string) => one({ expressions: [text] })?.attributes;
    expect(names('attribute:stack == blue')).toEqual(['stack']);
    expect(names('not(attribute:stack == blue)')).toEqual(['stack']);
    expect(names('attribute:stack == blue and attribute:rank > 1 or attribute:stack == red')).toEqual([
      'stack',
      'rank',
    ]);
    expect(names('agentVersion > 1')).toEqual([]);
    expect(names('attribute:stack is blue')).toEqual([]);
  });

  test('is no matter of the image', () => {
    expect(one({ expressions: [`attribute:${AGENT} exists`] })).toMatchObject({ ofImage: false });
  });

  describe('is compared as long as there are no more than twenty comparisons', () => {
    const BLUE = 'attribute:stack == blue';
    const met = (...expressions: string[]) => asked({ expressions }).map(([, truth]) => truth);
    const many = (count: number, word: string) => Array.from({ length: count }, () => BLUE).join(` ${word} `);

    test('of one expression', () => {
      expect(met(many(20, 'and'))).toEqual(['yes']);
      expect(met(many(21, 'and'))).toEqual(['unknown']);
      expect(met(many(21, 'or'))).toEqual(['unknown']);
      expect(met(`not(${many(21, 'and')})`)).toEqual(['unknown']);
      expect(met(`not(${many(20, 'and')})`)).toEqual(['no']);
    });

    test('of all together', () => {
      const each = Array.from({ length: 22 }, () => BLUE);
      expect(met(...each)).toEqual([...each.slice(0, 20).map(() => 'yes'), 'unknown', 'unknown']);
      expect(met(many(19, 'and'), BLUE, BLUE)).toEqual(['yes', 'yes', 'unknown']);
    });

    test('of which those that can not be read are none', () => {
      expect(met('attribute:stack is blue', many(20, 'and'))).toEqual(['unknown', 'yes']);
    });
  });
});
