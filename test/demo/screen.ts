import process from 'node:process';
import { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { newLines } from './plain.ts';
import type { Progress } from './progress.ts';
import type { Roll } from './run.ts';
import { framed } from './view.ts';

const FRAME_MILLIS = 100;

/** A terminal that takes control codes. */
const isTerminal = () => process.stdout.isTTY && process.env.TERM !== 'dumb';

/** Colors where they are wanted: never without a terminal, nor where NO_COLOR is set. */
export function terminalColors(): Colors {
  return picocolors.createColors(isTerminal() && picocolors.isColorSupported);
}

/** As wide as the terminal is, as far as it tells. */
export const terminalColumns = () => process.stdout.columns || 100;

/**
 * Calls `gone` when nobody reads the output any more: `head` has had its lines, or Ctrl-C ended `cat` as
 * well. It may be called more than once.
 */
export function watchReaders(gone: () => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      gone();
    });
}

/**
 * Shows a roll from now on: as frames, ten a second, or as lines, each thing that happens. The answer shows
 * the last of it and gives the terminal back.
 *
 * @param heading stays above it
 */
export function show(roll: Omit<Roll, 'report' | 'endpoint'>, heading: readonly string[] = []): () => void {
  const { draw, end } = isTerminal() ? frames(heading) : lines(heading);
  const redraw = () => draw(isTerminal() ? roll.shown() : roll.progress());
  const timer = isTerminal() ? setInterval(redraw, FRAME_MILLIS) : undefined;
  if (timer === undefined) roll.watch(redraw);
  redraw();
  return () => {
    clearInterval(timer);
    redraw();
    end();
  };
}

interface Screen {
  readonly draw: (progress: Progress) => void;
  readonly end: () => void;
}

function frames(heading: readonly string[]): Screen {
  const { stdout } = process;
  const update = createLogUpdate(stdout);
  const colors = terminalColors();
  return {
    draw(progress) {
      const [columns, rows] = [terminalColumns(), stdout.rows || 40];
      // One row stays free for the cursor, so that a frame never scrolls.
      update(framed(heading, progress, { columns, rows: rows - 1, colors }).join('\n'));
    },
    end: update.done,
  };
}

function lines(heading: readonly string[]): Screen {
  for (const line of heading) process.stdout.write(`${line}\n`);
  let before: Progress | undefined;
  return {
    draw(progress) {
      // What was told grows in place.
      const after = { ...progress, told: [...progress.told] };
      for (const line of newLines(before, after)) process.stdout.write(`${line}\n`);
      before = after;
    },
    end() {},
  };
}
