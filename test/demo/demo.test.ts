import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import { anyNumber, wholeNumber } from '../simulated-aws/serve/values.ts';
import type { InstanceSnapshot } from '../simulated-aws/world/snapshot.ts';
import { serviceLines } from './lists.ts';
import { movingPicture } from './moving-picture.ts';
import { parseKillAt, parseReportFile, parseSurge, type RollOptions } from './options.ts';
import { newLines } from './plain.ts';
import type { Progress } from './progress.ts';
import { failuresOf, type Report } from './report.ts';
import { startRoll } from './run.ts';
import { scaleIn } from './scale-in.ts';
import { showStages } from './stages.ts';
import { reportTable } from './table.ts';
import { readLogLine } from './told.ts';
import { judge } from './verdict.ts';
import { framed, view } from './view.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const PLAIN = { columns: 100, rows: 40, colors: picocolors.createColors(false) };

const instance = (id: string, fields: Partial<InstanceSnapshot> = {}): InstanceSnapshot => ({
  id,
  imageId: 'ami-1',
  imageName: 'old',
  state: 'running',
  group: 'demo-ecs',
  lifecycleState: undefined,
  containerInstanceStatus: 'ACTIVE',
  agentConnected: true,
  tasks: ['web'],
  tags: {},
  ...fields,
});

const progress = (fields: Partial<Progress> = {}): Progress => ({
  elapsedSeconds: 75,
  speed: 40,
  cluster: 'demo',
  newImage: { id: 'ami-2', name: 'new' },
  flaw: undefined,
  oldIds: ['i-1', 'i-2'],
  snapshot: {
    atMs: 0,
    instances: [
      instance('i-1', {
        state: 'terminated',
        containerInstanceStatus: 'INACTIVE',
        agentConnected: false,
        tasks: [],
      }),
      instance('i-2', { containerInstanceStatus: 'DRAINING' }),
      instance('i-3', { imageId: 'ami-2', lifecycleState: 'InService' }),
      instance('i-4', {
        imageId: 'ami-2',
        lifecycleState: 'Pending',
        state: 'pending',
        containerInstanceStatus: undefined,
        tasks: [],
      }),
    ],
    services: [
      {
        cluster: 'demo',
        name: 'web',
        strategy: 'REPLICA',
        desiredCount: 4,
        minimumHealthyCount: 2,
        healthyCount: 3,
        pendingCount: 1,
      },
    ],
  },
  lowestPercent: { web: 75 },
  calls: 99,
  phase: { kind: 'invoked', number: 1, action: 'roll' },
  reason: 'i-2 drains: 1 task of service web left on i-2',
  told: [{ atSeconds: 70, number: 1, kind: 'action', text: 'drain i-2' }],
  course: 'forward',
  ...fields,
});

const REPORT: Report = {
  completed: true,
  ending: 'completed',
  reason: '2 members run ami-2 (new)',
  instances: 2,
  launched: 2,
  invocations: 2,
  kills: 1,
  simulatedSeconds: 600,
  taskMoves: { mean: 1, total: 4 },
  services: [{ name: 'web', minHealthyPercentSeen: 75, minimumHealthyPercent: 50 }],
  calls: { 'ecs.ListTasks': 3, 'ecs.DescribeTasks': 4, 'ec2.DescribeInstances': 9 },
  checks: 142,
  violations: [],
  bugs: [],
};

const OPTIONS: RollOptions = {
  instances: 2,
  services: 1,
  speed: 40,
  seed: 1,
  launchSpec: 'launch-template',
  killAt: { kind: 'half' },
  surge: '100%',
  drainConcurrency: 1,
  canary: 1,
};

/** Of a roll that was to be rolled back. */
const BACK: Report = {
  ...REPORT,
  completed: false,
  ending: 'rolled-back',
  reason: `after 900 s replacements are not ready: ${'i-3 is InService but not registered in the cluster; '.repeat(4)}`,
  launched: 1,
};

