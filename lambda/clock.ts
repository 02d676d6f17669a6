/** Time as the loop needs it; tests bring their own. */
export interface Clock {
  now(): Date;
  sleep(seconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
};
