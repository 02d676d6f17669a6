import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** As the CDK's command line runs it; a fault ends it before anything is built. */
function synth(context: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>>) {
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.cjs'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  return { status, stderr };
}

test('it says which Region and account it takes, as they decide what is at fault', () => {
  const chatTopicArn = 'arn:aws:sns:eu-west-1:111122223333:chat';
  const context = { clusters: 'web', chatTopicArn, maxSrge: '2' };
  const { status, stderr } = synth(context, { CDK_DEFAULT_REGION: 'us-east-1' });
  expect(stderr).toMatch(/^For Region us-east-1 and no account, as no credentials were found\. /);
  expect(stderr).toContain('it may be a topic in us-east-1');
  expect(stderr).toContain('did you mean maxSurge?');
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(1);
  const inAccount = { CDK_DEFAULT_REGION: 'eu-west-1', CDK_DEFAULT_ACCOUNT: '111122223333' };
  expect(synth(context, inAccount).stderr).toMatch(/^For Region eu-west-1 and account 111122223333\. /);
});

test('it says what there is to choose for how long a roll takes, until that is chosen', () => {
  // Where nothing can be built, it says what it says before.
  const region = { CDK_DEFAULT_REGION: 'eu-west-1', PATH: '' };
  expect(synth({ clusters: 'web' }, region).stderr).toContain('how long with -c drainConcurrency=auto');
  expect(synth({ clusters: 'web', drainConcurrency: '2' }, region).stderr).not.toContain('drainConcurrency');
});

test('with a sequence it says what is wrong with its file, and asks for no clusters', () => {
  const { status, stderr } = synth({ sequence: 'none.json' }, { CDK_DEFAULT_REGION: 'eu-west-1' });
  expect(stderr).toContain('sequence was "none.json"; it may be the path of a file with stages as JSON');
  expect(stderr).not.toContain('clusters');
  expect(status).toBe(1);
});

test("where it can't build the function, it says so, without a stack", () => {
  const { status, stderr } = synth({ clusters: 'web' }, { CDK_DEFAULT_REGION: 'eu-west-1', PATH: '' });
  expect(stderr).toContain(
    "This can't be deployed:\n  - the function wasn't built; `npm run build` says why",
  );
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(1);
});

test('in a clone in which nothing is installed it says what to do first', () => {
  const clone = mkdtempSync(join(tmpdir(), 'clone-'));
  for (const file of ['app.cjs', 'installed.cjs']) cpSync(`infra/${file}`, join(clone, file));
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'app.cjs')], { encoding: 'utf8' });
  expect(stderr).toBe('Nothing is installed here yet: npm ci\n');
  expect(status).toBe(1);
});
