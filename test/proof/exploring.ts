import { interleave, type Preemption, type RollName } from './interleavings.ts';
import type { RollOutcome } from './outcome.ts';
import type { Step } from './turns.ts';

/** Which orders of a small roll are tried. */
export interface Space {
  readonly roll: RollName;
  readonly invocations: number;
  /** How many steps after a first preemption there may be a second. 0: there is none. */
  readonly secondWithin: number;
}

/** A share of the first preemptions, each nth. */
export interface Share {
  readonly part: number;
  readonly parts: number;
}

/**
 * Tries every order with one preemption, and those with a second soon after it. Which invocation is first
 * makes no difference, for all are alike.
 */
export async function explore(space: Space, { part, parts }: Share): Promise<RollOutcome[]> {
  const { roll, invocations, secondWithin } = space;
  const outcomes: RollOutcome[] = [];
  const preempted = (preemptions: readonly Preemption[]) =>
    interleave({ roll, invocations, order: { kind: 'bounded', preemptions } });
  const begun = await preempted([]);
  if (part === 0) outcomes.push(begun.outcome);
  for (const first of preemptionsFrom(begun.steps, part, Number.POSITIVE_INFINITY, parts)) {
    const once = await preempted([first]);
    outcomes.push(once.outcome);
    for (const second of preemptionsFrom(once.steps, first.step + 1, secondWithin))
      outcomes.push((await preempted([first, second])).outcome);
  }
  return outcomes;
}

function preemptionsFrom(steps: readonly Step[], from: number, count: number, every = 1): Preemption[] {
  const preemptions: Preemption[] = [];
  for (let step = from; step < Math.min(steps.length, from + count); step += every) {
    const others = (steps[step]?.waiting.length ?? 1) - 1;
    for (let other = 0; other < others; other++) preemptions.push({ step, other });
  }
  return preemptions;
}
