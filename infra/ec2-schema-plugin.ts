import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Lets esbuild drop the schemas of operations that the function never calls.
 *
 * The AWS SDK describes every operation of a service in one module (EC2's has 33,000 lines). There, a
 * field's wire name is a computed key: `{ [_eQN]: … }` with `const _eQN = "ec2QueryName"` at the top.
 * Computing a key may have side effects, so esbuild keeps every such object and everything it refers to.
 * Written as `{ "ec2QueryName": … }` the same objects are pure data, and whatever no imported command
 * reaches is dropped.
 *
 * Only EC2's schemas are large enough to matter much, but all clients are generated alike, so all get the
 * same treatment.
 */
export const ec2SchemaPlugin: Plugin = {
  name: 'ec2-schema',
  setup(build) {
    build.onLoad({ filter: SCHEMA_MODULE }, async ({ path }) => ({
      contents: makeKeysLiteral(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

const SCHEMA_MODULE = /@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const NAME = /^const (_\w+) = ("[^"\\]*");$/gm;
const COMPUTED_KEY = /\[(_\w+)\]:/g;

/** The module with each computed key replaced by its literal, where the constant is known. */
export function makeKeysLiteral(module: string): string {
  const names = new Map([...module.matchAll(NAME)].map(([, name, literal]) => [name, literal]));
  return module.replace(COMPUTED_KEY, (key, name: string) => {
    const literal = names.get(name);
    return literal === undefined ? key : `${literal}:`;
  });
}
