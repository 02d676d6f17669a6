import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { saidSince } from '../../cli/commands/logs.ts';
import { EVENT_SOURCE, FUNCTION_TAG } from '../../lambda/contract.ts';
import { terminationEvent } from '../../lambda/core/terminations.ts';
import { type Deployed, deploy } from './deployed.ts';

let deployed: Deployed;
beforeAll(async () => {
  deployed = await deploy(100, '--instances', '2');
});
beforeEach(() => deployed.restore());
afterAll(() => deployed.end());

const command = (...line: string[]) => deployed.command(...line);
const json = (...line: string[]) => deployed.json(...line);

// In this order: each finds the cluster as the one before has left it.

it('changes nothing where nobody can be asked, unless told so', async () => {
  const roll = await command('roll');
  expect(roll.notes).toContain('To replace: 2 instances in 1 group. Roll now?');
  expect(roll.notes).toContain('Add --yes.');
  expect(roll.status).toBe(1);
  const pause = await command('pause');
  expect(pause.notes).toContain('pause all clusters: finish the instance in hand, and begin nothing more?');
  expect(pause.status).toBe(1);
  expect(deployed.events).toEqual([{ action: 'plan' }]);
});

it('pauses and resumes, while the function that rolls is busy too', async () => {
  deployed.busy = true;
  const paused = await json('pause', 'demo', '--yes');
  expect(paused.told).toMatchObject({
    function: 'Platform-Orders',
    groups: [{ group: 'demo-ecs', state: 'noted' }],
  });
  expect(paused.status).toBe(0);
  const { told, status } = await json('status');
  expect(told.groups).toMatchObject([{ state: 'paused' }]);
  expect(status).toBe(2);
  expect(await command('roll')).toMatchObject({
    status: 2,
    notes: expect.stringContaining('Nothing to roll until a pause ends: 2 instances then.'),
  });
  const resumed = await command('resume', '--yes');
  expect(resumed.out).toMatch(/^demo\n {2}demo-ecs +noted +/m);
  expect(resumed.notes).toContain('`ecs-ami-deploy continue` hurries');
  expect(deployed.events).toEqual([{ action: 'pause', clusters: ['demo'] }, { action: 'resume' }]);
});

it('gives no order to a function that somebody has tagged as the one for orders, in the same stack', async () => {
  const { functions, orders } = deployed;
  const tags = { ...orders.tags, [FUNCTION_TAG]: 'orders' };
  const arn = `${orders.arn}-Rogue`;
  functions.set(arn, { ...orders, arn, tags });
  expect((await json('resume', '--yes')).told).toMatchObject({ function: 'Platform-Orders' });
});

it('invokes nothing that is none of ours, whoever names it', async () => {
  const { functions, roll, orders, events } = deployed;
  const arn = `${orders.arn}-Payroll`;
  functions.set(arn, { ...orders, arn, tags: {}, environment: { TABLE: 'wages' } });
  functions.set(roll.arn, { ...roll, environment: { ...roll.environment, ORDERS_FUNCTION: arn } });
  const none =
    'Platform-Orders-Payroll is no function of ecs-ami-deploy: it has no CLUSTERS in its environment';
  expect((await command('pause', '--yes')).notes).toContain(none);
  expect((await command('roll', '--yes', '--function', 'Platform-Orders-Payroll')).notes).toContain(none);
  functions.set(roll.arn, { ...roll, environment: {} });
  expect((await command('status')).notes).toContain('Platform-Function is no function of ecs-ami-deploy');
  expect(events).toEqual([]);
});

it.each(['pause', 'abort', 'roll', 'continue'])(
  '%s names no cluster that the function does not roll',
  async (action) => {
    const { status, notes } = await command(action, 'nope');
    expect(notes).toContain("nope isn't one of the function's clusters: demo");
    expect(status).toBe(1);
    expect(deployed.events).toEqual([]);
  },
);

it('refuses to guess which function takes orders', async () => {
  const { functions, roll } = deployed;
  functions.set(roll.arn, { ...roll, environment: { CLUSTERS: 'demo' } });
  const refused = await command('pause', '--yes');
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.notes).toContain('Platform-Function names no function for orders; name one with --function');
  expect((await json('resume', '--yes', '--function', 'Platform-Orders')).status).toBe(0);
});

it('begins a roll and tells at Ctrl-C that it goes on', async () => {
  const { events, log, running } = deployed;
  const { ended, interrupt } = deployed.begin('roll', '--yes');
  await vi.waitUntil(() => events.length > 0, 60_000);
  const before = log.events.length;
  const tells = () => log.events.slice(before).some(({ message }) => message.includes('detach i-'));
  await vi.waitUntil(tells, 60_000);
  interrupt();
  const { status, notes } = await ended;
  // Or, on a slow machine, the roll is over before the next test.
  for (const invocation of running) invocation.kill();
  expect(notes).toContain('Platform-Function goes on without this');
  expect(notes).toContain('`pause`, `rollback` and `abort` stop it');
  expect(status).toBe(130);
});

