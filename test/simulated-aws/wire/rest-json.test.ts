import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { simulateAccount } from '../account/account.ts';
import { virtualClock } from '../clock/clock.ts';
import { createWorld } from '../world/world.ts';

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:ask-first';

function setUp(answer: (event: unknown) => unknown) {
  const clock = virtualClock(0);
  const world = createWorld({ clock, seed: 1 });
  const found = { arn: ARN, events: [], answers: [], answer };
  world.state.functions.set(ARN, found);
  const account = simulateAccount({ clock, operations: world.operations });
  const lambda = new LambdaClient({ ...account.clientOptions, maxAttempts: 1 });
  const invoke = async (FunctionName: string, text: string) => {
    const { Payload, $metadata, ...output } = await lambda.send(
      new InvokeCommand({ FunctionName, InvocationType: 'RequestResponse', Payload: Buffer.from(text) }),
    );
    return { ...output, text: Buffer.from(Payload ?? []).toString() };
  };
  return { invoke, lambda, found, account };
}

it.each([ARN, 'ask-first'])('carries the event of %s there, and its answer back', async (name) => {
  const { invoke, found, account } = setUp(() => ({ answer: 'gö' }));
  const { text, ...output } = await invoke(name, '{"stage":"é"}');
  expect(found.events).toEqual([{ stage: 'é' }]);
  expect(JSON.parse(text)).toEqual({ answer: 'gö' });
  expect(output).toEqual({ StatusCode: 200, ExecutedVersion: '$LATEST' });
  expect(account.bugs).toEqual([]);
});

it("carries a function's error beside the status", async () => {
  const { invoke } = setUp(() => {
    throw new TypeError('broken');
  });
  const { text, ...output } = await invoke(ARN, '{}');
  expect(output).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
  expect(JSON.parse(text)).toEqual({ errorMessage: 'broken', errorType: 'TypeError', trace: [] });
});

it('carries the answer of a function that takes its time', async () => {
  const { invoke } = setUp(async () => ({ answer: 'later' }));
  expect(JSON.parse((await invoke(ARN, '{}')).text)).toEqual({ answer: 'later' });
  const { invoke: fail } = setUp(() => Promise.reject(new RangeError('late')));
  expect((await fail(ARN, '{}')).text).toContain('"errorType":"RangeError"');
});

it('carries what a function is configured as, as JSON', async () => {
  const { lambda } = setUp(() => undefined);
  const { $metadata, ...told } = await lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: 'ask-first' }),
  );
  expect(told).toEqual({
    FunctionName: 'ask-first',
    FunctionArn: ARN,
    Handler: 'index.handler',
    Environment: { Variables: {} },
    LoggingConfig: { LogFormat: 'JSON', LogGroup: '/aws/lambda/ask-first' },
  });
});

it('refuses what is no function, and what is no event', async () => {
  const { invoke } = setUp(() => undefined);
  await expect(invoke('another', '{}')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Function not found: another',
    $metadata: { httpStatusCode: 404 },
  });
  await expect(invoke(ARN, 'no JSON')).rejects.toMatchObject({ name: 'InvalidRequestContentException' });
});
