import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Origin } from './origin.ts';
import type { Seeds } from './seeds.ts';

const FOLDER = fileURLToPath(new URL('../../.proof/', import.meta.url));

/** What was done in this sitting and in those before it, of the same product by the same tests. */
export interface Sittings {
  /** Whether another sitting will find what this one has done. */
  readonly isKept: boolean;
  /** What came of a part in an earlier sitting; undefined if it is still to be done. */
  done<Result>(part: object): Result | undefined;
  keep(part: object, result: unknown): Promise<void>;
}

/**
 * A whole proof takes hours: each part is kept as it is done, a line each, and is not done again. Where files
 * differ from the commit nothing is kept, as the next sitting might prove something else.
 *
 * @param tests a hash of those that the parts depend on, or a name where each part is kept with its own
 */
export async function openSittings(
  { revision }: Origin,
  tests: string | undefined,
  folder = FOLDER,
): Promise<Sittings> {
  const file = revision?.isChanged === false ? `${folder}${revision.lambda}-${tests}.jsonl` : undefined;
  await mkdir(folder, { recursive: true });
  const lines = file === undefined ? [] : await wholeLines(file);
  const kept = new Map<string, unknown>(lines.map((line) => JSON.parse(line)));
  return {
    isKept: file !== undefined,
    done: <Result>(part: object) => kept.get(JSON.stringify(part)) as Result | undefined,
    async keep(part, result) {
      const key = JSON.stringify(part);
      kept.set(key, result);
      if (file !== undefined) await appendFile(file, `${JSON.stringify([key, result])}\n`);
    },
  };
}

/** How to do what this sitting has left. */
export function howToGoOn({ isKept }: Sittings, { first, isFresh }: Seeds): string {
  if (!isKept) return 'nothing is kept, as not all files are committed: the same command begins anew';
  return `the same command ${isFresh ? `with --seed ${first} ` : ''}goes on from here`;
}

/** Those of an earlier sitting; its last line may have been cut short by a kill. */
async function wholeLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return lines;
}
