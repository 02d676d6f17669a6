import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../infra/bundle.ts';
import { LAMBDA_CLIENT, lambdaClientPlugin } from '../../infra/lambda-client-plugin.ts';

const bundled = async (entry: string) => {
  const { outputFiles } = await build({
    entryPoints: [join(PACKAGE_ROOT, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    write: false,
    plugins: [lambdaClientPlugin],
  });
  return outputFiles[0]?.text ?? '';
};

test("the function loads Lambda's client from a file of its own", async () => {
  const hooks = await bundled('lambda/aws/hooks.ts');
  expect(hooks).toContain('from "./lambda-client.js"');
  expect(hooks).not.toContain('RestJsonProtocol');
  expect(await bundled(LAMBDA_CLIENT)).toContain('RestJsonProtocol');
});
