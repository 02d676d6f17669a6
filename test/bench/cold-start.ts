import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { median } from './median.ts';

/** What a cold start costs; medians, in milliseconds. */
export interface ColdStart {
  /** The version of Node. */
  readonly node: string;
  /** To start a process that does nothing, and to end it. */
  readonly emptyMillis: number;
  /** To load the function in a process that runs already. */
  readonly importMillis: number;
  readonly files: number;
  readonly bytes: number;
}

interface Options {
  /** The built bundle's entry. */
  readonly bundle: string;
  /** Path of Node. */
  readonly node?: string;
  readonly runs?: number;
}

/**
 * Loads the bundle in fresh processes. Between two imports comes an empty process, so that whatever else the
 * machine does slows both alike.
 */
export function measureColdStart({ bundle, node = process.execPath, runs = 21 }: Options): ColdStart {
  const empty: number[] = [];
  const loaded: Loaded[] = [];
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    evaluate(node, '');
    empty.push(performance.now() - began);
    loaded.push(JSON.parse(evaluate(node, LOADING, bundle)) as Loaded);
  }
  const [{ version, files }] = loaded as [Loaded];
  return {
    node: version,
    emptyMillis: median(empty),
    importMillis: median(loaded.map(({ millis }) => millis)),
    files: files.length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

interface Loaded {
  readonly version: string;
  readonly millis: number;
  readonly files: readonly string[];
}

const LOADING = `
  const began = performance.now();
  require(process.argv[1]);
  const millis = performance.now() - began;
  console.log(JSON.stringify({ version: process.version, millis, files: Object.keys(require.cache) }));
`;

function evaluate(node: string, script: string, ...given: string[]): string {
  const { status, stdout, stderr } = spawnSync(node, ['-e', script, '--', ...given], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${node} failed: ${stderr}`);
  return stdout;
}
