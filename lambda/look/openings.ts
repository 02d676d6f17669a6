import { Cron } from 'croner';
import type { Window } from '../core/model/settings.ts';

/** Every list of windows, of which one must be open. */
type Lists = readonly (readonly Window[])[];

/** Two lists that are open at different minutes of each hour differ in all of them. */
const MOST_TRIES = 1000;

/**
 * When a window of each list is open at once: `from`, or the next time. Windows last as long as they say,
 * also where clocks go forward or back meanwhile.
 *
 * @returns undefined if that never happens, or not for very long
 */
export function opensAt(lists: Lists, from: Date): Date | undefined {
  let at = from;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const shut = lists.find((windows) => !windows.some((window) => isOpen(window, at)));
    if (shut === undefined) return at;
    const starts = shut.flatMap((window) => startAfter(window, at) ?? []);
    if (starts.length === 0) return undefined;
    at = new Date(Math.min(...starts.map((start) => start.getTime())));
  }
  return undefined;
}

function isOpen(window: Window, at: Date): boolean {
  const start = startAfter(window, new Date(at.getTime() - window.minutes * 60_000));
  return start !== undefined && start <= at;
}

function startAfter({ cron, timeZone }: Window, at: Date): Date | undefined {
  return new Cron(cron, { timezone: timeZone }).nextRun(at) ?? undefined;
}
