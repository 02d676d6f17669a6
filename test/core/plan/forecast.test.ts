import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Range } from '../../../lambda/core/model/forecast.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { type ForecastStretch, forecast, longestGoodbye } from '../../../lambda/core/plan/forecast.ts';
import { plan, timeLeft } from '../../../lambda/core/plan/plan.ts';
import {
  assessed,
  launching,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  service,
  TARGET_GROUP,
} from '../builders.ts';

interface Measured {
  readonly cluster: string;
  readonly contestant: string;
  readonly makespanSeconds: number;
  readonly extraInstanceHours: number;
}

const BENCH = new URL('../../../docs/bench/results.json', import.meta.url);
const { results }: { readonly results: readonly Measured[] } = JSON.parse(readFileSync(BENCH, 'utf8'));

function forecastFor(count: number, settings: Partial<Settings> = {}, scene: Scene = {}) {
  const members = Array.from({ length: count }, (_, index) => old(`i-${index}`));
  const begins = { roll: null, launch: launching(PLACE), suspendedProcesses: [] } as const;
  const observation = observe(members, { ...begins, maxSize: 2 * count, ...scene });
  return plan(assessed(observation, settings), ROLL).forecast;
}

/** As the bench's contestants are called. */
const VARIANTS: Readonly<Record<string, Partial<Settings>>> = {
  ours: { canary: 1 },
  'ours, CANARY=0': { canary: 0 },
  'ours, DRAIN_CONCURRENCY=auto': { canary: 1, drainConcurrency: 'auto' },
  'ours, CANARY=0, DRAIN_CONCURRENCY=auto': { canary: 0, drainConcurrency: 'auto' },
};

/** Nobody knows how long its tasks take to leave. */
const BALANCED = service('web', { sources: [TARGET_GROUP] });

const isWithin = (value: number, { least, most }: Range) => least <= value && value <= most;

