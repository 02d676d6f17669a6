import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Of its package.json an SDK client reads the version, for the user agent; esbuild would take it whole. */
export const packageVersionPlugin: Plugin = {
  name: 'package-version',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk[\\/][\w-]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: versionIn(await readFile(path, 'utf8')),
      loader: 'json',
    }));
  },
};

/** @returns JSON with nothing but the version */
export function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return JSON.stringify({ version });
}
