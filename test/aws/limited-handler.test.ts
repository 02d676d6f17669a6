import { afterEach, describe, expect, test } from 'vitest';
import { type Aws, createAws } from '../../lambda/aws/clients.ts';
import { describeInstances } from '../../lambda/aws/ec2.ts';
import { explain } from '../../lambda/aws/errors.ts';
import { faultOf } from '../../lambda/aws/faults.ts';
import type { TimeLimits } from '../../lambda/aws/limited-handler.ts';
import { deployedSeal } from '../sealed.ts';
import { allClients } from './all-clients.ts';
import {
  answersAt,
  neverAccepts,
  neverAnswers,
  type SilentServer,
  stallsInBody,
  trickles,
} from './silent-servers.ts';

const ATTEMPTS = 2;
/** The SDK's pauses between two attempts, and what a busy machine takes besides. */
const PAUSES_SECONDS = 3;

let server: SilentServer | undefined;
afterEach(() => server?.close());

function asking({ endpoint }: SilentServer, limits: Partial<TimeLimits>): Aws {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const aws = createAws({ region: 'eu-west-1', endpoint, credentials, maxAttempts: ATTEMPTS }, limits);
  return { ...aws, seal: async () => deployedSeal };
}

async function outcomeOf(aws: Aws): Promise<{ readonly error: unknown; readonly seconds: number }> {
  const began = performance.now();
  const error = await describeInstances(aws, ['i-1']).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, seconds: (performance.now() - began) / 1000 };
}

describe('a call to a server that', () => {
  test.each([
    ['takes requests and never answers', neverAnswers, ATTEMPTS],
    ['stalls in the body of its answer', stallsInBody, ATTEMPTS],
    ['answers a byte now and then', trickles, ATTEMPTS],
    ['never takes a connection', neverAccepts, 0],
  ])('%s is retried as often as others, and then ends', async (_, serve, asked) => {
    server = await serve();
    const { error, seconds } = await outcomeOf(asking(server, { connect: 0.5, attempt: 0.5 }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(faultOf(error)).toEqual({ kind: 'unavailable', retryable: true });
    expect(explain(error)).toMatch(/the next invocation tries again$/);
    expect(server.asked()).toBe(asked);
    expect(seconds).toBeGreaterThan(0.5 * ATTEMPTS);
    expect(seconds).toBeLessThan(0.5 * ATTEMPTS + PAUSES_SECONDS);
  });

  test('never accepts a connection ends before the limit for its whole answer', async () => {
    server = await neverAccepts();
    const { error, seconds } = await outcomeOf(asking(server, { connect: 0.3, attempt: 60 }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(seconds).toBeLessThan(0.3 * ATTEMPTS + PAUSES_SECONDS);
  });

  test('answers the second attempt succeeds', async () => {
    server = await answersAt(2);
    expect(await describeInstances(asking(server, { attempt: 0.5 }), ['i-1'])).toEqual([]);
    expect(server.asked()).toBe(2);
  });
});

describe('near the end of its invocation', () => {
  test.each([
    ['never answers', neverAnswers],
    ['stalls in its body', stallsInBody],
  ])('a call to a server that %s leaves time to report it, and is not retried', async (_, serve) => {
    server = await serve();
    const ends = performance.now() + 6_000;
    const remaining = () => (ends - performance.now()) / 1000;
    const { error, seconds } = await outcomeOf(asking(server, { attempt: 20, remaining }));
    expect(error).toMatchObject({ name: 'TimeUp' });
    expect(faultOf(error)).toEqual({ kind: 'unavailable', retryable: true });
    expect(server.asked()).toBe(1);
    expect(seconds).toBeLessThan(4);
    expect(remaining()).toBeGreaterThan(2);
  });

  test('no call begins any more', async () => {
    server = await neverAnswers();
    const { error } = await outcomeOf(asking(server, { remaining: () => 4 }));
    expect(error).toMatchObject({ name: 'TimeUp' });
    expect(server.asked()).toBe(0);
  });
});

test('each client is held to the limits', () => {
  const clients = allClients(createAws({ region: 'eu-west-1' }));
  expect(clients).toHaveLength(12);
  for (const client of clients) expect(client.config.requestHandler.constructor.name).toBe('LimitedHandler');
});
