import { Worker } from 'node:worker_threads';
import type { Done, Job } from './jobs.ts';

const FILE = new URL('./worker.mjs', import.meta.url);

type Tell = (job: Job, done: Done) => Promise<void>;

/**
 * Shares jobs out among this many threads, and reports what came of each. An error in a thread ends
 * everything.
 *
 * @param isOver asked before each job: none begins any more
 */
export async function shareOut(
  jobs: readonly Job[],
  threads: number,
  isOver: () => boolean,
  tell: Tell,
): Promise<void> {
  const left = [...jobs];
  const next = () => (isOver() ? undefined : left.shift());
  await Promise.all(Array.from({ length: threads }, () => work(next, tell)));
}

function work(take: () => Job | undefined, tell: Tell): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(FILE);
    const next = () => {
      const job = take();
      if (job) {
        worker.once('message', (done: Done) => void tell(job, done).then(next, reject));
        return worker.postMessage(job);
      }
      void worker.terminate();
      resolve();
    };
    worker.on('error', reject);
    next();
  });
}
