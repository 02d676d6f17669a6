import { setTimeout as sleep } from 'node:timers/promises';

/** What every command takes. */
export interface Options {
  readonly profile?: string;
  readonly region?: string;
  readonly endpoint?: string;
  /** Name or ARN of the function. */
  readonly function?: string;
  readonly stack?: string;
  readonly json?: boolean;
}

/** What commands take that change something. */
export interface ChangeOptions extends Options {
  /** Don't ask. */
  readonly yes?: boolean;
}

/**
 * Where the clients call, as AWS's own tools take it: the SDK reads the rest of its default chain, SSO
 * included, from the environment and the shared files.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 */
export function applyTo(environment: NodeJS.ProcessEnv, { profile, region, endpoint }: Options): void {
  if (profile !== undefined) {
    environment.AWS_PROFILE = profile;
    // A profile that is asked for comes before the environment's keys.
    for (const key of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])
      delete environment[key];
  }
  // The SDK knows nothing of AWS_DEFAULT_REGION, which the AWS CLI takes.
  const chosen = region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (chosen !== undefined) environment.AWS_REGION = chosen;
  if (endpoint !== undefined) pointTo(environment, endpoint);
}

/** A simulated AWS on this machine takes any credentials, but without some the SDK sends nothing. */
function pointTo(environment: NodeJS.ProcessEnv, endpoint: string): void {
  if (!URL.canParse(endpoint))
    throw new Complaint(`--endpoint was "${endpoint}"; it may be a URL such as http://127.0.0.1:4566`);
  environment.AWS_ENDPOINT_URL = endpoint;
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(endpoint).hostname);
  if (!isHere || environment.AWS_PROFILE !== undefined) return;
  environment.AWS_ACCESS_KEY_ID ??= 'simulated';
  environment.AWS_SECRET_ACCESS_KEY ??= 'simulated';
}

/** What a text is laid out for. */
export interface Page {
  readonly color: boolean;
  /** How wide the terminal is; undefined for a pipe or a file. */
  readonly columns: number | undefined;
  /** Whether instances and steps are listed one by one. */
  readonly wide?: boolean;
}

/** What a command talks to: a terminal, or whatever a test has in its place. */
export interface Terminal extends Page {
  /** To standard output: what was asked for. */
  out(text: string): void;
  /** To standard error: everything else. */
  note(text: string): void;
  /** Whether somebody can answer a question. */
  readonly canAsk: boolean;
  ask(question: string): Promise<string>;
  /** Shows what is waited for, with a spinner where there is a terminal. The task may say how far it is. */
  waiting<Result>(what: string, task: (say: (text: string) => void) => Promise<Result>): Promise<Result>;
  /** At Ctrl-C meanwhile, says what goes on without this command. */
  outlived<Result>(text: string, task: () => Promise<Result>): Promise<Result>;
  /** Shows text in place of the text before. */
  redraw(text: string): void;
}

/** What a command ends with; the shell gets it. */
export const EXIT = { done: 0, failed: 1, planned: 2, interrupted: 130 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Something that the person can put right; it is told without a stack trace. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

export const seconds = (count: number): Promise<void> => sleep(count * 1000);

/** @throws Complaint if the answer is no, or nobody can answer */
export async function confirm(question: string, { yes }: ChangeOptions, terminal: Terminal): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) throw new Complaint(`Nobody can be asked here: "${question}" Add --yes.`);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Complaint('Nothing was changed.');
}
