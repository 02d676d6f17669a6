import { Cron } from 'croner';
import type { Openings } from '../core/model/forecast.ts';
import type { Window } from '../core/model/settings.ts';

/** Every list of windows, of which one must be open. */
type Lists = readonly (readonly Window[])[];

/**
 * Two lists that are open at different minutes of each hour differ in all of them, and whoever may tag a
 * group may write such. Months of single days are tried within so many.
 */
const MOST_TRIES = 100;

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

/**
 * How long windows of all lists are open at once, at most, and how far it is from one opening to the next.
 *
 * @returns undefined if they don't open twice
 */
export function openingsOf(lists: Lists, from: Date): Openings | undefined {
  const seconds =
    60 * Math.min(...lists.map((windows) => Math.max(...windows.map(({ minutes }) => minutes))));
  const after = (at: Date) => opensAt(lists, new Date(at.getTime() + seconds * 1000));
  // The first may be in the middle of a window.
  const first = after(from);
  const second = first && after(first);
  const third = second && after(second);
  if (second === undefined || third === undefined) return undefined;
  return { seconds, everySeconds: (third.getTime() - second.getTime()) / 1000 };
}

function isOpen(window: Window, at: Date): boolean {
  const start = startAfter(window, new Date(at.getTime() - window.minutes * 60_000));
  return start !== undefined && start <= at;
}

const read = new WeakMap<Window, Cron>();

function startAfter(window: Window, at: Date): Date | undefined {
  const { cron, timeZone } = window;
  const known = read.get(window) ?? new Cron(cron, { timezone: timeZone });
  read.set(window, known);
  return known.nextRun(at) ?? undefined;
}
