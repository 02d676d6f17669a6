import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What was proved, and when. */
export interface Origin {
  /** When the run began. */
  readonly at: Date;
  /** Undefined if git doesn't know, for instance outside a clone. */
  readonly revision?: Revision;
}

export interface Revision {
  /** Abbreviated id of the commit that is checked out. */
  readonly commit: string;
  /** And of what is in its `lambda`, which stays the same while only other files change. */
  readonly lambda: string;
  /** Whether anything but the report differs from it. */
  readonly isChanged: boolean;
}

/** The output of a git command; undefined if there is no git or no repository. */
export type Git = (...args: readonly string[]) => Promise<string | undefined>;

/** Read before the proof, which takes a while, during which files may change. */
export async function originOf(at: Date, git: Git = gitHere): Promise<Origin> {
  const commit = await git('rev-parse', '--short', 'HEAD');
  const lambda = await git('rev-parse', '--short=12', 'HEAD:lambda');
  const changes = await git('status', '--porcelain', '--', '.', ':(exclude)RELIABILITY.md');
  if (commit === undefined || lambda === undefined || changes === undefined) return { at };
  const isChanged = changes.trim() !== '';
  return { at, revision: { commit: commit.trim(), lambda: lambda.trim(), isChanged } };
}

/** Such as `on 2026-01-15, of commit 1a2b3c4`. */
export function describeOrigin({ at, revision }: Origin): string {
  const on = `on ${at.toISOString().slice(0, 10)}`;
  if (revision === undefined) return `${on}, of files that are in no git repository`;
  const { commit, isChanged } = revision;
  return `${on}, of commit ${commit}${isChanged ? ' with changes that were not committed' : ''}`;
}

/** Git's exit code without a repository, or without a commit. */
const FATAL = 128;

async function gitHere(...args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && [FATAL, 'ENOENT'].some((code) => code === error.code))
      return undefined;
    throw error;
  }
}
