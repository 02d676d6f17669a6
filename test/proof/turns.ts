import type { VirtualClock } from '../simulated-aws/clock/clock.ts';

/**
 * Says which invocation's call goes next. `waiting`: those that have one, in ascending order; `last`: whose
 * went before.
 */
export type Choose = (step: number, waiting: readonly number[], last: number | undefined) => number;

/** One choice that was made. */
export interface Step {
  readonly waiting: readonly number[];
  readonly chosen: number;
}

export interface Turns {
  /** Resolves when the invocation may make its next call. */
  turn(invocation: number): Promise<void>;
  /** Whose call went, one after the other. */
  readonly steps: readonly Step[];
  /** From here on calls go as they come. */
  end(): void;
}

/** A pass of the event loop lets all that can go on, go on: until it waits for a turn or for time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Lets the calls of several invocations go one by one, in the order that `choose` picks. Time stops while one
 * waits for its turn, so it only passes when all are asleep.
 */
export function takeTurns(clock: () => VirtualClock, choose: Choose): Turns {
  const waiting = new Map<number, (() => void)[]>();
  const steps: Step[] = [];
  let isGiving = false;
  let isOver = false;
  let last: number | undefined;

  /** Who sleeps until now is awake too. */
  const settleNow = async () => {
    await settle();
    clock().advance(0);
    await settle();
  };

  const give = async () => {
    isGiving = true;
    const letGo = clock().hold();
    await settleNow();
    while (waiting.size > 0) {
      const all = [...waiting.keys()].sort((a, b) => a - b);
      last = all.length === 1 ? all[0] : choose(steps.length, all, last);
      steps.push({ waiting: all, chosen: last as number });
      release(last as number);
      await settleNow();
    }
    letGo();
    isGiving = false;
  };

  const release = (invocation: number) => {
    const [first, ...others] = waiting.get(invocation) ?? [];
    if (others.length > 0) waiting.set(invocation, others);
    else waiting.delete(invocation);
    first?.();
  };

  return {
    steps,
    turn(invocation) {
      if (isOver) return Promise.resolve();
      const turn = new Promise<void>((resolve) => {
        waiting.set(invocation, [...(waiting.get(invocation) ?? []), resolve]);
      });
      if (!isGiving) void give();
      return turn;
    },
    end() {
      isOver = true;
    },
  };
}
