import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

/** What is loaded, in bytes: by package, and by folder of our own. */
export type Weights = ReadonlyMap<string, number>;

/**
 * Chunks that are loaded with a source file: its own, and whatever that imports and so on. What `import()`
 * names is loaded at its first use.
 *
 * @param source path of the entry, or of what `import()` names
 * @returns names of files
 */
export function chunksFor({ outputs }: Metafile, source: string): string[] {
  const loaded = new Set<string>();
  const open = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === source);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    loaded.add(path);
    const imported = (outputs[path]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
    open.push(...imported.map((each) => each.path).filter((each) => each in outputs && !loaded.has(each)));
  }
  return [...loaded].map((path) => basename(path));
}

/** @param chunks names of files, as `chunksFor` returns them */
export function weigh({ outputs }: Metafile, chunks: readonly string[]): Weights {
  const weights = new Map<string, number>();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (!chunks.includes(basename(path))) continue;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = ownerOf(input);
      weights.set(owner, (weights.get(owner) ?? 0) + bytesInOutput);
    }
  }
  return new Map([...weights].sort(([, one], [, other]) => other - one));
}

function ownerOf(input: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
  return name ?? input.split('/').slice(0, 2).join('/');
}

/** The heaviest first; what is lighter is summed up. */
export function weightTable(weights: Weights, most = 14): string[] {
  const all = [...weights];
  const rest = all.slice(most).reduce((sum, [, bytes]) => sum + bytes, 0);
  const shown = [...all.slice(0, most), [`${all.length - most} others`, rest] as const];
  return shown.map(([name, bytes]) => `${kilobytes(bytes).padStart(10)}  ${name}`);
}

export const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`;
