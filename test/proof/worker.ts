import { parentPort } from 'node:worker_threads';
import { carryOut, type Job } from './jobs.ts';

/** Does the jobs that it is sent, one after the other, and answers each with its outcomes. */
parentPort?.on('message', async (job: Job) => {
  const outcomes = await carryOut(job);
  // A log is long, and only matters if something broke.
  parentPort?.postMessage(outcomes.map((each) => (each.broken.length > 0 ? each : { ...each, log: [] })));
});