describe('a frame', () => {
  it('has a line for each instance, the bar, what is waited for, and the log', () => {
    const frame = view(progress(), PLAIN).join('\n');
    expect(frame).toMatch(/█{20}▓{20} {2}1 of 2 replaced {3}01:15/);
    expect(frame).toMatch(/✔ {2}i-1 +old +– +terminated +–$/m);
    expect(frame).toMatch(/◐ {2}i-2 +old +detached +running +DRAINING +1 •$/m);
    expect(frame).toMatch(/● {2}i-3 +new +InService +running +ACTIVE +1 •$/m);
    expect(frame).toMatch(/◌ {2}i-4 +new +Pending +pending +–$/m);
    expect(frame).toMatch(/web +3 of 4 healthy +lowest so far 75%, at least 2 must be/);
    expect(frame).toContain('i-2 drains: 1 task of service web left on i-2');
    expect(frame).toContain('01:10  #1  drain i-2');
  });

  it('shows a kill for what it is, and when the next invocation comes', () => {
    const phase = {
      kind: 'between',
      number: 1,
      ending: { kind: 'killed', calls: 42 },
      next: { action: 'continue', atSeconds: 300 },
    } as const;
    const frame = view(progress({ phase }), PLAIN).join('\n');
    expect(frame).toContain('Invocation 1 was killed (SIGKILL) after 42 calls');
    expect(frame).toContain('The next comes in 03:45');
  });

  it('says what is wrong with the new image, which image each instance runs, and that the group has gone back', () => {
    const { instances, ...snapshot } = progress().snapshot;
    const instead = instance('i-5', { lifecycleState: 'InService' });
    const phase = { kind: 'over', ending: 'rolled-back', isExpected: true } as const;
    const flaw = 'tasks crash on it';
    const back = progress({ phase, flaw, snapshot: { ...snapshot, instances: [...instances, instead] } });
    const frame = view(back, PLAIN).join('\n');
    expect(frame).toContain('onto ami-2 (tasks crash on it)');
    expect(frame).toMatch(/● {2}i-5 +old +InService/);
    expect(frame).toContain('✔ Rolled back');
    expect(frame).toContain('back on the old image; 2 had the new image');
    const unexpected = { ...phase, ending: 'completed', isExpected: false } as const;
    expect(view(progress({ phase: unexpected }), PLAIN).join('\n')).toContain('✘ Completed');
  });

  it('fits into small terminals, and leaves out what nothing happens to', () => {
    const many = Array.from({ length: 90 }, (_, index) =>
      instance(`i-${index}`, { containerInstanceStatus: index === 80 ? 'DRAINING' : 'ACTIVE' }),
    );
    const crowd = progress({
      snapshot: { ...progress().snapshot, instances: many },
      oldIds: many.map(({ id }) => id),
      reason: 'replacements are not ready: '.repeat(20),
    });
    for (const rows of [24, 40]) {
      const lines = view(crowd, { columns: 80, rows, colors: picocolors.createColors(true) });
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => stripVTControlCharacters(line).length > 80)).toEqual([]);
      expect(lines.join('\n')).toContain('i-80');
      expect(lines.join('\n')).toMatch(/ \d+ more +○ old .* • a task/);
    }
  });

  it.each([
    [80, 23],
    [80, 49],
    [120, 49],
  ])(
    'keeps the line to paste in its first row, whole, and never scrolls (%i columns, %i rows)',
    (columns, rows) => {
      const paste = 'npx ecs-ami-deploy --region eu-central-1 --endpoint http://127.0.0.1:46701 pause';
      const many = Array.from({ length: 40 }, (_, index) => instance(`i-${index}`));
      const crowd = progress({ snapshot: { ...progress().snapshot, instances: many } });
      const lines = framed([paste, 'Or resume, status, plan. '.repeat(12), ''], crowd, {
        ...PLAIN,
        columns,
        rows,
      });
      expect(lines[0]).toBe(paste);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines.join('\n')).toContain('Rolling');
    },
  );

  it('has what is on trial, however many old instances stand above it', () => {
    const many = Array.from({ length: 40 }, (_, index) => instance(`i-${index}`));
    const tried = instance('i-new', { imageId: 'ami-2', lifecycleState: 'InService' });
    const small = { ...PLAIN, columns: 80, rows: 23 };
    const trial = {
      snapshot: { ...progress().snapshot, instances: [...many, tried] },
      course: 'trial',
    } as const;
    const frame = view(progress({ ...trial, oldIds: many.map(({ id }) => id) }), small).join('\n');
    expect(frame).toContain('0 of 40 replaced, 1 on trial');
    expect(frame).toMatch(/◎ {2}i-new +new +InService/);
  });

  it('never breaks a line, however many calls and hours there are', () => {
    const failed = { kind: 'failed', message: 'RolloutFailed: demo/demo-ecs: '.repeat(9) } as const;
    const next = { action: 'continue', atSeconds: 39_600 };
    const phase = { kind: 'between', number: 12, ending: failed, next } as const;
    for (const columns of [80, 100, 120]) {
      const long = progress({ calls: 123_456, elapsedSeconds: 36_000, speed: 12.5, course: 'trial', phase });
      const lines = view(long, { ...PLAIN, columns });
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines[1]).toContain('10:00:00');
    }
  });

  it('shows on the way back what still runs the new image, and no count of what is replaced', () => {
    const frame = view(progress({ course: 'back' }), PLAIN).join('\n');
    expect(frame).toMatch(/ █+ {2}going back; 2 had the new image/);
    expect(frame).not.toContain('replaced');
  });
});

