import { JsonShapeDeserializer2, JsonShapeSerializer2 } from '@smithy/core/protocols';
import type { DocumentType } from '@smithy/types';
import { InvalidInput } from './invalid-input.ts';
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
export const awsJson: Protocol = {
  decode(schema, body) {
    const input = inputOf(schema);
    return input.isStructSchema() ? deserializer.readObject(input, parse(body)) : {};
  },
  encode(schema, output, requestId) {
    const shape = outputOf(schema);
    if (!shape.isStructSchema()) return response(200, Buffer.from('{}'), requestId);
    serializer.write(shape, output);
    return response(200, serializer.flush(), requestId);
  },
  encodeError(error, requestId) {
    const { code, message, statusCode } = error;
    const body = Buffer.from(JSON.stringify({ __type: code, message }));
    return response(statusCode, body, requestId);
  },
};

function parse(body: string): DocumentType {
  try {
    const input: DocumentType = JSON.parse(body || '{}');
    if (isStructure(input)) return input;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidInput('the body', 'malformed');
}

function response(statusCode: number, body: Uint8Array, requestId: string): WireResponse {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': requestId,
  };
  return { statusCode, headers, body };
}
