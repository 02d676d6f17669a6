import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';

/** `npm run build` makes it. */
export const COMMAND = fileURLToPath(new URL('../../dist/cli/ecs-ami-deploy.cjs', import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly notes: string;
}

/** The built command line, as a shell would run it where nobody can answer. */
export function run(line: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return start(line, environment).ended;
}

/** The same, to be interrupted. */
export interface Running {
  readonly ended: Promise<Ran>;
  /** Ctrl-C. */
  interrupt(): void;
}

export function start(line: readonly string[], environment: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [COMMAND, ...line], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(environment),
  });
  return { ended: endOf(child), interrupt: () => void child.kill('SIGINT') };
}

/** Nothing of this process's own, except how to find programs. */
export function environmentWith(others: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    ...others,
  };
}

async function endOf(child: ChildProcess): Promise<Ran> {
  const [out, notes]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (text: Buffer) => out.push(text.toString()));
  child.stderr?.on('data', (text: Buffer) => notes.push(text.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out: out.join(''), notes: notes.join('') };
}