describe('the moving picture', () => {
  const { green, bold, inverse } = picocolors.createColors(true);
  const frames = [
    { atSeconds: 0, lines: [`${bold('a <b>')}   c`, green('same')] },
    { atSeconds: 2, lines: [inverse(' killed '), green('same')] },
  ];
  const svg = movingPicture(frames, { title: 'a & b', columns: 20, rows: 2, restSeconds: 2 });

  it('moves in each frame when its time has come', () => {
    expect(svg).toContain('animation:m 4s step-end infinite');
    expect(svg).toContain('0%{transform:translateX(0px)}50%{transform:translateX(-189px)}');
    expect(svg).toContain('<g transform="translate(189)">');
  });

  it('has text where the terminal has it, in its look, and a line of many frames once', () => {
    expect(svg).toContain('<text x="0" y="13" textLength="39.15" class="b">a &lt;b&gt;</text>');
    expect(svg).toContain('<text x="62.64" y="13">c</text>');
    expect(svg.match(/>same</g)).toHaveLength(1);
    expect(svg.match(/<use href="#l1" y="17"\/>/g)).toHaveLength(2);
    expect(svg).toMatch(/<rect class="" x="7.83" [^>]+\/><text x="7.83"[^>]* class="i">killed</);
    expect(svg).toContain('<title>a &amp; b</title>');
  });

  it('is small enough for a page', async () => {
    const { size } = await stat(join(import.meta.dirname, '../../docs/pictures/demo.svg'));
    expect(size).toBeLessThan(300_000);
  });
});

describe('the services of a frame', () => {
  const [web] = progress().snapshot.services;
  const named = (...names: string[]) =>
    progress({
      snapshot: {
        ...progress().snapshot,
        services: names.flatMap((name) => (web ? [{ ...web, name }] : [])),
      },
    });

  it('fit into a narrow terminal', () => {
    for (const columns of [40, 60]) {
      const lines = serviceLines(named('web', 'a-service-with-a-name-that-is-long'), { ...PLAIN, columns });
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines[1]).toContain('3 of 4 healthy');
    }
  });

  it('are counted when there is no room for them', () => {
    const few = { ...PLAIN, rows: 24 };
    expect(serviceLines(named('a', 'b', 'c', 'd'), few).at(-1)).toBe('     and 1 more service');
    expect(serviceLines(named('a', 'b', 'c', 'd', 'e'), few).at(-1)).toBe('     and 2 more services');
  });
});

describe('plain lines', () => {
  it('tell what is new, once', () => {
    const before = progress({ told: [] });
    expect(newLines(before, progress())).toEqual(['01:10  #1  drain i-2']);
    expect(newLines(progress(), progress())).toEqual([]);
    const newest = { ...progress().newImage, id: 'ami-9' };
    expect(newLines(progress(), progress({ newImage: newest }))).toEqual([]);
  });

  it('tell an instance when its state changes', () => {
    const [gone, , ...others] = progress().snapshot.instances;
    const ended = instance('i-2', { state: 'shutting-down', containerInstanceStatus: undefined, tasks: [] });
    const instances = [...(gone ? [gone] : []), ended, ...others];
    expect(newLines(progress(), progress({ snapshot: { ...progress().snapshot, instances } }))).toEqual([
      '01:15      i-2 (old): group –, EC2 shutting-down, ECS –, 0 tasks',
      '01:15      2 of 2 replaced',
    ]);
  });
});

