import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** What of Lambda's client the function uses, below the package's root. */
export const LAMBDA_CLIENT = join('lambda', 'aws', 'lambda-client.ts');

/**
 * Lets the bundle load Lambda's client from a file of its own, beside it. Only functions with hooks need it,
 * and it alone speaks REST, whose part of the SDK (13 KB) every cold start would load otherwise: see
 * `credentials-plugin.ts`.
 */
export const lambdaClientPlugin: Plugin = {
  name: 'lambda-client',
  setup(build) {
    build.onResolve({ filter: /[\\/]lambda-client\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './lambda-client.js', external: true },
    );
  },
};
