import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { BrokenOff } from './runner.ts';
import type { Answer } from './smoke.ts';

const ANSWER = z.object({ groups: z.array(z.object({ state: z.string() })) });
const FAULT = z.object({ errorMessage: z.string() });

/**
 * The client must wait for as long as the function may run, and try nothing again by itself.
 * @throws BrokenOff by `signal`, which ends the wait and not the invocation
 */
export async function invokeLambda(
  client: LambdaClient,
  functionName: string,
  event: object,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    const command = new InvokeCommand({ FunctionName: functionName, Payload });
    return answerOf(await client.send(command, { abortSignal: signal }));
  } catch (error) {
    if (signal?.aborted) throw new BrokenOff('stopped');
    return withoutAnswer(error);
  }
}

function answerOf({ FunctionError, Payload }: InvokeCommandOutput): Answer {
  const payload: unknown = JSON.parse(new TextDecoder().decode(Payload));
  if (FunctionError !== undefined) return { kind: 'failed', message: FAULT.parse(payload).errorMessage };
  return { kind: 'answered', states: ANSWER.parse(payload).groups.map(({ state }) => state) };
}

/** Errors of a connection that was idle for minutes; the invocation goes on. */
const LOST = new Set(['TimeoutError', 'ECONNRESET', 'NetworkingError']);

function withoutAnswer(error: unknown): Answer {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TooManyRequestsException') return { kind: 'busy' };
  if (LOST.has(error.name) || ('code' in error && LOST.has(String(error.code)))) return { kind: 'lost' };
  throw error;
}