describe("the function's log", () => {
  const line = (fields: object) => JSON.stringify({ level: 'INFO', message: 'x', ...fields });

  it('is told by what was decided and done', () => {
    const waits = { message: 'waits to be steady for 30 s', decision: 'wait' };
    expect(readLogLine(line(waits))).toEqual({ kind: 'reason', text: 'waits to be steady for 30 s' });
    expect(readLogLine(line({ action: 'drain' }))).toEqual({ kind: 'action', text: 'x' });
    expect(readLogLine(line({ level: 'ERROR' }))).toEqual({ kind: 'trouble', text: 'x' });
    expect(readLogLine(line({ message: 'invoked', action: 'roll' }))).toBeUndefined();
    expect(readLogLine('Segmentation fault')).toEqual({ kind: 'trouble', text: 'Segmentation fault' });
  });
});

describe('after an invocation', () => {
  const answer = (...states: string[]) => ({
    ok: true as const,
    lines: [],
    result: { groups: states.map((state) => ({ group: 'demo-ecs', state, reason: 'because' })) },
  });

  const COMPLETED = { kind: 'over', ending: 'completed', reason: 'because' };

  it('goes on until the roll is completed', () => {
    expect(judge('continue', answer('completed'), 1)).toEqual(COMPLETED);
    expect(judge('roll', answer('up-to-date'), 1)).toEqual(COMPLETED);
    expect(judge('roll', answer('in-progress'), 1)).toMatchObject({ kind: 'again', action: 'continue' });
    expect(judge('roll', { killed: true, lines: [] }, 7)).toMatchObject({
      ending: { kind: 'killed', calls: 7 },
      action: 'continue',
    });
  });

  describe('that failed', () => {
    const failed = (...results: object[]) => ({
      ok: false as const,
      lines: [
        JSON.stringify({ level: 'INFO', message: 'invoked' }),
        ...results.map((result) => JSON.stringify({ level: 'INFO', message: 'result: x', ...result })),
      ],
      error: { name: 'RolloutFailed', message: 'demo/demo-ecs' },
    });
    const result = { group: 'demo-ecs', reason: 'the roll was rolled back (tasks crash)' };

    it('is over when the log says that the roll was rolled back', () => {
      const back = { ...result, state: 'rolled-back', because: 'tasks crash' };
      const over = { kind: 'over', ending: 'rolled-back', reason: 'tasks crash' };
      expect(judge('continue', failed(back), 1)).toEqual(over);
    });

    it('goes on otherwise', () => {
      for (const outcome of [failed(), failed({ ...result, state: 'failed' })])
        expect(judge('continue', outcome, 1)).toMatchObject({
          ending: { kind: 'failed', message: 'RolloutFailed: demo/demo-ecs' },
          action: 'continue',
        });
    });
  });

  it('is over when one before it was killed before it could say that the roll was rolled back', () => {
    const skipped = (reason: string) => ({
      ok: true as const,
      lines: [],
      result: { groups: [{ group: 'demo-ecs', state: 'skipped', reason }] },
    });
    const rejected = 'ami-2 is not tried again (rolled back: tasks crash) until a newer image comes';
    expect(judge('roll', skipped(rejected), 1)).toEqual({
      kind: 'over',
      ending: 'rolled-back',
      reason: rejected,
    });
    expect(judge('roll', skipped('left out'), 1)).toMatchObject({ kind: 'again' });
  });

  it('begins anew when it was killed before anything had begun', () => {
    expect(judge('continue', answer(), 1)).toMatchObject({ ending: { kind: 'idle' }, action: 'roll' });
  });
});