describe('what a roll takes', () => {
  const ours = results.filter(({ contestant }) => contestant in VARIANTS);

  test.each(ours.map((each) => [each.contestant, each.cluster, each] as const))(
    'is as the bench measured it: %s, %s',
    (contestant, cluster, { makespanSeconds, extraInstanceHours }) => {
      const scene = cluster.includes('quick delays') ? {} : { services: [BALANCED] };
      const forecast = forecastFor(Number.parseInt(cluster, 10), VARIANTS[contestant], scene);
      if (forecast === undefined) throw new Error('nothing is foreseen');
      expect({ ...forecast, makespanSeconds }).toSatisfy(() => isWithin(makespanSeconds, forecast.seconds));
      expect({ ...forecast, extraInstanceHours }).toSatisfy(() =>
        isWithin(extraInstanceHours, forecast.instanceHours),
      );
    },
  );

  // The README's table has 20 and 250, and says of both that auto is faster.
  test.each([
    [20, [BALANCED]],
    [20, []],
    [250, [BALANCED]],
  ] as const)(
    'of %i is told beside what it would take by auto, which saves a third of it or more',
    (count, services) => {
      const { seconds, autoSeconds } = forecastFor(count, VARIANTS.ours, { services }) ?? {};
      const auto = forecastFor(count, VARIANTS['ours, DRAIN_CONCURRENCY=auto'], { services });
      expect(autoSeconds).toEqual(auto?.seconds);
      expect(3 * (autoSeconds?.most ?? Number.NaN)).toBeLessThanOrEqual(2 * (seconds?.most ?? 0));
      expect(auto).not.toHaveProperty('autoSeconds');
    },
  );

  test.each([4, 14])('of %i instances says nothing of auto, which would save little', (count) => {
    expect(forecastFor(count, VARIANTS.ours)).not.toHaveProperty('autoSeconds');
  });

  test('has been measured', () => {
    expect(ours.length).toBeGreaterThan(20);
  });

  test('grows with what load balancers let tasks take to leave, as far as that is known', () => {
    const one = { canary: 0, drainConcurrency: 1 } as const;
    const usual = forecastFor(4, one)?.seconds;
    const unknown = forecastFor(4, one, { services: [BALANCED] })?.seconds;
    expect(unknown).toEqual({ ...usual, most: (usual?.most ?? 0) + 300 + 30 });
    const known = { services: [BALANCED], stopSeconds: { 'service:web': 90 } };
    expect(forecastFor(4, one, known)?.seconds.most).toBe((usual?.most ?? 0) + 90);
  });

  test('grows with the times that its owner sets', () => {
    const usual = forecastFor(4, { canary: 1 });
    const longer = forecastFor(4, { canary: 1, bakeSeconds: 600, stableSeconds: 90 });
    const grown = 600 - 120 + 4 * (90 - 30);
    expect(longer?.seconds.least).toBe((usual?.seconds.least ?? 0) + grown);
    expect(longer?.seconds.most).toBe((usual?.seconds.most ?? 0) + grown);
  });

  test('is less with several drains at once', () => {
    const seconds = (drainConcurrency: Settings['drainConcurrency']) =>
      forecastFor(20, { canary: 0, drainConcurrency })?.seconds.most ?? 0;
    expect(seconds(5) - seconds(10)).toBe(2 * 95);
    expect(seconds('auto')).toBeLessThan(seconds(2));
  });

  test('has no extra instances where members are ended in place', () => {
    const inPlace = forecastFor(
      3,
      { maxSurge: { kind: 'count', count: 0 } },
      { trafficSources: [TARGET_GROUP] },
    );
    expect(inPlace?.instanceHours).toEqual({ least: 0, most: 0 });
    expect(inPlace?.seconds.most).toBeGreaterThan(3 * 200);
  });

  test('waits for windows with its surge, at a price that a smaller one lowers', () => {
    const opens = { seconds: 600, everySeconds: 24 * 3600 };
    const waitsWith = (settings: Partial<Settings>, count = 20) =>
      forecastFor(count, { canary: 1, ...settings }, { opens })?.waits;
    const waits = waitsWith({});
    expect(waits).toMatchObject({ windowSeconds: 600, windows: 3 });
    expect(waits?.instanceHours).toBeGreaterThan(600);
    const less = waitsWith({ maxSurge: { kind: 'count', count: 1 } });
    expect(less?.instanceHours).toBeLessThan(300);
    expect(waitsWith({ maxSurge: { kind: 'count', count: 0 } })).toBeUndefined();
    expect(forecastFor(20, { canary: 1 })).not.toHaveProperty('waits');
    const long = { seconds: 4 * 3600, everySeconds: 24 * 3600 };
    expect(forecastFor(20, { canary: 1 }, { opens: long })).not.toHaveProperty('waits');
  });

  test('is not told of a roll that cannot go to its end, or goes back', () => {
    expect(forecastFor(3, {}, { trafficSources: [TARGET_GROUP], maxSize: 3 })).toBeUndefined();
    const course = { kind: 'rollback', since: new Date(0), because: { code: 'asked' } } as const;
    expect(forecastFor(3, {}, { roll: { course } })).toBeUndefined();
  });
});

/** Drains that take at most 100 s each, one after the other unless a test says otherwise. */
const STEADY = { bakeSeconds: 100, stableSeconds: 35, drainConcurrency: 1 } as const;

test('what auto saves is told from a third on', () => {
  const stretches = (instances: number): ForecastStretch[] => [
    { kind: 'launch', extra: 0 },
    { kind: 'trial', extra: 0 },
    { kind: 'drain', extra: 0, instances },
  ];
  const { seconds, autoSeconds } = forecast(stretches(12), STEADY);
  expect([seconds.most, autoSeconds?.most]).toEqual([1500, 1000]);
  expect(forecast(stretches(11), STEADY)).not.toHaveProperty('autoSeconds');
});

