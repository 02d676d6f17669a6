import type { HttpHandler } from '@smithy/core/protocols';
import { HttpResponse } from '@smithy/core/protocols';
import type { WireRequest, WireResponse } from './protocol.ts';

/** Whoever answers requests; rejects where the connection breaks. */
export type Answer = (request: WireRequest) => Promise<WireResponse>;

/** Lets an SDK client reach `answer` by the bytes that it would send, without a socket. */
export function inProcess(answer: Answer): HttpHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    async handle({ path, headers, body }) {
      const request = { path, headers, body: textOf(body) };
      // The body stays one array of bytes, for which the SDK needs no stream.
      return { response: new HttpResponse(await answer(request)) };
    },
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array)) return '';
  // The SDK's own array of bytes warns when it's taken for a string, which `Buffer.from(body)` would do.
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}
