import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../simulated-aws/clock/clock.ts';

/** A simulated world's time, as far as another process may live in it. */
export interface LentTime extends Pick<Clock, 'now' | 'schedule'> {
  /** Keeps it from moving on; the returned function releases it. */
  hold(): () => void;
}

/** See `borrowed-time.mjs`. */
const WAITS = '\u0001waits ';

/**
 * Holds time while the process is at work, and tells it the new time when its wait is over.
 *
 * @returns whether a line of its output was about time
 */
export function lendTime(time: LentTime, child: ChildProcess): (line: string) => boolean {
  let release = time.hold();
  let takeBack = () => {};
  child.once('close', () => {
    takeBack();
    release();
  });
  return (line) => {
    if (!line.startsWith(WAITS)) return false;
    takeBack = time.schedule(Number(line.slice(WAITS.length)) / 1000, () => {
      release = time.hold();
      child.send({ nowMs: time.now() }, () => undefined);
    });
    release();
    return true;
  };
}
