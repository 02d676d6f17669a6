import { execFile } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** What `/_report` tells, as far as tests look at it. */
const REPORT = z.object({
  changed: z.boolean(),
  held: z.boolean(),
  broken: z.array(z.object({ invariant: z.number(), status: z.string(), count: z.number() })),
  violations: z.array(z.object({ what: z.string() })),
  unfinished: z.array(z.string()),
  refused: z.record(z.string(), z.number()),
  instancesReplaced: z.number(),
  bugs: z.array(z.string()),
});
export type ServedReport = z.infer<typeof REPORT>;

/** A command that serves, as a process of its own. */
export interface ServeProcess {
  readonly url: string;
  /** By SIGTERM. */
  end(): Promise<{ readonly status: number; readonly text: string }>;
}

/** @param line its options */
export const serveByProcess = (...line: string[]) => serveBy(MAIN, ...line);

/** @param main a program that calls `runServe` */
export async function serveBy(main: string, ...line: string[]): Promise<ServeProcess> {
  const child = execFile(process.execPath, ['--import', 'tsx', main, ...line]);
  const told: string[] = [];
  child.stdout?.on('data', (text: string) => told.push(text));
  while (!told.join('').includes('_report.txt')) await once(child.stdout ?? child, 'data');
  const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(told.join('')) ?? [];
  return {
    url,
    async end() {
      child.kill('SIGTERM');
      const [status] = await once(child, 'close');
      return { status, text: told.join('') };
    },
  };
}

export async function reportAt(url: string): Promise<ServedReport> {
  const response = await fetch(`${url}/_report`);
  return z.parse(REPORT, await response.json());
}

/** The numbers of the invariants that broke. */
export const brokenIn = ({ broken }: ServedReport): number[] =>
  broken.flatMap(({ invariant, count }) => (count > 0 ? [invariant] : []));
