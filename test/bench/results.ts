import * as z from 'zod/mini';
import type { BenchCluster } from './clusters.ts';
import type { Contestant } from './contestants.ts';
import { median } from './median.ts';
import type { Roll } from './play.ts';
import { dollars, gigabyteSeconds } from './prices.ts';

/** How a contestant rolls a cluster: each figure is the median of its seeds. */
const RESULT = z.object({
  cluster: z.string(),
  contestant: z.string(),
  /** Where the contestant's algorithm is described; undefined for this project. */
  source: z.optional(z.string()),
  seeds: z.array(z.number()),
  /** What the rolls ended in, each once. */
  endings: z.array(z.string()),
  makespanSeconds: z.number(),
  typicalSeconds: z.number(),
  leastSeconds: z.number(),
  placementsPerTask: z.number(),
  belowMinimumSeconds: z.number(),
  connectionsCut: z.number(),
  /** By service and operation, such as `ecs.DescribeTasks`. */
  calls: z.record(z.string(), z.number()),
  extraInstanceHours: z.number(),
  invocations: z.number(),
  gigabyteSeconds: z.number(),
  dollars: z.number(),
  /** Invariants broken, in all seeds together. */
  broken: z.number(),
});
export type Result = z.infer<typeof RESULT>;

/** What is measured of the function beside rolls. */
const FUNCTION = z.object({
  /** Milliseconds of a decision by the number of instances, and how they grow. */
  decide: z.optional(
    z.object({
      node: z.string(),
      times: z.readonly(z.array(z.readonly(z.tuple([z.number(), z.number()])))),
      growth: z.object({ exponent: z.number(), rSquared: z.number() }),
    }),
  ),
  /** One invocation each. */
  invocations: z.optional(
    z.array(z.object({ cluster: z.string(), megabytes: z.number(), processorSeconds: z.number() })),
  ),
  /** Calls of an invocation that finds nothing to do. */
  idle: z.optional(
    z.array(z.object({ groups: z.number(), action: z.enum(['roll', 'continue']), calls: z.number() })),
  ),
  /** One pass over a sequence's table each. */
  sequence: z.optional(
    z.array(
      z.object({
        stacks: z.number(),
        accounts: z.number(),
        /** Whether a release has just come out; otherwise nothing is left to decide. */
        isNewRelease: z.boolean(),
        calls: z.number(),
        /** Of DynamoDB, as it bills them. */
        readUnits: z.number(),
        writeUnits: z.number(),
        /** Of one processor, with the SDK and the simulated DynamoDB in the same process. */
        processorSeconds: z.number(),
        /** Of them, what it takes to decide. */
        decideSeconds: z.number(),
      }),
    ),
  ),
});
export type FunctionFigures = z.infer<typeof FUNCTION>;

/** How a way copes with trouble: each figure is the median of its seeds. */
const COPED = z.object({
  trouble: z.string(),
  contestant: z.string(),
  belowMinimumSeconds: z.number(),
  connectionsCut: z.number(),
  /** Instances that run in the end, by their image. */
  onNewImage: z.number(),
  onOldImage: z.number(),
});
export type Coped = z.infer<typeof COPED>;

/** What the file of results has in it. */
export const RESULTS = z.object({
  /** When and of which commit the last of it was measured. */
  measured: z.string(),
  function: z.optional(FUNCTION),
  troubles: z.optional(z.array(COPED)),
  results: z.array(RESULT),
});
export type Results = z.infer<typeof RESULTS>;

interface Summarised {
  readonly cluster: BenchCluster;
  readonly contestant: Contestant;
  readonly seeds: readonly number[];
  /** One for each seed. */
  readonly rolls: readonly Roll[];
  /** Of the function. */
  readonly memoryMegabytes: number;
}

export function summarise({ cluster, contestant, seeds, rolls, memoryMegabytes }: Summarised): Result {
  const of = (figure: (roll: Roll) => number) => rounded(median(rolls.map(figure)));
  return {
    cluster: cluster.name,
    contestant: contestant.name,
    ...(contestant.kind === 'other' && { source: contestant.source }),
    seeds: [...seeds],
    endings: [...new Set(rolls.map(({ ending }) => ending))],
    makespanSeconds: of((roll) => roll.makespanSeconds),
    typicalSeconds: of((roll) => roll.typicalSeconds),
    leastSeconds: of((roll) => roll.leastSeconds),
    placementsPerTask: of(({ placements, tasks }) => placements / tasks),
    belowMinimumSeconds: of((roll) => roll.belowMinimumSeconds),
    connectionsCut: of((roll) => roll.connectionsCut),
    calls: medianCalls(rolls),
    extraInstanceHours: of((roll) => roll.extraInstanceHours),
    invocations: of((roll) => roll.invocations),
    gigabyteSeconds: of((roll) => gigabyteSeconds(roll, memoryMegabytes)),
    dollars: of((roll) => dollars(roll, memoryMegabytes)),
    broken: rolls.reduce((sum, { broken }) => sum + broken, 0),
  };
}

function medianCalls(rolls: readonly Roll[]): Record<string, number> {
  const keys = [...new Set(rolls.flatMap(({ calls }) => Object.keys(calls)))].sort();
  return Object.fromEntries(keys.map((key) => [key, median(rolls.map(({ calls }) => calls[key] ?? 0))]));
}

export const callsInAll = ({ calls }: Pick<Result, 'calls'>) =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

/** What was measured anew takes the place of what was measured before; the order is that of the tables. */
export function merge(before: readonly Result[], now: readonly Result[], order: readonly string[]): Result[] {
  const merged = new Map([...before, ...now].map((each) => [keyOf(each), each]));
  return order.flatMap((key) => merged.get(key) ?? []);
}

export const keyOf = ({ cluster, contestant }: Pick<Result, 'cluster' | 'contestant'>) =>
  `${cluster}: ${contestant}`;

const rounded = (figure: number) => Math.round(figure * 1000) / 1000;
