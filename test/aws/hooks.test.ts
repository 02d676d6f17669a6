import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { invoke } from '../../lambda/aws/hooks.ts';
import { mocked } from './mocked.ts';

const lambda = mocked(LambdaClient);
const aws = createAws({ region: 'eu-west-1' });
const ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:ask-first:live';
const bytes = (text: string) => Uint8ArrayBlobAdapter.fromString(text);

test('a function gets the event, and its answer comes back as text', async () => {
  lambda.on(InvokeCommand).resolves({ StatusCode: 200, Payload: bytes('{"answer":"go"}') });
  expect(await invoke(aws, ARN, { stage: 'before-batch' })).toBe('{"answer":"go"}');
  const [call] = lambda.commandCalls(InvokeCommand);
  const { Payload, ...input } = call?.args[0].input ?? {};
  expect(input).toEqual({ FunctionName: ARN, InvocationType: 'RequestResponse' });
  expect(Buffer.from(Payload as Uint8Array).toString()).toBe('{"stage":"before-batch"}');
});

test('an error of the function is a failure, although Lambda answers 200', async () => {
  const told = { StatusCode: 200, FunctionError: 'Unhandled', Payload: bytes('{"errorMessage":"no"}') };
  lambda.on(InvokeCommand).resolves(told);
  await expect(invoke(aws, ARN, {})).rejects.toMatchObject({
    name: 'FailureAnswered',
    message: 'the function failed (Unhandled): {"errorMessage":"no"}',
  });
});

test('no answer at all is an empty one', async () => {
  lambda.on(InvokeCommand).resolves({ StatusCode: 200 });
  expect(await invoke(aws, ARN, {})).toBe('');
});
