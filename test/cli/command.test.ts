import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineText } from '../../cli/commands/logs.ts';
import { applyTo, confirm, type Terminal } from '../../cli/session.ts';
import { exitFor } from '../../cli/text.ts';
import manifest from '../../package.json' with { type: 'json' };
import { COMMAND, run } from './run.ts';

it('says in a clone that is not built yet what to run, and runs from the same file once it is', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'clone-'));
  const bin = join(clone, 'cli', basename(manifest.bin['ecs-ami-deploy']));
  await mkdir(dirname(bin));
  await copyFile(join(import.meta.dirname, '../..', manifest.bin['ecs-ami-deploy']), bin);
  const early = spawnSync(bin, { encoding: 'utf8' });
  expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci && npm run build') });
  await mkdir(join(clone, 'dist', 'cli'), { recursive: true });
  await copyFile(COMMAND, join(clone, 'dist', 'cli', basename(COMMAND)));
  expect(spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout).toBe(`${manifest.version}\n`);
  await rm(clone, { recursive: true });
});

describe('where it calls', () => {
  const applied = (environment: NodeJS.ProcessEnv, options: Parameters<typeof applyTo>[1]) => {
    applyTo(environment, options);
    return environment;
  };

  it('is the Region that is asked for, or else that of the AWS CLI', () => {
    const given = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' };
    expect(applied({ ...given }, { region: 'us-east-1' })).toMatchObject({ AWS_REGION: 'us-east-1' });
    expect(applied({ ...given }, {})).toMatchObject({ AWS_REGION: 'eu-west-1' });
    expect(applied({ AWS_DEFAULT_REGION: 'eu-west-2' }, {})).toMatchObject({ AWS_REGION: 'eu-west-2' });
    expect(applied({}, {})).toEqual({});
  });

  it('is the account of the profile, whatever keys the environment has', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' };
    expect(applied({ ...keys }, { profile: 'audit' })).toEqual({ AWS_PROFILE: 'audit' });
    expect(applied({ ...keys }, {})).toEqual(keys);
  });
});

describe('a simulated AWS', () => {
  const pointed = (environment: NodeJS.ProcessEnv, endpoint: string) => {
    applyTo(environment, { endpoint });
    return environment;
  };

  it('on this machine takes any credentials', () => {
    const simulated = { AWS_ACCESS_KEY_ID: 'simulated', AWS_SECRET_ACCESS_KEY: 'simulated' };
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(pointed({}, `http://${host}:4566`)).toMatchObject(simulated);
    expect(pointed({ AWS_ACCESS_KEY_ID: 'mine' }, 'http://localhost')).toMatchObject({
      AWS_ACCESS_KEY_ID: 'mine',
    });
  });

  it('elsewhere takes those that there are', () => {
    expect(pointed({}, 'https://aws.example')).toEqual({ AWS_ENDPOINT_URL: 'https://aws.example' });
  });

  it('is at a URL', () => {
    expect(() => pointed({}, 'foo')).toThrow('--endpoint was "foo"; it may be a URL');
  });
});

describe('a question', () => {
  const asked: string[] = [];
  const terminal = (answer: string): Terminal => ({
    out() {},
    note() {},
    color: false,
    columns: undefined,
    canAsk: true,
    async ask(question) {
      asked.push(question);
      return answer;
    },
    waiting: (_, task) => task(() => undefined),
    outlived: (_, task) => task(),
    redraw() {},
  });

  it.each(['y', 'Y', ' yes '])('is a yes by "%s"', async (answer) => {
    await expect(confirm('Roll now?', {}, terminal(answer))).resolves.toBeUndefined();
    expect(asked).toContain('Roll now? [y/N] ');
  });

  it.each(['', 'n', 'yeah'])('is a no by "%s"', async (answer) => {
    await expect(confirm('Roll now?', {}, terminal(answer))).rejects.toThrow('Nothing was changed.');
  });
});

it.each([
  [0, ['up-to-date', 'completed', 'skipped', 'paused', 'noted', 'nothing-to-do']],
  [2, ['up-to-date', 'planned']],
  [2, ['completed', 'in-progress']],
  [1, ['planned', 'failed']],
  [1, ['planned', 'blocked']],
  [1, ['rolled-back']],
])('the exit status is %i after %j', (status, states) => {
  expect(exitFor(states.map((state) => ({ state })))).toBe(status);
});

it('a paused group is open as long as it has something left', () => {
  const paused = (drifted: number) => [{ state: 'paused', instances: { drifted, detached: 0 } }];
  expect([exitFor(paused(0)), exitFor(paused(1))]).toEqual([0, 2]);
});

it('a rollback that somebody asked for is no failure', () => {
  expect(exitFor([{ state: 'rolled-back', becauseCode: 'asked' }])).toBe(0);
  expect(exitFor([{ state: 'rolled-back', becauseCode: 'trial-failed' }])).toBe(1);
});

