import { colorsOf, hanging } from './layout.ts';
import { type Exit, type Page, seconds, type Terminal } from './session.ts';

/** What one look has come to. */
export interface Shown {
  readonly text: string;
  readonly exit: Exit;
}

export interface WatchOptions {
  readonly json?: boolean;
  /** Seconds between two looks; once, if absent. */
  readonly watch?: number;
}

/**
 * Looks once, or until Ctrl-C. What a look notes stands above its result then, so that both are redrawn.
 *
 * @param look is given what it may note by and wait by
 */
export async function watching(
  { json, watch }: WatchOptions,
  terminal: Terminal,
  look: (terminal: Terminal) => Promise<Shown>,
): Promise<Exit> {
  if (watch === undefined) {
    const { text, exit } = await look(terminal);
    terminal.out(text);
    return exit;
  }
  for (;;) {
    const notes: string[] = [];
    const quiet: Terminal = {
      ...terminal,
      columns: terminal.columns,
      note: (text) => void notes.push(hanging(terminal, '', text)),
      waiting: (_, task) => task(() => undefined),
    };
    const { text } = await look(json ? terminal : quiet);
    if (json) terminal.out(text);
    else terminal.redraw([...notes, watchLine(watch, terminal), '', text].join('\n'));
    await seconds(watch);
  }
}

function watchLine(every: number, terminal: Page): string {
  const now = new Date().toISOString().slice(11, 19);
  return colorsOf(terminal).dim(`${now}Z, again every ${every} s; Ctrl-C ends the watch, and nothing else`);
}
