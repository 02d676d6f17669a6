import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { BUNDLE } from '../lambda/contract.ts';
import { HERE } from './here.ts';

/** The package's root folder, whether this module runs from source or from `dist`. */
export const PACKAGE_ROOT = nearestPackage(HERE);

/** The built function as a CDK asset. Throws if `npm run build` hasn't been run. */
export function builtBundle(): Code {
  const folder = join(PACKAGE_ROOT, BUNDLE.folder);
  if (!existsSync(folder))
    throw new Error(`The function isn't built: there is no folder ${folder}. Run \`npm run build\` first.`);
  return Code.fromAsset(folder);
}

function nearestPackage(folder: string): string {
  if (isPackage(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('There is no package.json in any folder above this module');
  return nearestPackage(parent);
}

/** One without a name only says which module format a folder has, as that of `dist/cdk`. */
function isPackage(manifest: string): boolean {
  return existsSync(manifest) && 'name' in JSON.parse(readFileSync(manifest, 'utf8'));
}
