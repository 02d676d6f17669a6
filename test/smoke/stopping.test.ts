import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { invokeLambda } from './invoke.ts';
import { BrokenOff } from './runner.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function run(): { readonly child: ChildProcess; readonly told: string[] } {
  const line = ['--import', 'tsx', MAIN, '--yes', '--simulated'];
  const child = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'inherit'] });
  const told: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => told.push(text));
  return { child, told };
}

test('Ctrl-C in the middle of the roll removes everything, and says so', async () => {
  const { child, told } = run();
  while (!told.join('').includes('try: a roll')) await once(child.stdout ?? child, 'data');
  child.kill('SIGINT');
  // As npm passes it on.
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([1, null]);
  const text = told.join('');
  expect(text).toContain('If this is killed: To remove everything with the tag');
  expect(text).toContain('SIGINT: removing what was made');
  expect(text).toMatch(/removed: instance i-/);
  expect(text).toContain('removed: stack');
  expect(text).not.toContain('try: a bad image');
  expect(text).toContain('Nothing of it is left.');
});

test('Ctrl-C does not wait for an invocation, which lasts a quarter of an hour', async () => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const hangs = (_: object, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
    new Promise<never>((_, reject) => {
      abortSignal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const client = new LambdaClient({
    region: 'eu-west-1',
    credentials,
    maxAttempts: 1,
    requestHandler: { handle: hangs } as never,
  });
  const stop = new AbortController();
  const invocation = invokeLambda(client, 'function', { action: 'roll' }, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await expect(invocation).rejects.toThrow(BrokenOff);
});
