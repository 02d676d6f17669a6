import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { BUNDLE } from '../lambda/contract.ts';

/** The package's own folder, whether this module runs from its source or as built into `dist`. */
export const PACKAGE_ROOT = nearestPackage(dirname(fileURLToPath(import.meta.url)));

/** The built function as a CDK asset. Throws when `npm run build` hasn't been run. */
export function builtBundle(): Code {
  const folder = join(PACKAGE_ROOT, BUNDLE.folder);
  if (!existsSync(folder))
    throw new Error(`The function isn't built: there is no folder ${folder}. Run \`npm run build\` first.`);
  return Code.fromAsset(folder);
}

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('No package.json above the module that looks for the bundle');
  return nearestPackage(parent);
}
