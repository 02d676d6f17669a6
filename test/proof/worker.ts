import { parentPort } from 'node:worker_threads';
import { carryOut, type Done, type Job } from './jobs.ts';

/** Does the jobs that it is sent, one after the other, and answers each with its outcomes. */
parentPort?.on('message', async (job: Job) => {
  const begunAt = performance.now();
  const outcomes = await carryOut(job);
  const done: Done = {
    // A log is long, and only matters if something broke.
    outcomes: outcomes.map((each) => (each.broken.length > 0 ? each : { ...each, log: [] })),
    seconds: (performance.now() - begunAt) / 1000,
  };
  parentPort?.postMessage(done);
});
