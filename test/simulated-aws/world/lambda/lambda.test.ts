import { GetFunctionConfigurationCommand, InvokeCommand } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';
import type { AnsweringFunction } from './functions.ts';

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:gate';

function setUp(answer: AnsweringFunction['answer'] = () => ({ answer: 'go' })) {
  const world = createWorld({ clock: virtualClock(Date.parse('2026-11-21T00:00:00Z')), seed: 1 });
  world.state.functions.set(ARN, { arn: ARN, events: [], answers: [], answer });
  const call = directCalls(world);
  return (FunctionName: string, payload = '{}') =>
    call(InvokeCommand, { FunctionName, Payload: new TextEncoder().encode(payload) });
}

const textOf = (payload: Uint8Array | undefined) => Buffer.from(payload ?? []).toString();

test('an invocation is answered with 200, whatever becomes of the function', () => {
  const { StatusCode, Payload, FunctionError } = setUp()('gate', '{"asks":1}');
  expect([StatusCode, textOf(Payload), FunctionError]).toEqual([200, '{"answer":"go"}', undefined]);
  const failed = setUp(() => {
    throw new TypeError('broken');
  })(ARN);
  expect([failed.StatusCode, failed.FunctionError]).toEqual([200, 'Unhandled']);
  expect(JSON.parse(textOf(failed.Payload))).toMatchObject({
    errorMessage: 'broken',
    errorType: 'TypeError',
  });
});

test('an invocation is refused while all reserved concurrency is taken, and an event waits for it', () => {
  const clock = virtualClock(0);
  const world = createWorld({ clock, seed: 1 });
  let busy = true;
  const found = { arn: ARN, events: [], answers: [], answer: () => 'done', isBusy: () => busy };
  world.state.functions.set(ARN, found);
  const call = directCalls(world);
  expect(() => call(InvokeCommand, { FunctionName: 'gate' })).toThrow(
    expect.objectContaining({ code: 'TooManyRequestsException', statusCode: 429 }),
  );
  expect(call(InvokeCommand, { FunctionName: 'gate', InvocationType: 'Event' })).toEqual({ StatusCode: 202 });
  clock.advance(600);
  expect(found.events).toEqual([]);
  busy = false;
  clock.advance(60);
  expect(found.answers).toEqual(['done']);
});

test('a function is described by name or ARN, and not once it is deleted', () => {
  const world = createWorld({ clock: virtualClock(0), seed: 1 });
  const plain = { arn: ARN, events: [], answers: [], answer: () => undefined };
  const environment = { CLUSTERS: 'web' };
  world.state.functions.set(ARN, { ...plain, handler: 'index.gate', environment, logGroup: 'gates' });
  const describe = (FunctionName: string) =>
    directCalls(world)(GetFunctionConfigurationCommand, { FunctionName });
  expect(describe('gate')).toEqual(describe(ARN));
  expect(describe(ARN)).toMatchObject({
    FunctionName: 'gate',
    FunctionArn: ARN,
    Handler: 'index.gate',
    Environment: { Variables: environment },
    LoggingConfig: { LogGroup: 'gates' },
  });
  world.state.functions.set(ARN, plain);
  expect(describe(ARN).LoggingConfig?.LogGroup).toBe('/aws/lambda/gate');
  world.state.functions.set(ARN, { ...plain, isDeleted: true });
  expect(() => describe('gate')).toThrow(expect.objectContaining({ code: 'ResourceNotFoundException' }));
});

test('an invocation is refused if there is no such function, or its payload is no JSON', () => {
  const invoke = setUp();
  expect(() => invoke('none')).toThrow(expect.objectContaining({ code: 'ResourceNotFoundException' }));
  expect(() => invoke('gate', '{')).toThrow(
    expect.objectContaining({ code: 'InvalidRequestContentException' }),
  );
});