it('a line of the log is a sentence with its time, and Lambda has none', () => {
  const textOf = (message: unknown) =>
    lineText({ id: '1', at: new Date('2026-11-23T02:05:55.640Z'), message: JSON.stringify(message) });
  const said = { level: 'INFO', message: 'waits', cluster: 'web', group: 'web-ecs' };
  expect(textOf(said)).toBe('2026-11-23 02:05:55Z  web/web-ecs: waits');
  const ordered = { level: 'INFO', message: 'ordered', action: 'pause', clusters: ['web'] };
  expect(textOf(ordered)).toBe('2026-11-23 02:05:55Z  ordered: pause web');
  expect(textOf({ ...said, action: 'drain' })).toBe('2026-11-23 02:05:55Z  web/web-ecs: waits');
  expect(textOf({ level: 'ERROR', message: 'denied' })).toBe('2026-11-23 02:05:55Z  ERROR denied');
  expect(textOf({ type: 'platform.report', record: {} })).toBeUndefined();
});

it.each(['help', 'help sequence', 'sequence help', 'help roll'])('shows its help for `%s`', async (line) => {
  const { out, status } = await run(line.split(' '));
  expect(out).toMatch(/^Usage: ecs-ami-deploy/);
  expect(out).toContain('Options:');
  expect(status).toBe(0);
});

it('a name or a message with lines of its own passes for no further line of the log', () => {
  const at = new Date('2026-11-23T02:05:55.640Z');
  const forged = '\n2026-11-23 02:05:55Z  web/web-ecs: completed';
  for (const message of [
    JSON.stringify({ level: 'INFO', message: 'waits', cluster: 'web', group: `a${forged}` }),
    JSON.stringify({ level: 'INFO', message: `waits${forged}`, cluster: 'web', group: 'a' }),
    `Error: there is no group a${forged}`,
  ]) {
    const [first, ...further] = lineText({ id: '1', at, message })?.split('\n') ?? [];
    expect(first).toMatch(/^2026-11-23 02:05:55Z {2}/);
    for (const line of further) expect(line).toMatch(/^ {2}/);
  }
});

it("the built command lets no text of somebody else's begin a line on standard error", async () => {
  const { notes, status } = await run(['status', '--endpoint', 'nowhere\nAll groups are up to date.']);
  expect(notes).toContain('\n  All groups are up to date.');
  expect(status).toBe(1);
});

it('the built command has of our package.json the version alone', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect((await run(['--version'])).out).toBe(`${version}\n`);
  expect(await readFile(COMMAND, 'utf8')).not.toContain('devDependencies');
});

it("the built command tells its commands, and what it doesn't know", async () => {
  const help = await run(['--help']);
  for (const command of ['status', 'plan', 'latest-ami', 'list-clusters', 'logs', 'roll', 'continue'])
    expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
  expect(help.status).toBe(0);
  const unknown = await run(['statuss']);
  expect(unknown.notes).toContain('Did you mean status?');
  expect(unknown.status).toBe(1);
});

it('the built command finds a typo in a setting before it asks anybody', async () => {
  const nowhere = ['--endpoint', 'http://127.0.0.1:1'];
  for (const line of [['plan'], ['status', '--local'], ['plan', '--function', 'Other']])
    expect(await run([...line, '--setting', 'MAX_SURG=1', ...nowhere])).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/^--setting was "MAX_SURG=1"; .*; did you mean MAX_SURGE\?\n$/),
    });
});

it('the built command names the profile that has no credentials', async () => {
  const { notes, status } = await run(['status', '--profile', 'nope']);
  expect(notes).toMatch(/^No credentials by profile nope: .*\n.* aws sso login/);
  expect(status).toBe(1);
});

it('the built command says what an argument was, and what it may be', async () => {
  const { notes } = await run(['approve', 'web-ecs', "it's"]);
  expect(notes).toMatch(
    /^error: question was "it's"\. It may be the eight characters .* such as 9c1f02ab\.\n/,
  );
});

it('the built command says what is wrong with a template before it writes one', async () => {
  const { status, notes } = await run(['template', '-c', 'clusters=web', '-c', 'maxSrge=2']);
  expect(notes).toContain("maxSrge isn't a setting; did you mean maxSurge?");
  expect(notes).toContain('`npx ecs-ami-deploy template -c clusters=web,jobs`');
  expect(notes).not.toContain('    at ');
  expect(status).toBe(1);
});

it('the built command names as JSON what it has written of a template', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'template-'));
  const line = [COMMAND, 'template', '-c', 'clusters=web', '--json'];
  const { stdout } = spawnSync(process.execPath, line, { cwd: folder, encoding: 'utf8' });
  const written = JSON.parse(stdout);
  expect(written).toEqual({
    template: 'ecs-ami-deploy-template/template.json',
    code: 'ecs-ami-deploy-template/function',
  });
  expect(JSON.parse(await readFile(join(folder, written.template), 'utf8'))).toHaveProperty('Resources');
  expect(await readFile(join(folder, written.code, 'index.js'), 'utf8')).not.toBe('');
  await rm(folder, { recursive: true });
});

it('the built command ends quietly when nobody reads on', async () => {
  const child = spawn(process.execPath, [COMMAND, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const notes: string[] = [];
  child.stderr.on('data', (text: Buffer) => notes.push(text.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  expect({ status, notes }).toEqual({ status: 141, notes: [] });
});
