import type { NormalizedSchema } from '@smithy/core/schema';
import { InvalidInput } from './invalid-input.ts';
import { awsJson } from './json.ts';
import type { Protocol, WireRequest, WireResponse } from './protocol.ts';
import { inputOf, isStructure, membersOf, outputOf } from './schema.ts';

/**
 * As far as a structure travels in path, headers and a payload: bytes, or in an answer the JSON of all its
 * members.
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html
 */
export const restJson: Protocol = {
  decode(schema, body, request) {
    const label = labelIn(request);
    const members = membersOf(inputOf(schema)).map(({ name, schema: member }) => {
      const { httpLabel, httpHeader, httpPayload } = member.getMergedTraits();
      if (httpLabel) return [name, label];
      if (typeof httpHeader === 'string') return [name, request.headers[httpHeader.toLowerCase()]];
      return [name, httpPayload && body !== '' ? Buffer.from(body) : undefined];
    });
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  },
  encode(schema, output, requestId) {
    const headers = { 'content-type': 'application/json', 'x-amzn-requestid': requestId };
    const members = membersOf(outputOf(schema));
    if (members.every(({ schema: member }) => !isBound(member)))
      return { statusCode: 200, headers, body: awsJson.encode(schema, output, requestId).body };
    const answer: WireResponse = { statusCode: 200, headers, body: new Uint8Array() };
    return members.reduce<WireResponse>(
      (so, { name, schema: member }) =>
        isStructure(output) && output[name] !== undefined ? withMember(so, member, output[name]) : so,
      answer,
    );
  },
  encodeError({ code, message, statusCode }, requestId) {
    return {
      statusCode,
      headers: {
        'content-type': 'application/json',
        'x-amzn-requestid': requestId,
        'x-amzn-errortype': code,
      },
      body: Buffer.from(JSON.stringify({ message })),
    };
  },
};

/** To something else than a member of the body's JSON. */
function isBound(member: NormalizedSchema): boolean {
  const { httpHeader, httpResponseCode, httpPayload } = member.getMergedTraits();
  return Boolean(httpHeader ?? httpResponseCode ?? httpPayload);
}

function withMember(answer: WireResponse, member: NormalizedSchema, value: unknown): WireResponse {
  const { httpHeader, httpResponseCode } = member.getMergedTraits();
  if (httpResponseCode) return { ...answer, statusCode: Number(value) };
  if (typeof httpHeader === 'string')
    return { ...answer, headers: { ...answer.headers, [httpHeader.toLowerCase()]: String(value) } };
  return value instanceof Uint8Array ? { ...answer, body: value } : answer;
}

/** The one part of the path that isn't fixed. */
function labelIn({ path }: WireRequest): string {
  const [, label] = /^\/2015-03-31\/functions\/([^/]+)\//.exec(path) ?? [];
  if (label === undefined) throw new InvalidInput('the path', 'malformed');
  return decodeURIComponent(label);
}
