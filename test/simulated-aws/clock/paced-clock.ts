import { performance } from 'node:perf_hooks';
import type { Clock } from './clock.ts';
import { eventQueue } from './event-queue.ts';

/** Simulated time that a person can watch, and that passes the same way each time. */
export interface PacedClock extends Clock {
  /** Keeps time from moving on, such as while a process computes; the returned function releases it. */
  hold(): () => void;
  /** Milliseconds since 1970 for a display: between two events it passes steadily. */
  shown(): number;
  /** Time stops for good. */
  end(): void;
}

/**
 * Time that moves from event to event, each awaited for its real time divided by `speed`. `now()` is the time
 * of the latest event, so what a world comes to depends on its events alone, however fast this machine is.
 *
 * @param settled called before time moves on, when all that follows from the latest event has happened
 */
export function pacedClock(
  startEpochMs: number,
  speed: number,
  settled: () => void = () => undefined,
): PacedClock {
  const queue = eventQueue(startEpochMs);
  let holds = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  // When time began to move on from the latest event.
  let leftAt = performance.now();
  let heldAt = leftAt;

  const passed = () => ((holds > 0 ? heldAt : performance.now()) - leftAt) * speed;
  const step = () => {
    settled();
    queue.step();
    leftAt = performance.now();
    plan();
  };
  const plan = () => {
    clearTimeout(timer);
    const next = queue.nextAt();
    if (next === undefined || holds > 0 || hasEnded) return;
    timer = setTimeout(step, (next - queue.now() - passed()) / speed);
  };

  return {
    now: queue.now,
    shown: () => Math.min(queue.now() + passed(), queue.nextAt() ?? Number.POSITIVE_INFINITY),
    schedule(seconds, event) {
      const takeBack = queue.add(seconds * 1000, event);
      plan();
      return takeBack;
    },
    sleep: (seconds) =>
      new Promise((resolve) => {
        queue.add(seconds * 1000, resolve);
        plan();
      }),
    hold() {
      if (holds === 0) heldAt = performance.now();
      holds++;
      clearTimeout(timer);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holds--;
        // What had passed before stays passed.
        if (holds === 0) leftAt += performance.now() - heldAt;
        plan();
      };
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
