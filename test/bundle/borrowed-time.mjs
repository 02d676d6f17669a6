// The time of a simulated world, for a process that runs in it. It stands still while anything is under way here; once
// everything waits for time, this says for how long, on standard output, and the process that lends it tells the new time.
import process from 'node:process';

/** What comes before the milliseconds, on a line of its own. */
const WAITS = '\u0001waits ';
/** What doesn't keep time from moving on: the channels to the other process, and the timer that looks around. */
const QUIET = new Set(['PipeWrap', 'Timeout']);

/** From now on `Date` and timers go by the lent time. */
export function borrowTime(startMs) {
  const { Date: RealDate, setTimeout: realSetTimeout } = globalThis;
  const timers = new Map();
  let nowMs = startMs;
  let isLooking = false;
  let lastId = 0;

  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [nowMs] : given));
    }
    static now() {
      return nowMs;
    }
  };
  globalThis.setTimeout = (callback, milliseconds = 0, ...given) => {
    lastId += 1;
    const id = lastId;
    const timer = { id, ref: () => timer, unref: () => timer, hasRef: () => true };
    timers.set(id, { atMs: nowMs + Math.max(1, milliseconds), ring: () => callback(...given) });
    lookAround();
    return timer;
  };
  globalThis.clearTimeout = (timer) => void timers.delete(timer?.id);

  const next = () => Math.min(...[...timers.values()].map(({ atMs }) => atMs));
  const lookAround = () => {
    if (isLooking) return;
    isLooking = true;
    look(0);
  };
  // Twice quiet: what came in between may just be about to begin something.
  const look = (quiet) =>
    realSetTimeout(() => {
      const isQuiet = process.getActiveResourcesInfo().every((each) => QUIET.has(each));
      if (isQuiet && quiet > 0 && timers.size > 0) process.stdout.write(`${WAITS}${next() - nowMs}\n`);
      else if (timers.size > 0) look(isQuiet ? quiet + 1 : 0);
      else isLooking = false;
    }, 1);

  process.on('message', ({ nowMs: told }) => {
    nowMs = told;
    isLooking = false;
    const due = [...timers].filter(([, { atMs }]) => atMs <= nowMs);
    for (const [id, { ring }] of due.sort(([, a], [, b]) => a.atMs - b.atMs)) if (timers.delete(id)) ring();
    if (timers.size > 0) lookAround();
  });
}
