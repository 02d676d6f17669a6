import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './place.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the tests need of it. */
const NEEDED = ['lambda', 'test', 'infra', 'cli', 'package.json', 'tsconfig.json', 'README.md', 'docs'];

/** A copy of the repository in a temporary folder, in which rules may be broken. */
export interface Copy {
  readonly folder: string;
  /** Breaks one rule for as long as something is done. */
  whileBroken<Result>(place: Place, act: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

export function copyRepository(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-mutations-'));
  for (const name of NEEDED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async whileBroken({ file, broken }, act) {
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, broken);
      try {
        return await act();
      } finally {
        writeFileSync(path, source);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
