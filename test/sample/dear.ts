import { readdirSync, readFileSync } from 'node:fs';

/** Play whole rolls, run programs, synthesize stacks or wait in real time. */
const DEAR =
  /\/test\/((bundle|demo|infra|proof|rollout|smoke|strangers)\/(?!mutations\.)|aws\/limited-handler\.)/;

/** Whether a sample has but some of the tests of a file. */
export const isDear = (file: string): boolean => DEAR.test(file);

/**
 * The files of which a sample leaves out any test.
 *
 * @param root ends in a slash
 */
export function sampledFiles(root: string): string[] {
  const files = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`);
  return files.filter(
    (file) =>
      isDear(`${root}${file}`) || readFileSync(`${root}${file}`, 'utf8').includes('sample/sampled.ts'),
  );
}
