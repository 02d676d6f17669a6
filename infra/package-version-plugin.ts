import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { PACKAGE_ROOT } from './bundle.ts';

const OURS = join(PACKAGE_ROOT, 'package.json');

/**
 * Of its package.json an SDK client reads the version, for the user agent, and the command line of ours;
 * esbuild would take them whole.
 */
export const packageVersionPlugin: Plugin = {
  name: 'package-version',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path !== OURS && !/@aws-sdk[\\/][\w-]+[\\/]package\.json$/.test(path)) return undefined;
      return { contents: versionIn(await readFile(path, 'utf8')), loader: 'json' };
    });
  },
};

/** @returns JSON with nothing but the version */
export function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return JSON.stringify({ version });
}