describe('what waits for windows', () => {
  const waitsOf = (
    stretches: readonly ForecastStretch[],
    opens: { readonly seconds: number; readonly everySeconds: number },
    settings: Partial<Parameters<typeof forecast>[1]> = {},
  ) => forecast(stretches, { ...STEADY, ...settings }, 0, opens).waits;
  const launch = (extra: number) => ({ kind: 'launch', extra }) as const;
  const drain = (extra: number, instances: number) => ({ kind: 'drain', extra, instances }) as const;

  test('is what no longer begins in the first, for as long as the next is shut', () => {
    const opens = { seconds: 300, everySeconds: 7500 };
    // 200 s of launches and 100 s of the first two, so that the other two wait for two hours.
    expect(waitsOf([launch(4), drain(4, 4)], opens, { drainConcurrency: 2 })).toEqual({
      ...{ windowSeconds: 300, windows: 1, instanceHours: 4 },
    });
    expect(waitsOf([launch(4), drain(4, 2)], opens, { drainConcurrency: 2 })).toBeUndefined();
  });

  test('goes by sevenths where as many as may drain at once', () => {
    // Two at a time, and three of these to a window: eight wait for the second, two for the third.
    expect(
      waitsOf([drain(14, 14)], { seconds: 300, everySeconds: 7500 }, { drainConcurrency: 'auto' }),
    ).toEqual({ windowSeconds: 300, windows: 2, instanceHours: 20 });
  });

  test('are launches, too, at no price', () => {
    expect(waitsOf([drain(1, 1), launch(1), drain(1, 1)], { seconds: 100, everySeconds: 3700 })).toEqual({
      ...{ windowSeconds: 100, windows: 2, instanceHours: 1 },
    });
  });

  test('is no trial, which takes its time all the same', () => {
    const opens = { seconds: 120, everySeconds: 3720 };
    const around = [drain(2, 1), { kind: 'trial', extra: 2 }, drain(2, 1)] as const;
    const one = { windowSeconds: 120, windows: 1, instanceHours: 2 };
    expect(waitsOf(around, opens)).toEqual(one);
    expect(waitsOf([drain(2, 1), drain(2, 1)], { ...opens, seconds: 220 })).toBeUndefined();
    expect(waitsOf(around, { seconds: 100, everySeconds: 3700 })).toEqual({ ...one, windowSeconds: 100 });
  });

  test('is nothing where only instances wait in whose place none is there', () => {
    expect(waitsOf([drain(1, 3)], { seconds: 100, everySeconds: 3700 })).toBeUndefined();
  });
});

describe('how long the tasks of services take to leave', () => {
  const agent = service('agent', { daemon: true, sources: [] });

  test('is what AWS lets them behind a load balancer, and nothing otherwise', () => {
    expect(longestGoodbye()).toBe(0);
    expect(longestGoodbye({ services: [service('api'), BALANCED] })).toBe(330);
    expect(longestGoodbye({ services: [service('api')] })).toBe(0);
  });

  test('is what they took lately, and daemons after them', () => {
    const stopSeconds = new Map([
      ['service:api', 20],
      ['service:agent', 400],
    ]);
    expect(longestGoodbye({ services: [service('api'), BALANCED, agent], stopSeconds })).toBe(730);
    const unknown = service('agent', { daemon: true });
    expect(longestGoodbye({ services: [service('api'), unknown], stopSeconds })).toBe(20);
  });
});

describe('what is left of a roll', () => {
  const left = (scene: Scene) =>
    timeLeft(
      assessed(observe([old('i-1'), old('i-2')], { launch: launching(PLACE), maxSize: 4, ...scene })),
      ROLL,
    );

  test('is told once it has begun, as far as it is foreseen', () => {
    expect(left({})).toEqual({ forecast: expect.objectContaining({ seconds: expect.anything() }) });
    expect(left({ roll: null })).toEqual({});
    expect(left({ trafficSources: [TARGET_GROUP], maxSize: 2 })).not.toHaveProperty('forecast');
  });
});
