import type { Clock } from './clock.ts';
import { eventQueue } from './event-queue.ts';

/** Time that stands still until a test moves it on. Thousands of its minutes pass in a second. */
export interface VirtualClock extends Clock {
  /**
   * Runs what is due within `seconds`, one event after another, without letting promises settle in between.
   */
  advance(seconds: number): void;
  /** Runs events until `condition` holds; an error if it does not within `maxSeconds`. */
  runUntil(condition: () => boolean, maxSeconds?: number): void;
  /** Settles as `promise` does, moving time on whenever everything that waits, waits for time. */
  drive<T>(promise: Promise<T>, maxSeconds?: number): Promise<T>;
  /**
   * Keeps `drive` from moving time on while something takes real time, such as an SDK call; the returned
   * function releases it.
   */
  hold(): () => void;
}

const DAY_SECONDS = 86_400;
const DEFAULT_MAX_SECONDS = 7 * DAY_SECONDS;

/** With nothing left to happen a promise may still wait for a module to load, which takes real time. */
const PATIENCE_MS = 5000;

/** A pass of the event loop lets every promise that is ready, and all that follow from it, settle. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export function virtualClock(startEpochMs: number): VirtualClock {
  const queue = eventQueue(startEpochMs);
  const drivers = new Set<Driver>();
  let holds = 0;
  let driving = false;

  const stepOrTell = (waitingFor: string, untilMs: number) => {
    const next = queue.nextAt();
    if (next === undefined) throw new Error(`Nothing is left to happen, yet ${waitingFor}`);
    if (next > untilMs) throw new Error(`Out of simulated time, yet ${waitingFor}`);
    queue.step();
  };

  const driveAll = async () => {
    driving = true;
    const waitsInRealTime = patience(() => holds === 0 && queue.nextAt() === undefined);
    while (drivers.size > 0) {
      await settle();
      if (waitsInRealTime() || holds > 0 || drivers.size === 0) continue;
      const limits = [...drivers].map((driver) => driver.untilMs);
      try {
        stepOrTell('a promise is unsettled', Math.min(...limits));
      } catch (error) {
        for (const driver of drivers) driver.fail(error);
        drivers.clear();
      }
    }
    driving = false;
  };

  return {
    now: queue.now,
    schedule: (seconds, event) => queue.add(seconds * 1000, event),
    sleep: (seconds) =>
      new Promise((resolve) => {
        queue.add(seconds * 1000, resolve);
      }),
    advance: (seconds) => queue.runThrough(queue.now() + seconds * 1000),
    runUntil(condition, maxSeconds = DEFAULT_MAX_SECONDS) {
      const untilMs = queue.now() + maxSeconds * 1000;
      while (!condition()) stepOrTell('the condition does not hold', untilMs);
    },
    drive<T>(promise: Promise<T>, maxSeconds = DEFAULT_MAX_SECONDS) {
      return new Promise<T>((resolve, reject) => {
        const untilMs = queue.now() + maxSeconds * 1000;
        const driver: Driver = { untilMs, fail: reject };
        drivers.add(driver);
        promise.then(resolve, reject).finally(() => drivers.delete(driver));
        if (!driving) void driveAll();
      });
    },
    hold() {
      holds++;
      let held = true;
      return () => {
        if (held) holds--;
        held = false;
      };
    },
  };
}

/** Holds while nothing has moved, yet not for so long that nothing will. */
function patience(isStill: () => boolean): () => boolean {
  let movedAtMs = performance.now();
  return () => {
    if (!isStill()) movedAtMs = performance.now();
    return isStill() && performance.now() - movedAtMs < PATIENCE_MS;
  };
}

interface Driver {
  readonly untilMs: number;
  readonly fail: (error: unknown) => void;
}
