import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';

/**
 * How many polls this invocation must see a fault last before an expired limit counts. An agent reconnects
 * several times an hour, and a group that scales lacks an instance for a moment.
 */
export const DEBOUNCE_POLLS = 6;

/** Where polls are seldom: ECS may end what doesn't register within minutes, and give its place up. */
const DEBOUNCE_SECONDS = 120;

/** The longest time that an invocation can be sure to observe anything: Lambda stops it after 15 minutes. */
export const WATCHED_SECONDS = 600;

/** Whether this invocation has seen it last for long enough to be more than a blip. */
export function hasLasted(since: Date | undefined, { pollSeconds }: Settings, now: Date): boolean {
  return isOver(since ?? now, Math.min(DEBOUNCE_POLLS * pollSeconds, DEBOUNCE_SECONDS), now);
}

export function watchedSeconds({ readyTimeoutSeconds }: Settings): number {
  return Math.min(readyTimeoutSeconds, WATCHED_SECONDS);
}
