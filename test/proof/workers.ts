import { Worker } from 'node:worker_threads';
import type { Job } from './jobs.ts';
import type { RollOutcome } from './outcome.ts';

const FILE = new URL('./worker.mjs', import.meta.url);

/**
 * Shares jobs out among this many threads, and reports the outcomes of each as they come. An error in a
 * thread ends everything.
 */
export async function shareOut(
  jobs: readonly Job[],
  threads: number,
  tell: (outcomes: readonly RollOutcome[]) => void,
): Promise<void> {
  const left = [...jobs];
  await Promise.all(Array.from({ length: threads }, () => work(left, tell)));
}

function work(left: Job[], tell: (outcomes: readonly RollOutcome[]) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(FILE);
    const next = () => {
      const job = left.shift();
      if (job) return worker.postMessage(job);
      void worker.terminate();
      resolve();
    };
    worker.on('error', (error) => {
      left.length = 0;
      reject(error);
    });
    worker.on('message', (outcomes: readonly RollOutcome[]) => {
      tell(outcomes);
      next();
    });
    next();
  });
}
