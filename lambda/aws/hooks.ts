import { type Aws, rareClient } from './clients.ts';
import { FailureAnswered } from './errors.ts';
import { InvokeCommand, LambdaClient } from './lambda-client.ts';

/** A hook that fails is asked again with a later look, so this one doesn't wait for it any longer. */
const LIMITS = { maxAttempts: 1, milliseconds: 10_000 } as const;

/** So much of what a function says when it fails. */
const MOST_CHARACTERS = 200;

export const lambdaOf = rareClient(LambdaClient, 'lambda', LIMITS.maxAttempts);

/**
 * Invokes a function and waits for its answer.
 *
 * @param arn its ARN, which may name a version or an alias
 * @returns what it answered, as text
 * @throws FailureAnswered if the function itself failed
 */
export async function invoke(aws: Aws, arn: string, event: object): Promise<string> {
  const command = new InvokeCommand({
    FunctionName: arn,
    InvocationType: 'RequestResponse',
    Payload: new Uint8Array(Buffer.from(JSON.stringify(event))),
  });
  const abortSignal = AbortSignal.timeout(LIMITS.milliseconds);
  const { Payload, FunctionError } = await lambdaOf(aws).send(command, { abortSignal });
  const text = Buffer.from(Payload ?? []).toString();
  if (FunctionError !== undefined)
    throw new FailureAnswered(`the function failed (${FunctionError}): ${text.slice(0, MOST_CHARACTERS)}`);
  return text;
}
