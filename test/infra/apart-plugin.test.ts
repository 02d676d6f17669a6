import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { APART, apartPlugin } from '../../infra/apart-plugin.ts';
import { PACKAGE_ROOT } from '../../infra/bundle.ts';

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: PACKAGE_ROOT },
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    write: false,
    plugins: [apartPlugin],
  });
  return outputFiles[0]?.text ?? '';
}

test('a provider that is loaded later comes from a file of its own, any other is bundled', async () => {
  const text = await bundled(`
    import { fromEnv } from '@aws-sdk/credential-provider-env';
    export const sso = () => import('@aws-sdk/credential-provider-sso');
    export { fromEnv };`);
  expect(text).toContain('import("./credential-provider-sso.js")');
  expect(text).not.toContain('from "@aws-sdk/credential-provider-env"');
});

test("the function loads Lambda's client from a file of its own", async () => {
  const hooks = await bundled("export * from './lambda/aws/hooks.ts'");
  expect(hooks).toContain('from "./lambda-client.js"');
  expect(hooks).not.toContain('RestJsonProtocol');
  expect(await bundled("export * from '@aws-sdk/client-lambda'")).toContain('RestJsonProtocol');
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
  const ours = ['./lambda/aws/dynamodb-client.ts', './lambda/aws/lambda-client.ts'];
  expect([...loaded.toSorted(), ...ours]).toEqual([...APART]);
});
