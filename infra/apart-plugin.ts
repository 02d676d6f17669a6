import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * What the bundle loads from files of its own, beside it: the credential providers that the SDK loads when
 * the environment has no credentials, on Lambda never; Lambda's client, which only functions with hooks
 * need, and which alone speaks REST; and DynamoDB's, which only a sequence and its members need.
 *
 * Built together with ours they would keep alive, in what every cold start loads, the parts of the SDK
 * that only they need (20 KB and 13 KB): esbuild shares whole files. So they are built apart.
 */
export const APART = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
  './lambda/aws/dynamodb-client.ts',
  './lambda/aws/lambda-client.ts',
] as const;

/** The file of each, without its extension. */
export const nameApart = (path: string) => basename(path, '.ts');
const NAMES = APART.map(nameApart);

export const apartPlugin: Plugin = {
  name: 'apart',
  setup(build) {
    build.onResolve(
      { filter: /[\\/](credential-provider-[\w-]+|(?:dynamodb|lambda)-client\.ts)$/ },
      ({ path, kind }) => {
        const name = nameApart(path);
        if (kind === 'entry-point' || !NAMES.includes(name)) return undefined;
        return { path: `./${name}.js`, external: true };
      },
    );
  },
};
