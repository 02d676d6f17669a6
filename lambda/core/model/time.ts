/**
 * For this long EC2 may answer as if a change had not been made: it speaks of "a few minutes".
 *
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
export const EC2_LAG_SECONDS = 300;

/** Seconds from one time to another. */
export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

/** Whether something that began at `since` has lasted longer than its limit. */
export function isOver(since: Date, limitSeconds: number, now: Date): boolean {
  return secondsBetween(since, now) > limitSeconds;
}

/** The later of two times. */
export function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** The earlier of two times. */
export function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
