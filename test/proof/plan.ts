import { ROLLS, type RollName } from './interleavings.ts';
import type { Job } from './jobs.ts';
import type { Section } from './outcome.ts';
import { SCENARIOS } from './scenarios.ts';

/** How much to prove. */
export interface Extent {
  /** Rolls in bad weather. */
  readonly rolls: number;
  /** The first; the others follow it. */
  readonly seed: number;
  /** Of kills and orders, only every nth. */
  readonly share: number;
}

/** Rolls in one job: few enough that all threads end at about the same time. */
const BATCH = 25;

/** One in so many is played once more while groups end instances of their own. */
const WITH_ENDS = 5;

/** Rolls that are killed twice, of each scenario. */
const DOUBLE_KILLS = 50;

/** Random orders of each small roll, for two invocations and for three. */
const RANDOM_ORDERS = 250;

/** A sweep, or the orders of a small roll, is split into this many jobs. */
const PARTS = 12;

/**
 * A second preemption comes within this many steps of the first. With three invocations there are too many
 * orders for more.
 */
const SECOND_WITHIN = { 2: 24, 3: 1 } as const;

/** What each part of the proof has to do. */
export function jobsOf(section: Section, { rolls, seed, share: every }: Extent): Job[] {
  switch (section) {
    case 'storm':
      return [
        ...batches(seed, rolls).map((seeds): Job => ({ kind: 'storm', seeds })),
        ...batches(seed, Math.ceil(rolls / WITH_ENDS)).map((seeds): Job => ({ kind: 'ends', seeds })),
      ];
    case 'groups':
      return batches(seed, rolls).map((seeds): Job => ({ kind: 'groups', seeds }));
    case 'sweep':
      return SCENARIOS.flatMap(({ name: scenario }): Job[] => [
        ...parts(every).map((share): Job => ({ kind: 'sweep', scenario, share })),
        ...batches(seed, Math.ceil(DOUBLE_KILLS / every)).map(
          (seeds): Job => ({ kind: 'double kills', scenario, seeds }),
        ),
      ]);
    case 'interleavings':
      return (Object.keys(ROLLS) as RollName[]).flatMap((roll) =>
        ([2, 3] as const).flatMap((invocations): Job[] => {
          const space = { roll, invocations, secondWithin: SECOND_WITHIN[invocations] };
          return [
            ...parts(every).map((share): Job => ({ kind: 'orders', space, share })),
            ...batches(seed, Math.ceil(RANDOM_ORDERS / every)).map(
              (seeds): Job => ({ kind: 'random orders', roll, invocations, seeds }),
            ),
          ];
        }),
      );
  }
}

function parts(every: number) {
  const all = Array.from({ length: PARTS }, (_, part) => ({ part, parts: PARTS }));
  return all.filter(({ part }) => part % every === 0);
}

function batches(first: number, count: number): number[][] {
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) =>
    Array.from(
      { length: Math.min(BATCH, count - batch * BATCH) },
      (_, index) => first + batch * BATCH + index,
    ),
  );
}
