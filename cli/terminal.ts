import { createInterface } from 'node:readline/promises';
import { createLogUpdate } from 'log-update';
import ora from 'ora';
import picocolors from 'picocolors';
import { wrapped } from './layout.ts';
import { EXIT, type Terminal } from './session.ts';
import { legible } from './text.ts';

/** Its sign stands before the text's first line. */
const SPINNER_COLUMNS = 2;

/** As of a program that SIGPIPE ends. */
const UNREAD = 141;

/** The terminal that this process was started from. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', leaveUnread);
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  const update = createLogUpdate(stdout);
  const color = stdout.isTTY === true && picocolors.isColorSupported;
  const safe = (text: string) => legible(text, { color });
  return {
    out: (text) => void stdout.write(`${safe(text)}\n`),
    note: (text) =>
      void stderr.write(`${hasSize(stderr) ? safe(wrappedLines(text, stderr.columns)) : safe(text)}\n`),
    get columns() {
      return hasSize(stdout) ? stdout.columns : undefined;
    },
    color,
    canAsk,
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return await lines.question(safe(question));
      } finally {
        lines.close();
      }
    },
    async waiting(what, task) {
      if (!hasSize(stderr)) return task((text) => void stderr.write(`${safe(text)}\n`));
      // Its own check knows nothing of NO_COLOR.
      const cyan = picocolors.isColorSupported && 'cyan';
      const shown = (text: string) => safe(wrappedLines(text, stderr.columns - SPINNER_COLUMNS));
      const spinner = ora({ text: shown(what), stream: stderr, color: cyan, discardStdin: false }).start();
      try {
        return await task((text) => {
          spinner.text = shown(`${what}: ${text}`);
        });
      } finally {
        spinner.stop();
      }
    },
    async outlived(text, task) {
      const interrupted = () => {
        stderr.write(`\n${safe(text)}\n`);
        process.exit(EXIT.interrupted);
      };
      process.once('SIGINT', interrupted);
      try {
        return await task();
      } finally {
        process.removeListener('SIGINT', interrupted);
      }
    },
    redraw: (text) => {
      if (hasSize(stdout)) update(safe(atMost(text, stdout.rows - 1)));
      else stdout.write(`${safe(text)}\n`);
    },
  };
}

/** A recorder's terminal may tell that it has no columns: a spinner would clear lines there for ever. */
function hasSize({ isTTY, columns }: NodeJS.WriteStream): boolean {
  return isTTY === true && columns > 0;
}

/** `head` has had its lines: there is nothing left to do, and nothing is wrong. */
function leaveUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(UNREAD);
}

function wrappedLines(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, columns))
    .join('\n');
}

/** The first lines: what is redrawn may not scroll. */
function atMost(text: string, rows: number): string {
  const lines = text.split('\n');
  if (lines.length <= rows) return text;
  return [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`].join('\n');
}
