import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { FIXED } from './seeds.ts';
import { howToGoOn, openSittings } from './sittings.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-proof-')) + sep;
const of = (lambda: string, isChanged = false, commit = '1a2b3c4') => ({
  at: new Date(0),
  revision: { commit, lambda, isChanged },
});
const TESTS = '123456789abc';
const JOB = { kind: 'storm', seeds: [1, 2] };

test('what one sitting has proved is not done again by the next, unless product or tests have changed', async () => {
  const folder = newFolder();
  const first = await openSittings(of('1a2b3c4'), TESTS, folder);
  expect(first.done(JOB)).toBeUndefined();
  await first.keep(JOB, { seconds: 7 });
  expect(first.done(JOB)).toEqual({ seconds: 7 });
  expect((await openSittings(of('1a2b3c4'), TESTS, folder)).done(JOB)).toEqual({ seconds: 7 });
  expect((await openSittings(of('1a2b3c4', false, '9f8e7d6'), TESTS, folder)).done(JOB)).toEqual({
    seconds: 7,
  });
  expect((await openSittings(of('5d6e7f8'), TESTS, folder)).done(JOB)).toBeUndefined();
  expect((await openSittings(of('1a2b3c4'), 'cba987654321', folder)).done(JOB)).toBeUndefined();
});

test('a line that a kill has cut short is left out', async () => {
  const folder = newFolder();
  await (await openSittings(of('1a2b3c4'), TESTS, folder)).keep(JOB, 1);
  appendFileSync(join(folder, '1a2b3c4-123456789abc.jsonl'), '["{\\"kind');
  await (await openSittings(of('1a2b3c4'), TESTS, folder)).keep({ kind: 'sweep' }, 2);
  const third = await openSittings(of('1a2b3c4'), TESTS, folder);
  expect([third.done(JOB), third.done({ kind: 'sweep' })]).toEqual([1, 2]);
});

test('where files differ from the commit, nothing is kept for later', async () => {
  const folder = newFolder();
  await (await openSittings(of('1a2b3c4', true), TESTS, folder)).keep(JOB, 1);
  expect((await openSittings(of('1a2b3c4'), TESTS, folder)).done(JOB)).toBeUndefined();
});

test('what goes on is named: not a command that would draw other seeds, nor one that would begin anew', async () => {
  const kept = await openSittings(of('1a2b3c4'), TESTS, newFolder());
  expect(howToGoOn(kept, FIXED)).toBe('the same command goes on from here');
  expect(howToGoOn(kept, { first: 5_000_000, isFresh: true })).toBe(
    'the same command with --seed 5000000 goes on from here',
  );
  const changed = await openSittings(of('1a2b3c4', true), TESTS, newFolder());
  expect(howToGoOn(changed, FIXED)).toMatch(/^nothing is kept, as not all files are committed/);
});
