import { setTimeout as wait } from 'node:timers/promises';
import { BrokenOff } from './runner.ts';
import type { Clock } from './smoke.ts';

/** Real time; `signal` wakes sleepers. */
export function realClock(signal?: AbortSignal): Clock {
  return {
    now: Date.now,
    async sleep(seconds) {
      try {
        await wait(seconds * 1000, undefined, { signal });
      } catch (error) {
        throw signal?.aborted ? new BrokenOff('stopped') : error;
      }
    },
  };
}
