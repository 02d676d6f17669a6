/** The time of a simulated world. The world schedules by it, the wire's delays and the function's waits sleep by it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `event` once, after `seconds` of simulated time; the answer takes it back. */
  schedule(seconds: number, event: () => void): () => void;
  /** Resolves after `seconds` of simulated time. */
  sleep(seconds: number): Promise<void>;
}
