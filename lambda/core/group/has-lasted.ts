import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';

/**
 * How many polls this invocation must see a fault last before an expired limit counts. An agent reconnects
 * several times an hour, and a group that scales lacks an instance for a moment.
 */
export const DEBOUNCE_POLLS = 6;

/** The longest time that an invocation can be sure to observe anything: Lambda stops it after 15 minutes. */
export const WATCHED_SECONDS = 600;

/** Whether this invocation has seen it last for long enough to be more than a blip. */
export function hasLasted(since: Date | undefined, { pollSeconds }: Settings, now: Date): boolean {
  return since !== undefined && isOver(since, DEBOUNCE_POLLS * pollSeconds, now);
}

export function watchedSeconds({ readyTimeoutSeconds }: Settings): number {
  return Math.min(readyTimeoutSeconds, WATCHED_SECONDS);
}