it('continues the roll to its end', async () => {
  const { status, told } = await json('continue', '--yes');
  expect(told.groups).toMatchObject([{ group: 'demo-ecs', state: 'completed' }]);
  expect(deployed.events[0]).toEqual({ action: 'continue' });
  expect(status).toBe(0);
});

it('has nothing to roll then, and asks nothing', async () => {
  const { status, notes } = await command('roll');
  expect(notes).toContain('Nothing to roll.');
  expect(status).toBe(0);
  expect((await command('continue', '--yes')).out).toBe('No roll has begun.\n');
  expect((await command('status')).status).toBe(0);
});

it('has a roll begin and waits for nothing', async () => {
  const { status, notes } = await command('roll', '--yes', '--no-wait', 'demo');
  expect(notes).toContain(
    'Platform-Function rolls as soon as it is free what there is to roll; `plan` says what is not',
  );
  expect(deployed.events).toEqual([
    { action: 'status', clusters: ['demo'] },
    { action: 'roll', clusters: ['demo'] },
  ]);
  expect(status).toBe(0);
});

it('rolls outside the sequence where it is told so', async () => {
  await command('roll', '--yes', '--no-wait', '--outside-sequence', '--force');
  await command('plan', '--outside-sequence');
  expect(deployed.events).toEqual([
    { action: 'status' },
    { action: 'roll', force: true, outsideSequence: true },
    { action: 'plan', outsideSequence: true },
  ]);
});

it('approves what a roll has asked, and complains where none has', async () => {
  const { status, out } = await command('approve', 'demo-ecs', '00c0ffee', '--yes');
  expect(deployed.events).toEqual([{ action: 'approve', group: 'demo-ecs', question: '00c0ffee' }]);
  expect(out).toMatch(/^demo\n {2}\S+ +nothing-to-do +/m);
  expect(status).toBe(1);
  expect((await command('approve', 'demo-ecs', 'web', '--yes')).notes).toContain('such as 9c1f02ab');
  expect((await command('refuse')).notes).toContain("missing required argument 'group'");
});

it('answers no question of a group that there is not, and names those that there are', async () => {
  const refused = async (group: string) => {
    const { notes, status, out } = await command('refuse', group, '00c0ffee', '--yes');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    return notes.trim();
  };
  expect(await refused('nope')).toBe('there is no group nope; the groups here: demo-ecs');
  expect(await refused('demo-esc')).toBe(
    'there is no group demo-esc; the groups here: demo-ecs; did you mean demo-ecs?',
  );
  expect(await refused('demo')).toBe(
    'demo is a cluster, not a group; the groups here: demo-ecs; did you mean demo-ecs?',
  );
  expect(deployed.events).toEqual([]);
});

