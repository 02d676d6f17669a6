import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { type LentTime, lendTime } from './lend-time.ts';

export interface InvocationOptions {
  /** The Node that runs the function; default `ECS_AMI_DEPLOY_NODE`, else this one. */
  readonly node?: string;
  /** Path of the built bundle. */
  readonly bundle: string;
  /** Which of its exports is called; default `handler`. */
  readonly exported?: string;
  /** `url` of a listening simulated account. */
  readonly endpoint: string;
  /** The function's own environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
  /** Time until the invocation is cut off, and what its context tells; default Lambda's 15 minutes. */
  readonly remainingMillis?: number;
  /** The time it lives in; default the real one. */
  readonly time?: LentTime;
  /** Called with each line of the function's log as it comes. */
  readonly onLine?: (line: string) => void;
}

type Ending =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly name: string; readonly message: string } }
  | { readonly killed: true };

/** How an invocation ended, and what it logged. */
export type Outcome = Ending & { readonly lines: readonly string[] };

export interface Invocation {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** SIGKILL, in the middle of whatever it does. */
  kill(): void;
}

const BOOTSTRAP = fileURLToPath(new URL('bootstrap.mjs', import.meta.url));
const LAMBDA_MILLIS = 15 * 60 * 1000;

/** Invokes the built bundle once, in a process of its own, as Lambda would. */
export function invokeFunction(options: InvocationOptions): Invocation {
  const { bundle, exported = 'handler', event, time, remainingMillis = LAMBDA_MILLIS } = options;
  const node = options.node ?? process.env.ECS_AMI_DEPLOY_NODE ?? process.execPath;
  const child = spawn(node, [BOOTSTRAP], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines = linesOf(child, options.onLine, time && lendTime(time, child));
  const requestId = randomUUID();
  // A process that is dead before it got its event tells so by its exit.
  const functionName = 'ecs-ami-deploy';
  const nowMs = time?.now();
  child.send({ bundle, exported, event, functionName, requestId, remainingMillis, nowMs }, () => undefined);
  return {
    outcome: endingOf(child, remainingMillis, time).then((ending) => ({ ...ending, lines })),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Of this process's own environment only what a program needs to start: no setting, credential or option of
 * ours.
 */
function environmentOf({ endpoint, environment }: InvocationOptions): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, TMPDIR } = process.env;
  return {
    PATH,
    LD_LIBRARY_PATH,
    TMPDIR,
    TZ: 'UTC',
    AWS_REGION: DEFAULT_REGION,
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL: endpoint,
    AWS_LAMBDA_FUNCTION_NAME: 'ecs-ami-deploy',
    // The function runs on Lambda's Node 24; that this one may be older is nothing to log.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    ...environment,
  };
}

/** @param isOfTime takes the lines that aren't the function's */
function linesOf(
  child: ChildProcess,
  onLine?: (line: string) => void,
  isOfTime: (line: string) => boolean = () => false,
): string[] {
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    if (input)
      createInterface({ input }).on('line', (line) => {
        if (isOfTime(line)) return;
        lines.push(line);
        onLine?.(line);
      });
  return lines;
}

function endingOf(
  child: ChildProcess,
  remainingMillis: number,
  time: Pick<LentTime, 'schedule'> = REAL,
): Promise<Ending> {
  return new Promise((resolve) => {
    let ending: Ending | undefined;
    const cancel = time.schedule(remainingMillis / 1000, () => {
      ending ??= failure('Sandbox.Timedout', `Task timed out after ${remainingMillis / 1000} seconds`);
      child.kill('SIGKILL');
    });
    child.once('message', (message) => {
      ending ??= message as Ending;
    });
    child.once('error', (error) => {
      cancel();
      resolve(failure(error.name, error.message));
    });
    // Not at `exit`: lines may be on their way until the streams are closed.
    child.once('close', (code, signal) => {
      cancel();
      const killed = { killed: true } as const;
      const gone = failure('Runtime.ExitError', `Runtime exited with status ${code} before it answered`);
      resolve(ending ?? (signal === 'SIGKILL' ? killed : gone));
    });
  });
}

/** As the world has it. */
const REAL: Pick<LentTime, 'schedule'> = {
  schedule(seconds, event) {
    const timer = setTimeout(event, seconds * 1000);
    return () => clearTimeout(timer);
  },
};

const failure = (name: string, message: string): Ending => ({ ok: false, error: { name, message } });

/** The lines that are JSON objects, which is how the function logs. */
export function logged(lines: readonly string[]): Record<string, unknown>[] {
  return lines.flatMap((line) => {
    try {
      const record: unknown = JSON.parse(line);
      return typeof record === 'object' && record !== null ? [{ ...record }] : [];
    } catch {
      return [];
    }
  });
}
