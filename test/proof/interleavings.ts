import { type Stage, type StageOptions, stage } from '../rollout/stage.ts';
import { BRISK } from '../rollout/sweep.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { brokenIn } from './broken.ts';
import { finishRoll } from './ending.ts';
import { lastEnding, type RollOutcome } from './outcome.ts';
import { drawFrom } from './random.ts';
import { type Choose, type Step, takeTurns } from './turns.ts';

/** In which order the calls of invocations go that run at the same time. */
export type Order =
  | {
      /** The first goes on until it sleeps or ends, then the next does. */
      readonly kind: 'bounded';
      /** Where another is let in before, by the step, in ascending order. */
      readonly preemptions: readonly Preemption[];
    }
  /** Any goes at any step. */
  | { readonly kind: 'random'; readonly seed: number };

export interface Preemption {
  readonly step: number;
  /** Of those that wait and were not on, the how manieth is let in; from 0. */
  readonly other: number;
}

/** One roll by several invocations at once. */
export interface Interleaving {
  readonly roll: RollName;
  readonly invocations: number;
  readonly order: Order;
}

/** What it came to, and the choices there were. */
export interface Interleaved {
  readonly outcome: RollOutcome;
  readonly steps: readonly Step[];
}

/** Small ones: there are thousands of orders of each. */
export const ROLLS = {
  'launch template': { furnish: (world) => void small(world, 'launch-template') },
  'launch configuration': { furnish: (world) => void small(world, 'launch-configuration') },
  'target group': {
    environment: { MAX_SURGE: '2' },
    expectations: { maxSurge: 2 },
    furnish(world) {
      const { arn } = world.addTargetGroup({ name: 'web' });
      small(world, 'launch-template', { targetGroupArns: [arn], maxSize: 6 });
    },
  },
} as const satisfies Readonly<Record<string, Pick<StageOptions, 'environment' | 'expectations' | 'furnish'>>>;
export type RollName = keyof typeof ROLLS;

function small(
  world: World,
  launchSpec: 'launch-template' | 'launch-configuration',
  group: Parameters<typeof standardScenario>[0]['group'] = {},
) {
  standardScenario({ world, instances: 2, services: 1, launchSpec, group });
}

export async function interleave({ roll, invocations, order }: Interleaving): Promise<Interleaved> {
  const { environment, ...options }: Pick<StageOptions, 'environment' | 'expectations' | 'furnish'> =
    ROLLS[roll];
  const turns = takeTurns(() => staged.clock, chooseBy(order));
  const staged: Stage = stage({
    ...BRISK,
    ...options,
    environment: { ...BRISK.environment, ...environment },
    turn: turns.turn,
  });
  const broken = await brokenIn(staged, async () => {
    await staged.invokeTogether(Array.from({ length: invocations }, () => ({ action: 'roll' })));
    turns.end();
    await finishRoll(staged);
  });
  const outcome: RollOutcome = {
    section: 'interleavings',
    name: `${invocations} invocations, ${roll}`,
    replay: `interleavings/${roll}/${invocations}/${orderText(order)}`,
    weathers: [],
    faults: { 'overlapping invocations': 1 },
    endedIn: lastEnding(staged.endings),
    checked: staged.invariants.checked,
    broken,
    log: staged.log,
  };
  return { outcome, steps: turns.steps };
}

function chooseBy(order: Order): Choose {
  if (order.kind === 'random') {
    const draw = drawFrom(order.seed);
    return (_, waiting) => draw.oneOf(waiting) ?? 0;
  }
  const others = new Map(order.preemptions.map(({ step, other }) => [step, other]));
  return (step, waiting, last) => {
    const usual = last ?? 0;
    const goesOn = waiting.includes(usual)
      ? usual
      : (waiting.find((each) => each > usual) ?? waiting[0] ?? 0);
    const other = others.get(step);
    if (other === undefined) return goesOn;
    return waiting.filter((each) => each !== goesOn)[other] ?? goesOn;
  };
}

/**
 * `random 17`, or `1 at 35, 0 at 50`: at step 35 the second of the others is let in, at step 50 the first.
 */
function orderText(order: Order): string {
  if (order.kind === 'random') return `random ${order.seed}`;
  return order.preemptions.map(({ step, other }) => `${other} at ${step}`).join(', ') || IN_TURN;
}

const IN_TURN = 'one after the other';

/** Reads what `orderText` writes; undefined if it didn't write this. */
export function parseOrder(text: string): Order | undefined {
  const seed = /^random (\d+)$/.exec(text)?.[1];
  if (seed !== undefined) return { kind: 'random', seed: Number(seed) };
  if (text !== IN_TURN && !/^\d+ at \d+(, \d+ at \d+)*$/.test(text)) return undefined;
  const preemptions = [...text.matchAll(/(\d+) at (\d+)/g)].map(([, other, step]) => ({
    step: Number(step),
    other: Number(other),
  }));
  return { kind: 'bounded', preemptions };
}