it('shows the log', async () => {
  const { out } = await command('logs', '--since', '2h');
  expect(out).toMatch(/^20\S+ \S+Z {2}demo\/demo-ecs: detach i-\w+ from group demo-ecs/m);
  expect(out).not.toContain('"level"');
  // By AWS's time, which is ahead.
  expect((await command('logs', '--since', '1s')).out).toBe('');
  const { out: lines } = await command('logs', '--json');
  expect(lines.split('\n')[0]).toMatch(/^\{.*"level":"INFO"/);
  expect((await command('logs', '--since', 'noon')).notes).toContain('such as 30m');
});

it('says of what the function logs nothing of before, though the time here is behind', async () => {
  const { log, url } = deployed;
  const logged = (message: string) =>
    void log.events.push({ atMs: Date.now(), message: JSON.stringify({ level: 'INFO', message }) });
  const environment = { AWS_ENDPOINT_URL: url, AWS_REGION: 'eu-central-1' };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const key of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(key, 'simulated');
  try {
    logged('of before');
    const said: string[] = [];
    const found = { logGroup: 'Platform-Log', now: () => new Date(Date.now() - 60_000) };
    await saidSince(
      found,
      (text) => void said.push(text),
      async () => {
        logged('of then');
        await vi.waitUntil(() => said.some((each) => each.includes('of then')), 20_000);
      },
    );
    expect(said).toEqual([expect.stringMatching(/Z {2}of then$/)]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('shows the history, each roll in a row', async () => {
  const { out, status, notes } = await command('history');
  expect(status).toBe(0);
  expect(notes).toContain('This is what events tell.');
  expect(notes).not.toContain('--limit');
  expect(out).toMatch(/^20\S+ \S+Z +demo +demo-ecs +ami-\S+ +ami-\S+ +\d+ (s|min) +2 of 2 +completed/m);
  const { told } = await json('history', '--group', 'demo-ecs', '--limit', '1');
  expect(told).toMatchObject([{ group: 'demo-ecs', ended: 'completed', replaced: 2 }]);
  expect(await command('history', '--group', 'other')).toMatchObject({
    status: 1,
    notes: expect.stringContaining('the history has no rolls of other in this time, only of demo-ecs'),
  });
  expect((await command('plan', '--force')).out).toMatch(
    /^ {2}Its last roll took \S+ s, for 2 instances\.$/m,
  );
  expect((await command('history', '--limit', 'all')).notes).toContain('It may be a whole number');
});

it('draws the history, and says where', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'history-'));
  const file = join(folder, 'rolls.html');
  try {
    const { notes, out, status } = await command('history', '--html', file, '--limit', '1');
    expect({ notes, status }).toEqual({ notes: expect.stringContaining(`${file} shows 1 roll.`), status: 0 });
    expect(out).not.toContain(file);
    expect(await readFile(file, 'utf8')).toContain('<svg');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('shows what was ended outside rolls', async () => {
  expect((await command('history', '--terminations')).out).toContain('drainTerminations');
  const { history } = deployed;
  const at = new Date();
  const detail = terminationEvent({
    instanceId: 'i-0ab',
    group: 'demo-ecs',
    cluster: 'demo',
    gone: false,
    since: new Date(at.getTime() - 380_000),
    at,
    step: { kind: 'release', because: 'empty', left: [] },
    says: 'lets go of i-0ab, as nothing is left on it',
  });
  history.events.push({ atMs: at.getTime(), message: JSON.stringify({ source: EVENT_SOURCE, detail }) });
  const { out, status } = await command('history', '--terminations');
  expect(status).toBe(0);
  expect(out).toMatch(
    /Z +demo +demo-ecs +i-0ab +6 min +drained +lets go of i-0ab, as nothing is left on it$/m,
  );
  expect((await json('history', '--terminations')).told).toMatchObject([{ instanceId: 'i-0ab' }]);
  expect((await command('history')).out).not.toContain('i-0ab');
  history.events.pop();
});

it('shows of a roll under way that it has not ended, and how far it is', async () => {
  const { history } = deployed;
  const begun = history.events.find(({ message }) => message.includes('"kind":"begun"'));
  const message =
    begun?.message.replaceAll('demo-ecs', 'under-way').replace(/"id":"[^"]+"/g, '"id":"1"') ?? '';
  history.events.push({ atMs: Date.now(), message });
  expect((await command('history', '--group', 'under-way')).out).toMatch(
    / - +0 of 2 +not yet \(begun\) +-$/m,
  );
  history.events.pop();
});

it('shows what strangers have written, and no terminal obeys it', async () => {
  const { log, history } = deployed;
  const evil = '\u001b]52;c;cm0gLXJm\u0007\u009b2J\u202e';
  const [first] = history.events;
  const atMs = Date.now();
  const forged = first?.message.replaceAll('demo-ecs', JSON.stringify(evil).slice(1, -1)) ?? '';
  history.events.push({ atMs, message: forged });
  expect((await command('history', '--limit', '1')).notes).toContain(
    'The latest 1 of 2 rolls; --limit shows',
  );
  const warning = JSON.stringify({ level: 'WARN', message: evil });
  log.events.push({ atMs, message: warning }, { atMs, message: evil });
  for (const words of [['history'], ['logs'], ['history', '--json'], ['logs', '--json']]) {
    const { out, status } = await command(...words);
    expect(status).toBe(0);
    expect(out).toContain('52;c;cm0gLXJm');
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  }
  history.events.pop();
  log.events.splice(-2);
});

it('says so where the history is too long to be read', async () => {
  expect((await command('history')).notes).not.toContain('is left out');
  const { history } = deployed;
  history.eventsInPage = 1;
  const line = { atMs: Date.now(), message: '{}' };
  history.events.push(...Array(600).fill(line));
  const { notes, status } = await command('history', '--since', '1h');
  expect(notes).toMatch(/The history is longer than is read: what it told before 20\S+ \S+Z is left out\./);
  expect(status).toBe(0);
});

it('complains of a function that is none of ours', async () => {
  deployed.functions.clear();
  for (const line of [['roll', '--yes'], ['pause', '--yes'], ['logs']])
    expect(await command(...line)).toMatchObject({
      status: 1,
      notes: expect.stringContaining('no function is deployed in this Region'),
    });
});

it('forces a roll once, though the connection breaks before its answer comes', async () => {
  const events = deployed.events as { readonly action: string; readonly force?: boolean }[];
  const { ended } = deployed.begin('roll', '--force', '--yes');
  await vi.waitUntil(() => events.some(({ action }) => action === 'roll'), 60_000);
  deployed.losesAnswer = true;
  const { out, status } = await ended;
  expect(deployed.losesAnswer).toBe(false);
  const [, first, ...others] = events;
  expect(first).toEqual({ action: 'roll', force: true });
  expect(others.filter(({ action }) => action !== 'status')).toEqual([{ action: 'continue' }]);
  expect({ out, status }).toMatchObject({ status: 0 });
});
