import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * The credential providers that the SDK loads when the environment has no credentials: on Lambda never.
 *
 * They are clients too. Built together with ours they would keep alive, in what every cold start loads, the
 * parts of the SDK that only they need (20 KB): esbuild shares whole files. So they are built apart.
 */
export const CREDENTIAL_PROVIDERS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
] as const;

/** Lets the bundle load them from files of their own, beside it. */
export const credentialsPlugin: Plugin = {
  name: 'credentials',
  setup(build) {
    build.onResolve({ filter: /[\\/]credential-provider-/ }, ({ path, kind }) => {
      const isApart = kind === 'dynamic-import' && CREDENTIAL_PROVIDERS.some((each) => each === path);
      return isApart ? { path: `./${basename(path)}.js`, external: true } : undefined;
    });
  },
};
