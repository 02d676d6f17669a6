import { createInterface } from 'node:readline/promises';
import { createLogUpdate } from 'log-update';
import ora from 'ora';
import picocolors from 'picocolors';
import type { Terminal } from './session.ts';

/** The terminal that this process was started from. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  const update = createLogUpdate(stdout);
  return {
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    color: stdout.isTTY === true && picocolors.isColorSupported,
    canAsk,
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    async waiting(what, task) {
      if (stderr.isTTY !== true) return task();
      const spinner = ora({ text: what, stream: stderr, discardStdin: false }).start();
      try {
        return await task();
      } finally {
        spinner.stop();
      }
    },
    redraw: (text) => (stdout.isTTY === true ? update(text) : void stdout.write(`${text}\n`)),
  };
}
