/**
 * The time of a simulated world. The world schedules by it, the wire's delays and the function's waits sleep
 * by it.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `event` once, after `seconds` of simulated time; the returned function cancels it. */
  schedule(seconds: number, event: () => void): () => void;
  /** Resolves after `seconds` of simulated time. */
  sleep(seconds: number): Promise<void>;
}

/**
 * Time as it passes, with every delay divided by `speed`. `now()` stays the real time, so that what travels
 * over the wire agrees with the clock of the reader; so the world measures time by events, never by `now()`.
 */
export function spedUpClock(speed: number): Clock {
  const milliseconds = (seconds: number) => (seconds * 1000) / speed;
  return {
    now: Date.now,
    schedule(seconds, event) {
      // A world that only waits for itself must not keep the process alive.
      const timer = setTimeout(event, milliseconds(seconds)).unref();
      return () => clearTimeout(timer);
    },
    sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, milliseconds(seconds))),
  };
}

export { type VirtualClock, virtualClock } from './virtual-clock.ts';
