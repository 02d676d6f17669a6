import { explore, type Share, type Space } from './exploring.ts';
import { interleave, type RollName } from './interleavings.ts';
import type { RollOutcome } from './outcome.ts';
import { drawFrom } from './random.ts';
import { scenarioNamed } from './scenarios.ts';
import { type StormSort, stormRoll } from './storm.ts';
import { callsOf, type Kill, playKilled } from './sweep.ts';

/** Some of the proof's rolls, as they are handed to a worker. */
export type Job =
  | { readonly kind: StormSort; readonly seeds: readonly number[] }
  /** Killed at each nth moment. */
  | { readonly kind: 'sweep'; readonly scenario: string; readonly share: Share }
  /** Killed twice, at random. */
  | { readonly kind: 'double kills'; readonly scenario: string; readonly seeds: readonly number[] }
  | { readonly kind: 'orders'; readonly space: Space; readonly share: Share }
  | {
      readonly kind: 'random orders';
      readonly roll: RollName;
      readonly invocations: number;
      readonly seeds: readonly number[];
    };

/** What came of a job, and how long a thread took for it. */
export interface Done {
  readonly outcomes: readonly RollOutcome[];
  readonly seconds: number;
}

export async function carryOut(job: Job): Promise<RollOutcome[]> {
  switch (job.kind) {
    case 'storm':
    case 'ends':
    case 'groups':
      return each(job.seeds, (seed) => stormRoll(seed, undefined, job.kind));
    case 'sweep':
      return sweep(job.scenario, job.share);
    case 'double kills':
      return killTwice(job.scenario, job.seeds);
    case 'orders':
      return explore(job.space, job.share);
    case 'random orders':
      return each(job.seeds, (seed) => interleaveAtRandom(job.roll, job.invocations, seed));
  }
}

/** One after the other: rolls at the same time would only take turns. */
async function each<Item>(
  items: readonly Item[],
  roll: (item: Item) => Promise<RollOutcome>,
): Promise<RollOutcome[]> {
  const outcomes: RollOutcome[] = [];
  for (const item of items) outcomes.push(await roll(item));
  return outcomes;
}

async function interleaveAtRandom(roll: RollName, invocations: number, seed: number): Promise<RollOutcome> {
  const { outcome } = await interleave({ roll, invocations, order: { kind: 'random', seed } });
  return outcome;
}

async function sweep(name: string, { part, parts }: Share): Promise<RollOutcome[]> {
  const scenario = scenarioNamed(name);
  const kills: Kill[] = [];
  const calls = await callsOf(scenario);
  for (const { call, before, after } of calls.filter((_, index) => index % parts === part)) {
    if (before) kills.push({ when: 'before', call });
    if (after) kills.push({ when: 'after', call });
  }
  return each(kills, (kill) => playKilled(scenario, [kill]));
}

async function killTwice(name: string, seeds: readonly number[]): Promise<RollOutcome[]> {
  const scenario = scenarioNamed(name);
  const calls = await callsOf(scenario);
  return each(seeds, (seed) => {
    const draw = drawFrom(seed);
    const kill = (call: number): Kill => ({ when: draw.chance(0.5) ? 'before' : 'after', call });
    const { call, after } = calls[draw.whole(0, calls.length - 1)] ?? { call: 1, after: false };
    const first: Kill = after ? kill(call) : { when: 'before', call };
    // The second comes soon: while what the first left half done is mended.
    return playKilled(scenario, [first, kill(call + draw.whole(1, SOON_CALLS))]);
  });
}

const SOON_CALLS = 40;
