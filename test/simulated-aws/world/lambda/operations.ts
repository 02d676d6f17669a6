import { GetFunctionConfigurationCommand, InvokeCommand } from '@aws-sdk/client-lambda';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { type AnsweringFunction, findFunction, nameOf } from './functions.ts';

/** Until an event is tried again that found the function busy: Lambda's first wait is one second. */
const RETRY_SECONDS = 1;

/**
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html,
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
 */
export function functionOperations(state: State): Operation[] {
  const named = (name = '') => {
    const found = findFunction(state.functions, name);
    // ledger: invoke-function-unknown, function-configuration-unknown
    if (found === undefined)
      throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404);
    return found;
  };
  return [
    on(
      InvokeCommand,
      { FunctionName: 'all', InvocationType: ['RequestResponse', 'Event'], Payload: 'all' },
      ({ FunctionName, InvocationType, Payload }) => {
        const found = named(FunctionName);
        const event = eventIn(Payload);
        if (InvocationType === 'Event') {
          invokeLater(state, found, event);
          return { StatusCode: 202 };
        }
        // ledger: invoke-concurrency
        if (found.isBusy?.()) throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
        return invoked(found, event);
      },
    ),
    on(GetFunctionConfigurationCommand, { FunctionName: 'all' }, ({ FunctionName }) => {
      const found = named(FunctionName);
      const name = nameOf(found);
      return {
        FunctionName: name,
        FunctionArn: found.arn,
        Handler: found.handler ?? 'index.handler',
        Environment: { Variables: { ...found.environment } },
        LoggingConfig: { LogFormat: 'JSON' as const, LogGroup: found.logGroup ?? `/aws/lambda/${name}` },
      };
    }),
  ];
}

/** As soon as it is free. */
function invokeLater(state: State, found: AnsweringFunction, event: unknown): void {
  state.clock.schedule(found.isBusy?.() ? RETRY_SECONDS : 0, () => {
    if (found.isBusy?.()) invokeLater(state, found, event);
    else void invoked(found, event);
  });
}

interface Invoked {
  readonly StatusCode: number;
  readonly ExecutedVersion: string;
  readonly FunctionError?: string;
  readonly Payload: Uint8ArrayBlobAdapter;
}

/** At once where the function answers at once. */
function invoked(found: AnsweringFunction, event: unknown): Invoked | Promise<Invoked> {
  const at = found.events.push(event) - 1;
  const told = (Payload: unknown) => ({
    StatusCode: 200,
    ExecutedVersion: '$LATEST',
    Payload: bytesOf(Payload),
  });
  const done = (answer: unknown) => {
    found.answers[at] = answer;
    return told(answer);
  };
  // The status stays 200: it says nothing of the function's own errors.
  const failed = (error: unknown) => {
    found.answers[at] = undefined;
    if (!(error instanceof Error)) throw error;
    const { message, name } = error;
    return { ...told({ errorMessage: message, errorType: name, trace: [] }), FunctionError: 'Unhandled' };
  };
  try {
    const answer = found.answer(event);
    return answer instanceof Promise ? answer.then(done, failed) : done(answer);
  } catch (error) {
    return failed(error);
  }
}

function eventIn(payload: unknown): unknown {
  const text = payload instanceof Uint8Array ? Buffer.from(payload).toString() : '{}';
  try {
    return JSON.parse(text);
  } catch {
    // ledger: invoke-payload-json
    throw new AwsError(
      'InvalidRequestContentException',
      'Could not parse request body into json: Could not parse payload into json',
    );
  }
}

const bytesOf = (answer: unknown) => Uint8ArrayBlobAdapter.fromString(JSON.stringify(answer ?? null));
