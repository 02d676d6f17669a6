import { JsonShapeDeserializer2, JsonShapeSerializer2 } from '@smithy/core/protocols';
import type { DocumentType } from '@smithy/types';
import type { AwsError } from '../account/operation.ts';
import { InvalidInput } from './invalid-input.ts';
import { demandModelled } from './modelled.ts';
import type { Protocol, WireResponse } from './protocol.ts';
import { inputOf, isStructure, outputOf } from './schema.ts';

const EPOCH_SECONDS = 7;
const settings = {
  timestampFormat: { useTrait: true, default: EPOCH_SECONDS },
  jsonName: false,
} as const;
const serializer = new JsonShapeSerializer2(settings);
const deserializer = new JsonShapeDeserializer2(settings);

/** https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html */
export const awsJson = jsonProtocol('1.1', () => ({}));

/** https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html */
export const awsJson10 = jsonProtocol('1.0', () => ({}));

/**
 * Of a service that once spoke a query protocol: a header tells what its errors were called then.
 * https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsquerycompatible-trait
 */
export const awsQueryCompatibleJson = jsonProtocol('1.0', ({ code, statusCode }) => ({
  'x-amzn-query-error': `${code};${statusCode < 500 ? 'Sender' : 'Receiver'}`,
}));

function jsonProtocol(
  version: '1.0' | '1.1',
  errorHeaders: (error: AwsError) => Record<string, string>,
): Protocol {
  const response = (statusCode: number, body: Uint8Array, requestId: string, further = {}): WireResponse => ({
    statusCode,
    headers: {
      'content-type': `application/x-amz-json-${version}`,
      'x-amzn-requestid': requestId,
      ...further,
    },
    body,
  });

  return {
    decode(schema, body) {
      const input = inputOf(schema);
      const value = parse(body);
      demandModelled(input, value);
      return input.isStructSchema() ? deserializer.readObject(input, value) : {};
    },
    encode(schema, output, requestId) {
      const shape = outputOf(schema);
      if (!shape.isStructSchema()) return response(200, Buffer.from('{}'), requestId);
      serializer.write(shape, output);
      return response(200, serializer.flush(), requestId);
    },
    encodeError(error, requestId) {
      const { code, message, statusCode, details } = error;
      const body = Buffer.from(JSON.stringify({ __type: code, message, ...details }));
      return response(statusCode, body, requestId, errorHeaders(error));
    },
  };
}

function parse(body: string): DocumentType {
  try {
    const input: DocumentType = JSON.parse(body || '{}');
    if (isStructure(input)) return input;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidInput('the body', 'malformed');
}
