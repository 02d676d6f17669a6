import { findService } from './found.ts';
import { TASKS } from './names.ts';
import type { Smoke } from './smoke.ts';
import { TookTooLong } from './wait.ts';

/** How a roll ended, as the last invocation reports it. */
export interface Ending {
  /** `completed`, say, or `failed` with the function's own words. */
  readonly state: string;
  readonly minutes: number;
  /** Of the service's tasks, as seen every few seconds. */
  readonly lowestRunning: number;
}

const MOST_MINUTES = 60;
const BUSY_SECONDS = 20;
const LOOK_SECONDS = 5;

/** Invokes the function, again and again as the schedule would, until no group of it is under way. */
export async function rollToEnd(smoke: Smoke, functionName: string, event: object): Promise<Ending> {
  const begun = smoke.clock.now();
  const watch = watchTasks(smoke);
  try {
    const state = await invokeToEnd(smoke, functionName, event);
    return { state, minutes: (smoke.clock.now() - begun) / 60_000, lowestRunning: watch.lowest() };
  } finally {
    await watch.stop();
  }
}

async function invokeToEnd(smoke: Smoke, functionName: string, first: object): Promise<string> {
  const last = smoke.clock.now() + MOST_MINUTES * 60_000;
  let event = first;
  while (smoke.clock.now() < last) {
    const answer = await smoke.invoke(functionName, event);
    if (answer.kind === 'failed') return `failed: ${answer.message}`;
    if (answer.kind === 'answered' && !answer.states.some(isUnderWay))
      return answer.states.join(', ') || 'over';
    if (answer.kind !== 'busy') event = { action: 'continue' };
    await smoke.clock.sleep(BUSY_SECONDS);
  }
  throw new TookTooLong('the end of the roll', MOST_MINUTES * 60);
}

const isUnderWay = (state: string) => state === 'in-progress';

/** Keeps looking while other things happen, until told to stop. */
function watchTasks(smoke: Smoke) {
  let lowest = TASKS;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { runningCount = 0 } = (await findService(smoke)) ?? {};
      lowest = Math.min(lowest, runningCount);
      await smoke.clock.sleep(LOOK_SECONDS);
    }
  })();
  // Told by `stop`; until then nobody waits for it.
  watching.catch(() => undefined);
  return {
    lowest: () => lowest,
    async stop() {
      isOver = true;
      await watching;
    },
  };
}
