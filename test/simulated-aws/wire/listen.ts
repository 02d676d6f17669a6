import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './in-process.ts';

/** A simulated account on a local port. */
export interface Endpoint {
  /** What `AWS_ENDPOINT_URL` has to be. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `answer` over HTTP; port 0 takes any that is free. */
export async function listen(answer: Answer, port = 0): Promise<Endpoint> {
  const server = createServer((request, response) => {
    // The caller of a request that is not answered sees its connection break, which is what the rejection
    // means.
    reply(answer, request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function reply(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode, headers, body } = await answer({
    path: request.url ?? '/',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    body: await bodyOf(request),
  });
  response.writeHead(statusCode, headers).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
