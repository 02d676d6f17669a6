/** The time that a text is; undefined unless it is an ISO 8601 date or time. */
export function dateIn(text = ''): Date | undefined {
  const time = new Date(text);
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

/**
 * Undefined if it isn't a time. A time in the future counts as now: the writer's clock may be ahead of
 * ours.
 */
export function timeIn(text: string | undefined, now: Date): Date | undefined {
  const time = dateIn(text);
  return time !== undefined && time > now ? now : time;
}

/** A text that isn't a time counts as now. */
export function readTime(text: string | undefined, now: Date): Date {
  return timeIn(text, now) ?? now;
}
