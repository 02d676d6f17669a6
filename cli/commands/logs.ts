import { logEvents } from '../aws/logs.ts';
import { findFunction, notFound } from '../deployed.ts';
import { following, lineText } from '../log-lines.ts';
import { EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { escaped, oneLine } from '../text.ts';

export interface LogsOptions extends Options {
  readonly sinceSeconds: number;
  readonly follow?: boolean;
}

/** What both functions have logged. */
export async function logs(options: LogsOptions, terminal: Terminal): Promise<Exit> {
  const found = await findFunction(options);
  if (found === undefined) throw notFound();
  const since = new Date(Date.now() - options.sinceSeconds * 1000);
  const events = options.follow
    ? following(found.logGroup, since)
    : await terminal.waiting('reading the log', () => logEvents(found.logGroup, since));
  for await (const event of events) {
    const text = options.json ? escaped(oneLine(event.message.trimEnd())) : lineText(event);
    if (text !== undefined) terminal.out(text);
  }
  return EXIT.done;
}
