import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { PACKAGE_ROOT } from './bundle.ts';

/**
 * Lets esbuild drop the schemas of operations that the function never calls, and all of a package.json but
 * the version, which a client reads of its own, for the user agent, and the command line of ours.
 *
 * The AWS SDK describes every operation of a service in one module (EC2's has 33,000 lines). There, a
 * field's wire name is a computed key: `{ [_eQN]: … }` with `const _eQN = "ec2QueryName"` at the top.
 * Computing a key may have side effects, so esbuild keeps every such object and everything it refers to.
 * Written as `{ "ec2QueryName": … }` the same objects are pure data, and whatever no imported command
 * reaches is dropped.
 *
 * Only EC2's schemas are large enough to matter much, but all clients are generated alike, so all get the
 * same treatment. EC2's fields mostly have two names, which take less room as arguments of a function.
 *
 * Each client also registers a class for every error of its service. Where errors come as JSON they have
 * their name and message without it: the SDK makes them of the service's base class. In the query protocol
 * the class has the name (see `lambda/aws/error-names.ts`), so there they stay.
 */
export const sdkPlugin: Plugin = {
  name: 'sdk',
  setup(build) {
    build.onLoad({ filter: SCHEMA_MODULE }, async ({ path }) => ({
      contents: forShaking(path, await readFile(path, 'utf8')),
      loader: 'js',
    }));
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path !== OURS && !CLIENT.test(path)) return undefined;
      return { contents: versionIn(await readFile(path, 'utf8')), loader: 'json' };
    });
  },
};

function forShaking(path: string, module: string): string {
  const literal = makeKeysLiteral(nameByCall(module));
  return JSON_CLIENT.test(path) ? withoutErrorClasses(literal) : literal;
}

const OURS = join(PACKAGE_ROOT, 'package.json');
const CLIENT = /@aws-sdk[\\/][\w-]+[\\/]package\.json$/;
const JSON_CLIENT = /[\\/]client-(ecs|kms|ssm)[\\/]/;
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

const TWO_NAMES = /\{ \[_eQN\]: (`\w+`|_\w+),\s*\[_xN\]: (`\w+`|_\w+) \}/g;

/** The module with a call in place of each object that has a field's two names and nothing else. */
export function nameByCall(module: string): string {
  const called = module.replace(TWO_NAMES, '/* @__PURE__ */ twoNames($1, $2)');
  if (called === module) return module;
  return `${called}\nfunction twoNames(ec2QueryName, xmlName) { return { ec2QueryName, xmlName }; }\n`;
}

/** The module with no error registered but the service's base class. */
export function withoutErrorClasses(module: string): string {
  return module.replace(/^n0_registry\.registerError\(.*\);$/gm, '');
}

/** @returns JSON with nothing but the version */
export function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return JSON.stringify({ version });
}
