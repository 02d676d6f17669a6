import { InvokeCommand } from '@aws-sdk/client-lambda';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { findFunction } from './functions.ts';

/** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
export function functionOperations(state: State): Operation[] {
  return [
    on(
      InvokeCommand,
      { FunctionName: 'all', InvocationType: ['RequestResponse'], Payload: 'all' },
      ({ FunctionName: name = '', Payload: payload }) => {
        const found = findFunction(state.functions, name);
        // ledger: invoke-function-unknown
        if (found === undefined)
          throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404);
        const event = eventIn(payload);
        found.events.push(event);
        try {
          const answer = found.answer(event);
          found.answers.push(answer);
          return { StatusCode: 200, ExecutedVersion: '$LATEST', Payload: bytesOf(answer) };
        } catch (error) {
          found.answers.push(undefined);
          if (!(error instanceof Error)) throw error;
          // The status stays 200: it says nothing of the function's own errors.
          const told = { errorMessage: error.message, errorType: error.name, trace: [] };
          return {
            StatusCode: 200,
            FunctionError: 'Unhandled',
            ExecutedVersion: '$LATEST',
            Payload: bytesOf(told),
          };
        }
      },
    ),
  ];
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