describe('the report', () => {
  it('fails for whatever did not hold', () => {
    expect(failuresOf(REPORT, OPTIONS)).toEqual([]);
    const at = '2026-11-21T00:00:00Z';
    const violation = { invariant: 2, at, until: at, seconds: 0, what: 'i-1 was terminated under a task' };
    const lasting = { ...violation, invariant: 1, seconds: 420, what: 'web has 2 healthy tasks' };
    const broken: Report = {
      ...REPORT,
      completed: false,
      ending: null,
      kills: 0,
      violations: [violation, lasting],
      bugs: ['TypeError'],
    };
    expect(failuresOf(broken, { ...OPTIONS, killAt: { kind: 'calls', calls: 500 } })).toEqual([
      'the roll was not completed in 2 invocations',
      'the function was to be killed after 500 calls, but made only 16',
      'invariant 2 was broken at 2026-11-21T00:00:00Z: i-1 was terminated under a task',
      'invariant 1 was broken at 2026-11-21T00:00:00Z: web has 2 healthy tasks (for 420 s)',
      'the simulated AWS broke: TypeError',
    ]);
  });

  it('has rolled-back for what was expected of a bad image, and of no other', () => {
    const options = { ...OPTIONS, badImage: 'agent' } as const;
    expect(failuresOf({ ...BACK, reason: 'tasks crash' }, OPTIONS)).toEqual([
      'the roll was rolled-back, not completed: tasks crash',
    ]);
    expect(failuresOf(BACK, options)).toEqual([]);
    expect(failuresOf({ ...REPORT, kills: 0 }, options)).toEqual([
      'the roll was completed, not rolled-back: 2 members run ami-2 (new)',
      'the function was to be killed as the roll turns back, but was not',
    ]);
  });

  it('is a table that says what the roll ended in, and why', () => {
    const table = reportTable(REPORT, OPTIONS, PLAIN);
    expect(table).toMatch(/ended +│ completed/);
    expect(table).toMatch(/because +│ 2 members run ami-2 \(new\)/);
    expect(table).toMatch(/moves per task +│ 1\.00 on average; 1\.00 is the least, each task once +│/);
    const moved = reportTable({ ...REPORT, taskMoves: { mean: 1.42, total: 6 } }, OPTIONS, PLAIN);
    expect(moved).toContain('A trial or a further');
    const back = reportTable(BACK, { ...OPTIONS, badImage: 'agent' }, PLAIN);
    expect(back).toMatch(/ended +│ rolled-back/);
    expect(back).toMatch(/because +│ after 900 s replacements are not ready: i-3/);
    expect(back.match(/i-3 is/g)).toHaveLength(4);
    expect(back).toMatch(/had the new image +│ 1, in a group of 2/);
  });

  it('is a table that fits into 100 columns', () => {
    const calls = { ...REPORT.calls, 'ec2.DescribeLaunchTemplateVersions': 8, 'ec2.DescribeImages': 7 };
    const table = reportTable({ ...BACK, calls }, OPTIONS, PLAIN);
    expect(table).toMatch(/ecs +7 {2}DescribeTasks 4, ListTasks 3/);
    expect(table).toMatch(/web +75% {2}\(may be 50%\)/);
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each([50, 60, 80])('fits into a terminal of %i columns', (columns) => {
    const calls = { ...REPORT.calls, 'ec2.DescribeLaunchTemplateVersions': 8, 'ec2.DescribeImages': 7 };
    const canvas = { columns, colors: picocolors.createColors(true) };
    const lines = stripVTControlCharacters(reportTable({ ...BACK, calls }, OPTIONS, canvas)).split('\n');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines[0]?.length).toBeLessThanOrEqual(columns);
    expect(lines.join('\n')).toMatch(/ec2 +24/);
  });
});

it('a roll onto a bad image tries one instance, is killed as it turns back, and gives the group the old image', async () => {
  const options = { ...OPTIONS, instances: 3, speed: 250, badImage: 'agent' } as const;
  const roll = await startRoll(options, new AbortController().signal);
  const report = await roll.report;
  expect(failuresOf(report, options)).toEqual([]);
  expect(report).toMatchObject({ completed: false, ending: 'rolled-back', launched: 1, kills: 1 });
  expect(report.reason).toMatch(
    /^after 900 s,? replacements are not ready: i-\S+ is InService but not registered/,
  );
  const { snapshot, newImage, phase } = roll.progress();
  const running = snapshot.instances.filter(({ state }) => state === 'running');
  expect(running).toHaveLength(3);
  expect(running.filter(({ imageId }) => imageId === newImage.id)).toEqual([]);
  expect(phase).toEqual({ kind: 'over', ending: 'rolled-back', isExpected: true });
});

it('a seed has the same roll each time, however fast it is shown', async () => {
  const rolled = async (seed: number, speed: number) => {
    const roll = await startRoll({ ...OPTIONS, seed, speed }, new AbortController().signal);
    return { report: await roll.report, told: roll.progress().told };
  };
  const [first, again, other] = await Promise.all([rolled(1, 500), rolled(1, 300), rolled(2, 500)]);
  expect(again).toEqual(first);
  expect(other.told).not.toEqual(first.told);
});

describe('npm run demo', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const demo = (...options: string[]) =>
    new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--import', 'tsx', MAIN, '--no-build', ...options],
        // Or, on a CI's machine, it takes its output for a terminal's.
        { env: { ...process.env, CI: '' } },
        (error, stdout, stderr) => resolve({ status: error ? error.code : 0, stdout, stderr }),
      );
    });

  it('rolls, is killed, resumes, and reports', async () => {
    const file = join(folder, 'report.json');
    const page = join(folder, 'roll.html');
    const options = ['--instances', '2', '--speed', '250', '--report', file, '--html', page];
    const { status, stdout, stderr } = await demo(...options);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(stripVTControlCharacters(stdout));
    expect(stdout).toContain('*** killed by SIGKILL ***');
    expect(stdout).toMatch(/instances replaced +│ 2 of 2/);
    expect(stdout).toMatch(/\nNext: npm run demo -- --interactive /);
    const report: unknown = JSON.parse(await readFile(file, 'utf8'));
    expect(report).toMatchObject({
      completed: true,
      instances: 2,
      kills: 1,
      services: [{ name: 'web', minHealthyPercentSeen: 100 }, { name: 'worker' }, { name: 'api' }],
      calls: { 'autoscaling.DetachInstances': 2, 'ec2.TerminateInstances': expect.any(Number) },
      violations: [],
      bugs: [],
    });
    const drawn = await readFile(page, 'utf8');
    for (const phase of ['launched', 'registered', 'serving', 'draining'])
      expect(drawn.match(new RegExp(`<title>i-\\w+: ${phase} from`, 'g'))?.length).toBeGreaterThanOrEqual(2);
    expect(drawn).toContain('Invocation 1 is killed');
    expect(drawn).toContain('The canary has passed');
  });

  it('lets whoever plays steer it, until they end it', async () => {
    const line = ['--import', 'tsx', MAIN, '--no-build', '--interactive', '--instances', '2'];
    const child = execFile(process.execPath, [...line, '--speed', '100']);
    let shown = '';
    child.stdout?.on('data', (text: string) => {
      shown += text;
    });
    const until = async (pattern: RegExp) => {
      while (!pattern.test(shown)) await once(child.stdout ?? child, 'data');
      return pattern.exec(shown)?.[1]?.split(' ') ?? [];
    };
    const place = await until(/npx ecs-ami-deploy (--region \S+ --endpoint \S+) pause/);
    const paused = await run([...place, 'pause', '--yes']);
    expect(paused.out).toContain('pauses the group, as somebody asks');
    const [since] = await until(/demo-ecs is paused: paused since (\S+Z)/);
    expect((await run([...place, 'status'])).out).toMatch(/^demo\n {2}demo-ecs +paused /m);
    // By the world's time, too, which is ahead of that on the wall.
    expect((await run([...place, 'status', '--local'])).out).toContain(
      `paused since ${since?.slice(0, 19).replace('T', ' ')}Z`,
    );
    expect((await run([...place, 'logs'])).out).toContain('demo/demo-ecs: order: noted');
    expect((await run([...place, 'history'])).out).toMatch(/^20\S+ \S+Z +demo +demo-ecs +ami-/m);
    await run([...place, 'rollback', '--yes']);
    await until(/(demo-ecs is rolled-back: )/);
    await until(/(next: ami-0+3 is announced)/);
    expect((await run([...place, 'history'])).out).toMatch(/ami-0+1 +ami-0+2 .* rolled-back/);
    await until(/demo-ecs is (planned): will roll onto/);
    expect((await run([...place, 'skip', '--yes'])).out).toContain('noted');
    await until(/(next: ami-0+4 is announced)/);
    await run([...place, 'roll', '--yes', '--no-wait']);
    const [question = ''] = await until(/approve demo-ecs ([0-9a-f]{8})/);
    expect((await run([...place, 'status'])).out).toContain(`approve demo-ecs ${question}`);
    expect((await run([...place, 'approve', 'demo-ecs', question, '--yes'])).out).toContain('noted');
    await until(/(demo-ecs is completed: )/);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(shown).toMatch(
      /of simulated time, \d+ invocations, \d+ checks of invariants, none broken\n\nNext: npm run smoke /,
    );
  });

  it('refuses what does not go together, before it starts', async () => {
    const refused = await demo('--launch-spec', 'launch-configuration', '--launch-template-version', '1');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain("goes with '--launch-spec launch-template' only");
    for (const what of ['--stages', '--scale-in'])
      for (const left of ['--interactive', '--html=roll.html', '--bad-image=agent', '--report=roll.json']) {
        const { status, stderr } = await demo(what, left);
        expect([status, stderr]).toEqual([
          1,
          expect.stringContaining(`option '${what}' cannot be used with`),
        ]);
      }
  });
});

