import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Lets esbuild leave out the schemas of the operations that the function never calls.
 *
 * The AWS SDK describes every operation of a service in one module (EC2's has 33,000 lines), where a field's
 * name on the wire stands as a computed key: `{ [_eQN]: … }` with `const _eQN = "ec2QueryName"` at the top. To
 * compute a key may have an effect, so esbuild keeps each such object, and with it everything that it refers to.
 * Written as `{ "ec2QueryName": … }` the same objects are pure data: what no imported command reaches falls away.
 *
 * Only EC2's is large enough to matter much, but all clients are generated alike, so all are treated alike.
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

/** The module with every computed key whose constant it knows written out; anything else stays as it is. */
export function makeKeysLiteral(module: string): string {
  const names = new Map([...module.matchAll(NAME)].map(([, name, literal]) => [name, literal]));
  return module.replace(COMPUTED_KEY, (key, name: string) => {
    const literal = names.get(name);
    return literal === undefined ? key : `${literal}:`;
  });
}
