import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { CREDENTIAL_PROVIDERS, credentialsPlugin } from '../../infra/credentials-plugin.ts';

test('a provider that is loaded later comes from a file of its own, any other is bundled', async () => {
  const contents = `
    import { fromEnv } from '@aws-sdk/credential-provider-env';
    export const sso = () => import('@aws-sdk/credential-provider-sso');
    export { fromEnv };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [credentialsPlugin],
  });
  const [{ text = '' } = {}] = outputFiles;
  expect(text).toContain('import("./credential-provider-sso.js")');
  expect(text).not.toContain('from "@aws-sdk/credential-provider-env"');
});

test("all providers are listed that the SDK's chain loads later", () => {
  const chain = createRequire(createRequire(import.meta.url).resolve('@aws-sdk/client-ec2')).resolve(
    '@aws-sdk/credential-provider-node',
  );
  const modules = ['defaultProvider', 'remoteProvider'].map((name) =>
    readFileSync(chain.replace(/dist-cjs.*/, `dist-es/${name}.js`), 'utf8'),
  );
  const loaded = modules.flatMap((text) =>
    [...text.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name),
  );
  expect(loaded.toSorted()).toEqual([...CREDENTIAL_PROVIDERS]);
});
