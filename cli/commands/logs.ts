import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { DeployedFunction } from '../aws/functions.ts';
import { type LogEvent, logEvents } from '../aws/logs.ts';
import { neededFunction } from '../deployed.ts';
import { EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { escaped, indented, oneLine, withTimes } from '../text.ts';

export interface LogsOptions extends Options {
  /** Milliseconds back from now. */
  readonly since: number;
  readonly follow?: boolean;
}

/** What both functions have logged. */
export async function logs(options: LogsOptions, terminal: Terminal): Promise<Exit> {
  const { logGroup, now } = await neededFunction(options);
  const since = new Date(now().getTime() - options.since);
  const events = options.follow
    ? following(logGroup, since)
    : await terminal.waiting('reading the log', () => logEvents(logGroup, since));
  for await (const event of events) {
    const text = options.json ? escaped(oneLine(event.message.trimEnd())) : lineText(event);
    if (text !== undefined) terminal.out(text);
  }
  return EXIT.done;
}

/** A line of the function's own: see `journal.ts`. Lambda writes others, which are no objects like it. */
const LINE = z.looseObject({
  level: z.string(),
  message: z.string(),
  cluster: z.optional(z.string()),
  group: z.optional(z.string()),
  /** What the function was invoked for, or ordered to do. */
  action: z.optional(z.string()),
  clusters: z.optional(z.array(z.string())),
});

/** How long to wait between two reads: the limit is shared by the whole account and Region. */
const FOLLOW_MILLISECONDS = 5000;

/** For a person; undefined for lines that Lambda writes about itself. */
export function lineText({ at, message }: LogEvent): string | undefined {
  const line = lineIn(message);
  if (line === undefined) return undefined;
  const { level, cluster, group, message: said, action, clusters = [] } = line;
  const who = cluster === undefined ? '' : `${cluster}/${group ?? '*'}: `;
  const loud = level === 'INFO' ? '' : `${level} `;
  const what = cluster === undefined && action !== undefined ? `: ${[action, ...clusters].join(' ')}` : '';
  return indented(withTimes(`${at.toISOString()}  ${loud}${oneLine(who)}${said}${oneLine(what)}`));
}

function lineIn(text: string): z.infer<typeof LINE> | undefined {
  try {
    return z.safeParse(LINE, JSON.parse(text)).data;
  } catch {
    // What isn't JSON is a crash of the runtime: it has no level.
    return { level: 'ERROR', message: text.trimEnd() };
  }
}

/** The events since a time, and then those to come, until nobody asks for more. */
async function* following(
  logGroup: string,
  since: Date,
  seen = new Set<string>(),
  signal?: AbortSignal,
): AsyncGenerator<LogEvent> {
  let from = since;
  for (;;) {
    for (const event of await logEvents(logGroup, from)) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      from = event.at;
      yield event;
    }
    await sleep(FOLLOW_MILLISECONDS, undefined, { signal });
  }
}

/** An invocation is as long at most. */
const INVOCATION_MILLISECONDS = 15 * 60_000;

/** What the function has logged last; undefined if that is nothing, or can't be read: what waits goes on. */
export async function lastSaid({ logGroup, now }: DeployedFunction): Promise<string | undefined> {
  const since = new Date(now().getTime() - INVOCATION_MILLISECONDS);
  const events = await logEvents(logGroup, since).catch(() => []);
  return events.flatMap((event) => lineText(event) ?? []).at(-1);
}

/** Says what the function logs while a task waits for it. Somebody who may not read the log hears nothing. */
export async function saidSince<Result>(
  { logGroup, now }: Pick<DeployedFunction, 'logGroup' | 'now'>,
  say: (text: string) => void,
  task: () => Promise<Result>,
): Promise<Result> {
  const since = now();
  // AWS's time is known to the second, and a simulated one runs ahead.
  const before = await logEvents(logGroup, since).catch(() => []);
  const seen = new Set(before.map(({ id }) => id));
  const ending = new AbortController();
  const listen = async () => {
    for await (const event of following(logGroup, since, seen, ending.signal)) {
      const text = lineText(event);
      if (text !== undefined && !ending.signal.aborted) say(text);
    }
  };
  listen().catch(() => undefined);
  try {
    return await task();
  } finally {
    ending.abort();
  }
}
