import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Range } from '../../../lambda/core/model/forecast.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { plan } from '../../../lambda/core/plan/plan.ts';
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
