import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { invokeFunction, logged } from './invoke.ts';

const BUNDLE = `
export const handler = async (event, context) => {
  process.stdout.write(JSON.stringify({ message: 'begins', region: process.env.AWS_REGION }) + '\\n');
  if (event.fail) throw new RangeError('as asked');
  if (event.exit) process.exit(3);
  if (event.hang) await new Promise((resolve) => setTimeout(resolve, 60_000));
  const at = [Date.now()];
  for (const seconds of event.sleepSeconds ?? []) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    at.push(new Date().getTime());
  }
  return { event, at, remaining: context.getRemainingTimeInMillis(), profile: process.env.AWS_PROFILE ?? null, endpoint: process.env.AWS_ENDPOINT_URL, own: process.env.OWN };
};`;

describe('the process of a function', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    await writeFile(join(folder, 'index.mjs'), BUNDLE);
    process.env.AWS_PROFILE = 'not for the function';
  });
  afterAll(async () => {
    delete process.env.AWS_PROFILE;
    await rm(folder, { recursive: true });
  });

  const invoke = (event: object, remainingMillis = 5000, onLine?: (line: string) => void) =>
    invokeFunction({
      bundle: join(folder, 'index.mjs'),
      endpoint: 'http://127.0.0.1:1',
      environment: { OWN: 'setting' },
      event,
      remainingMillis,
      ...(onLine && { onLine }),
    });

  it('answers what the handler answers, in its own environment', async () => {
    const outcome = await invoke({ action: 'plan' }).outcome;
    expect(outcome).toMatchObject({
      ok: true,
      result: { event: { action: 'plan' }, profile: null, endpoint: 'http://127.0.0.1:1', own: 'setting' },
    });
    expect(logged(outcome.lines)).toEqual([{ message: 'begins', region: 'eu-central-1' }]);
  });

  it('reports an error by name and message', async () => {
    expect(await invoke({ fail: true }).outcome).toMatchObject({
      ok: false,
      error: { name: 'RangeError', message: 'as asked' },
    });
  });

  it('is killed in the middle', async () => {
    const invocation = invoke({ hang: true }, 5000, () => invocation.kill());
    expect(await invocation.outcome).toMatchObject({ killed: true });
  });

  it('lives in a lent time: it waits for hours in moments, and time stands still while it works', async () => {
    const clock = virtualClock(0);
    const { outcome } = invokeFunction({
      bundle: join(folder, 'index.mjs'),
      endpoint: 'http://127.0.0.1:1',
      environment: {},
      event: { sleepSeconds: [7200, 30] },
      remainingMillis: 10_000_000,
      time: clock,
    });
    const ended = await clock.drive(outcome);
    expect(ended).toMatchObject({
      ok: true,
      result: { at: [0, 7_200_000, 7_230_000], remaining: 2_770_000 },
    });
    expect(ended.lines).toHaveLength(1);
  });

  it('says when it left without an answer, or had no time left', async () => {
    const [exited, timedOut] = await Promise.all([
      invoke({ exit: true }).outcome,
      invoke({ hang: true }, 400).outcome,
    ]);
    expect(exited).toMatchObject({ ok: false, error: { name: 'Runtime.ExitError' } });
    expect(timedOut).toMatchObject({ ok: false, error: { name: 'Sandbox.Timedout' } });
  });
});
