import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** A server that doesn't answer as it should, and how often it was asked. */
export interface SilentServer {
  readonly endpoint: string;
  readonly asked: () => number;
  close(): Promise<void>;
}

/** Takes each request and never answers. */
export const neverAnswers = () => serve(() => {});

/** Answers the headers and the beginning of the body, and then nothing more. */
export const stallsInBody = () =>
  serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '1000' });
    response.write('<DescribeInstancesResponse');
  });

/** Answers a byte at a time, so that the connection never rests. */
export const trickles = () =>
  serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  });

/** Takes the first requests and never answers; later ones succeed. */
export function answersAt(attempt: number): Promise<SilentServer> {
  let asked = 0;
  return serve((_, response) => {
    asked++;
    if (asked < attempt) return;
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end('<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>');
  });
}

async function serve(answer: RequestListener): Promise<SilentServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Listens in a blocked thread: once its queue is full, the kernel accepts no connection any more. */
const STANDING_STILL = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  });
`;

/** Its queue never takes more than this, even if the system rounds up a backlog of 1. */
const QUEUED = 8;

/** Never takes a connection. */
export async function neverAccepts(): Promise<SilentServer> {
  const worker = new Worker(STANDING_STILL, { eval: true });
  const [port] = await once(worker, 'message');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const queued = Array.from(
    { length: QUEUED },
    (): Socket => connect(port, '127.0.0.1').on('error', () => {}),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    asked: () => 0,
    async close() {
      for (const socket of queued) socket.destroy();
      await worker.terminate();
    },
  };
}