describe('an option', () => {
  it.each([
    [wholeNumber(1, 250), '0', 'a whole number from 1 to 250'],
    [wholeNumber(1, 250), '1.5', 'a whole number from 1 to 250'],
    [anyNumber(1, 500), 'fast', 'a number from 1 to 500'],
    [parseKillAt, 'later', 'half, none or a number of calls from 1'],
    [parseSurge, '101%', 'a number of instances from 1 or a percentage from 1% to 100%'],
    [parseReportFile, '/nowhere/report.json', 'a file in a folder that exists'],
  ])('says what it may be (case %#)', (parse, text, may) => {
    expect(() => parse(text)).toThrow(`It may be ${may}.`);
  });

  it('is taken as it is meant', () => {
    expect(wholeNumber(1, 250)('250')).toBe(250);
    expect(parseKillAt('42')).toEqual({ kind: 'calls', calls: 42 });
    expect(parseSurge('34%')).toBe('34%');
  });
});

describe('of a scale-in', () => {
  it('loses no task of a service, though the function is killed', async () => {
    const lines: string[] = [];
    const options = { instances: 4, services: 2, speed: 500, seed: 1, killAt: { kind: 'half' } } as const;
    const lost = await scaleIn(options, (line) => lines.push(line), new AbortController().signal);
    expect(lost).toBe(0);
    expect(lines.join('\n')).toMatch(/drains i-0+1.*the function is killed.*the tick .*lets go of i-0+1/s);
  });
});

describe('of stages', () => {
  const told = async (signal: AbortSignal) => {
    const lines: string[] = [];
    const failures = await showStages(
      { speed: 1e9 },
      { tell: (line) => lines.push(line), canvas: PLAIN },
      signal,
    );
    return { lines, failures };
  };

  it('halts a bad image in the first stage, and has a good one go through both', async () => {
    const { lines, failures } = await told(new AbortController().signal);
    expect(failures).toEqual([]);
    expect(lines.join('\n')).toMatch(
      new RegExp(
        [
          'a bad image ',
          'staging/web +rolls back: ',
          'sequence +staging: halts ',
          '\n  staging +halted ',
          'a good image ',
          'sequence +staging: has qualified ',
          'production/api +roll onto .*production/web +roll onto ',
          '\n  production +qualified ',
        ].join('.*'),
        's',
      ),
    );
    expect(
      lines
        .join('\n')
        .split('\n')
        .filter((line) => line.length > PLAIN.columns),
    ).toEqual([]);
  });

  it('ends when nobody watches any more', async () => {
    await expect(told(AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
