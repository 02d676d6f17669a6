import process from 'node:process';
import { createLogUpdate } from 'log-update';
import type { RollOutcome } from './outcome.ts';

/** A line that shows how far a part of the proof has come. */
export interface ProgressLine {
  tell(outcomes: readonly RollOutcome[]): void;
  /** Leaves its last state. */
  end(): void;
}

/** Between two lines, if there is no terminal to overwrite. */
const PIPE_SECONDS = 30;

export function startProgress(section: string, jobs: number): ProgressLine {
  const begunAt = performance.now();
  const seconds = () => (performance.now() - begunAt) / 1000;
  const { write, done } = process.stdout.isTTY ? terminal() : pipe(seconds);
  let [jobsDone, rolls, broken] = [0, 0, 0];
  const line = () =>
    `${section}: ${jobsDone} of ${jobs} jobs, ${rolls.toLocaleString('en-US')} rolls, ${broken} broken, ` +
    `${Math.round(seconds())} s`;
  return {
    tell(outcomes) {
      jobsDone += 1;
      rolls += outcomes.length;
      broken += outcomes.filter((outcome) => outcome.broken.length > 0).length;
      write(line());
    },
    end() {
      done(line());
    },
  };
}

function terminal() {
  const update = createLogUpdate(process.stdout);
  return {
    write: (line: string) => update(line),
    done(line: string) {
      update(line);
      update.done();
    },
  };
}

function pipe(seconds: () => number) {
  let toldAt = 0;
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  return {
    write(line: string) {
      if (seconds() - toldAt < PIPE_SECONDS) return;
      toldAt = seconds();
      tell(line);
    },
    done: tell,
  };
}
