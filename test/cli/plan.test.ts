import { describe, expect, it } from 'vitest';
import { forecastText, planText } from '../../cli/commands/plan.ts';
import { statusText } from '../../cli/commands/status.ts';
import type { GroupStatus } from '../../lambda/status/images.ts';

const PAGE = { color: false, columns: 80, wide: true };

const group = (fields: Partial<GroupStatus> = {}): GroupStatus => ({
  cluster: 'web',
  group: 'web-ecs',
  state: 'planned',
  imageId: 'ami-2',
  instances: { drifted: 1, detached: 0, replaced: 0, total: 3 },
  outdated: [
    { instanceId: 'i-1', imageId: 'ami-1', launchedAt: '2026-10-14T02:05:00.000Z', reasons: ['image'] },
  ],
  code: 'plan-only',
  reason: 'roll onto ami-2: 1 to replace (by image)',
  running: [{ imageId: 'ami-1', instances: 1, name: 'al2023', ageDays: 40, releasesBehind: 1 }],
  targets: [],
  steps: ['tag group web-ecs', 'detach i-1'],
  forecast: { seconds: { least: 600, most: 1080 }, instanceHours: { least: 0.21, most: 0.68 } },
  ...fields,
});

const UP_TO_DATE = {
  group: 'spot',
  state: 'up-to-date',
  instances: { drifted: 0, detached: 0, replaced: 0, total: 2 },
  outdated: [],
  reason: 'nothing is outdated',
  steps: [],
  forecast: undefined,
} as const;

it('a name, a reason or a warning with lines of its own begins no line of a plan or a status', () => {
  const forged = 'a\nweb/jobs: completed';
  const hostile = group({
    group: forged,
    reason: forged,
    because: forged,
    warnings: [forged],
    steps: [forged],
    running: [{ imageId: 'ami-1', instances: 1, name: forged, ageDays: 40, releasesBehind: 1 }],
    outdated: [{ instanceId: 'i-1', imageId: 'ami-1', launchedAt: '2026-10-14T02:05', reasons: [forged] }],
  });
  const unchanged = group({ ...UP_TO_DATE, group: forged, reason: forged, warnings: [forged] });
  for (const columns of [undefined, 80, 200])
    for (const text of [planText, statusText].map((make) =>
      make([hostile, unchanged], { color: false, columns, wide: true }),
    ))
      expect(text).not.toMatch(/^\s*web\/jobs: completed/m);
});

describe('a plan', () => {
  it('begins with how much and with warnings, says what changes and what it takes, then what does not change', () => {
    const warned = group({ warnings: ['service api has no health check'] });
    expect(planText([group(UP_TO_DATE), warned], PAGE)).toBe(`To replace: 1 instance in 1 group.

web/web-ecs
  warning: service api has no health check

web/web-ecs: roll onto ami-2: 1 to replace (by image)
  1 instance on ami-1 (al2023, 40 days old, 1 release behind)
  INSTANCE  RUNS   LAUNCHED           OUTDATED BY
  i-1       ami-1  2026-10-14 02:05Z  image
  2 instances of 3 stay as they are.
  Steps:
   1  tag group web-ecs
   2  detach i-1
  Takes 10 to 18 min if all goes well, and 0.2 to 0.7 instance-hours beside the
  group's own, as measured in simulated rolls.

UNCHANGED  STATE       WHY
web/spot   up-to-date  nothing is outdated`);
  });

  it('says from when an announced roll begins by itself', () => {
    const announced = group({ announcedFor: '2026-11-29T14:52:27.347Z' });
    expect(planText([announced], { ...PAGE, columns: 200 })).toMatch(
      /by image\)\n {2}announced: begins by itself from 2026-11-29 14:52Z on; `roll` begins it now, `skip` calls it off\n/,
    );
    // Its notice is taken back then.
    expect(planText([{ ...announced, outdated: [] }], PAGE)).not.toContain('announced');
  });

  it('counts what stays, one or more', () => {
    const instances = { drifted: 2, detached: 0, replaced: 0, total: 3 };
    expect(planText([group({ instances })], PAGE)).toContain('  1 instance of 3 stays as it is.');
  });

  it('says why members stay that run what others are replaced for, and so does a status', () => {
    const running = (instances: number) => [
      { imageId: 'ami-1', instances },
      { imageId: 'ami-2', instances: 2 },
    ];
    const wide = { ...PAGE, columns: 200 };
    for (const text of [planText, statusText]) {
      expect(text([group({ running: running(2) })], wide)).toMatch(
        /^ {2}1 instance that runs an old image stays: left out by its tag, in Standby, or ending already$/m,
      );
      expect(text([group({ running: running(4) })], wide)).toContain(
        '3 instances that run an old image stay: left out by their tags, ',
      );
      const none = [
        group({ running: running(1) }),
        // One of a warm pool, which no count of members has.
        group({ running: running(0) }),
        group({ running: running(2), state: 'in-progress' }),
        group({
          running: running(2),
          outdated: group().outdated.map((each) => ({ ...each, reasons: ['age'] })),
        }),
      ];
      for (const each of none) expect(text([each], wide)).not.toContain('old image');
    }
  });

  it('counts of a roll under way what is still to end, each once', () => {
    const counts = (drifted: number, detached: number, fields: Partial<GroupStatus>) => {
      const instances = { drifted, detached, replaced: 1, total: 6 };
      return planText([group({ state: 'in-progress', instances, ...fields })], PAGE);
    };
    const going = counts(2, 3, {});
    expect(going).toContain('To replace: 5 instances in 1 group, 3 of them detached already.');
    expect(going).toMatch(/^ {2}1 of 6 replaced, 5 still to drain\.$/m);
    const back = counts(6, 5, { course: 'rollback' });
    expect(back).toContain('To end: 11 instances in 1 group, 5 of them detached already.');
    expect(back).toMatch(/^ {2}going back, 11 still to drain, 5 of them detached\.$/m);
    expect(counts(4, 1, { course: 'abort' })).toContain('To end: 1 instance in 1 group, detached already.');
    expect(counts(0, 2, {})).toContain('To replace: 2 instances in 1 group, detached already.');
    expect(counts(2, 0, {})).toContain('To replace: 2 instances in 1 group.');
    for (const text of [going, back]) expect(text).not.toContain('as they are');
  });

  it('lists instances and steps only if asked to', () => {
    const text = planText([group()], { ...PAGE, wide: false });
    expect(text).not.toMatch(/^ +i-1 |Steps:/m);
    expect(text).toMatch(/Takes 10 to 18 min[\s\S]*\n\n--wide lists instances and steps\.$/);
  });

  it('says once who drains what ends otherwise, and a status says it of each group', () => {
    const groups = [
      group({ endsDrainedBy: 'ECS' }),
      group({ ...UP_TO_DATE, endsDrainedBy: 'nobody' }),
      group({ ...UP_TO_DATE, group: 'jobs', endsDrainedBy: 'nobody' }),
    ];
    expect(planText(groups, { ...PAGE, columns: 200 })).toContain(
      '\n\nWhat ends outside rolls is drained by ECS in web/web-ecs; by nobody in web/spot, web/jobs.',
    );
    expect(statusText(groups, PAGE).match(/ {2}what ends outside rolls is drained by nobody/g)).toHaveLength(
      2,
    );
  });

  it('names what blocks a group, and why a roll has stopped', () => {
    const back = { state: 'rolled-back', reason: 'rolled back', because: 'tasks crash' } as const;
    const text = planText([group({ state: 'blocked', reason: 'no room' }), group(back)], PAGE);
    expect(text).toMatch(/^web\/web-ecs {2}blocked +no room$/m);
    expect(text).toMatch(/^web\/web-ecs {2}rolled-back +rolled back; tasks crash$/m);
    expect(text).toMatch(/^Nothing to roll\.\n\n/);
  });

  it('says once why a roll was called off, and so does a status', () => {
    const skipped = { because: 'skipped: somebody asked', reason: 'the roll was skipped (somebody asked)' };
    const over = group({ ...skipped, state: 'skipped' });
    expect(planText([over], PAGE)).toMatch(
      /^web\/web-ecs {2}skipped +the roll was skipped \(somebody asked\)$/m,
    );
    for (const columns of [80, undefined])
      expect(statusText([over], { ...PAGE, columns }).match(/somebody asked/g)).toHaveLength(1);
  });

  it('calls a roll skipped before it is wound up and after', () => {
    const because = 'skipped: somebody asked';
    const text = statusText([group({ state: 'aborted', because, reason: 'the roll was skipped' })], PAGE);
    expect(text).toMatch(/^1 group: 1 skipped$/m);
    expect(text).toMatch(/^ {2}web-ecs +skipped /m);
    const aborted = { state: 'aborted', course: 'abort', because: 'somebody asked' } as const;
    expect(statusText([group(aborted)], PAGE)).toMatch(/^1 group: 1 aborted$/m);
  });

  it('says that a roll which an order has called off is not wound up yet', () => {
    const skipped = { state: 'skipped', code: 'roll-over', reason: 'the roll was skipped' } as const;
    const text = planText([group(skipped)], PAGE);
    expect(text.replaceAll('\n', ' ')).toMatch(
      /^Nothing to roll yet: .* called off .*`ecs-ami-deploy roll` does/,
    );
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(PAGE.columns);
    expect(planText([group({ ...skipped, code: 'plan-only' })], PAGE)).toMatch(/^Nothing to roll\.\n/);
  });
});

it('a status begins with how it stands, in two lines', () => {
  const text = statusText([group(), group(UP_TO_DATE)], { ...PAGE, wide: false });
  expect(text).toMatch(
    /^2 groups: 1 planned, 1 up-to-date\n5 instances: 1 of 5 outdated; --wide lists them\n\nGROUP/,
  );
  expect(text).not.toMatch(/^ +i-1 /m);
  expect(statusText([group()], PAGE)).toMatch(/^ {2}i-1 +ami-1 +2026-10-14 02:05Z +image$/m);
});

it('a status counts no cluster as a group of its own', () => {
  const instances = { drifted: 0, detached: 0, replaced: 0, total: 0 };
  const rest = { instances, outdated: [], running: [], forecast: undefined } as const;
  const missing = group({ ...rest, cluster: 'nope', group: '*', state: 'failed', reason: 'does not exist' });
  const narrow = { ...PAGE, wide: false };
  expect(statusText([group(), missing], narrow)).toMatch(
    /^1 group: 1 planned; 1 cluster: 1 failed\n3 instances: 1 of 3 outdated; --wide lists them\n\nGROUP/,
  );
  expect(statusText([missing], narrow)).toBe('1 cluster: 1 failed\n\nnope: does not exist');
});

it('a status says of a roll how far it is, above its table and in it', () => {
  const instances = { drifted: 0, detached: 4, replaced: 2, total: 6 };
  const text = statusText([group({ state: 'in-progress', instances, outdated: [] })], PAGE);
  expect(text).toMatch(/^6 instances: 2 of 6 replaced, 4 still to drain$/m);
  expect(text).toMatch(/^ {2}web-ecs +in-progress +2 of 6 replaced +ami-1 /m);
});

it('a status lists as many instances as it counts, those that are detached too', () => {
  const old = { role: 'old', imageId: 'ami-1', launchedAt: '2026-10-14T02:05:00.000Z' } as const;
  const fields = {
    state: 'in-progress',
    instances: { drifted: 1, detached: 2, replaced: 1, total: 3 },
    inRoll: [
      { ...old, instanceId: 'i-1' },
      { ...old, instanceId: 'i-2', detachStartedAt: '2026-10-15T02:05:00.000Z' },
      { ...old, instanceId: 'i-3', drainStartedAt: '2026-10-15T02:06:00.000Z' },
      { ...old, instanceId: 'i-4', role: 'new', imageId: 'ami-2' },
    ],
  } as const;
  const text = statusText([group(fields)], PAGE);
  expect(text).toContain('3 still to drain');
  expect(text.match(/^ {2}i-\d .*/gm)).toEqual([
    expect.stringMatching(/^ {2}i-1 +ami-1 +2026-10-14 02:05Z +image$/),
    expect.stringMatching(/^ {2}i-2 +ami-1 +2026-10-14 02:05Z +detached$/),
    expect.stringMatching(/^ {2}i-3 +ami-1 +2026-10-14 02:05Z +drains$/),
  ]);
  expect(statusText([group({ ...fields, outdated: [] })], { ...PAGE, wide: false })).toContain(
    '--wide lists',
  );
});

it('a status says that a roll goes back or stops halfway, and why', () => {
  const stopped = { course: 'abort', because: 'somebody asked for it', reason: 'ends i-1' } as const;
  expect(statusText([group(stopped)], PAGE)).toMatch(/^ {2}abort: somebody asked for it$/m);
});

it('a plan says what the last rolls took', () => {
  const past = { rolls: 3, seconds: { least: 700, most: 930 }, instances: { least: 5, most: 6 } };
  expect(planText([{ ...group(), past }], PAGE)).toContain(
    '\n  Its last 3 rolls took 12 to 16 min, for 5 to 6 instances.',
  );
  const one = { rolls: 1, seconds: { least: 300, most: 300 }, instances: { least: 1, most: 1 } };
  expect(planText([{ ...group(), past: one }], PAGE)).toContain('Its last roll took 5 min, for 1 instance.');
});

describe('what a roll takes', () => {
  const told = (least: number, most: number, hours = 0) =>
    forecastText({ seconds: { least, most }, instanceHours: { least: hours / 2, most: hours } });

  it('is told in minutes or hours', () => {
    expect(told(300, 840)).toContain('Takes 5 to 14 min if all goes well, and no extra instances');
    expect(told(3540, 9120, 122.7)).toContain(
      'Takes 1 to 2.5 h if all goes well, and 61.4 to 122.7 instance-hours',
    );
    expect(told(100, 110)).toContain('Takes 100 to 110 s ');
    const autoSeconds = { least: 900, most: 1200 };
    const both = { ...group().forecast, seconds: { least: 15_000, most: 18_000 }, autoSeconds };
    const text = planText([group({ forecast: { instanceHours: { least: 1, most: 2 }, ...both } })], PAGE);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'Takes 4.2 to 5 h if all goes well (15 to 20 min with DRAIN_CONCURRENCY=auto), and',
    );
  });

  it('has with it what waits for windows, and costs', () => {
    const waits = { windowSeconds: 600, windows: 3, instanceHours: 858.4 };
    const forecast = { seconds: { least: 1, most: 2 }, instanceHours: { least: 1, most: 2 }, waits };
    for (const text of [planText([group({ forecast })], PAGE), statusText([group({ forecast })], PAGE)])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        'Windows of 10 min are too short for that: for 3 more windows the surge waits, at some 858 more instance-hours.',
      );
  });
});

it('several groups take as long as the busiest cluster, and cost what all of them cost', () => {
  const of = (cluster: string, name: string, most: number) =>
    group({
      cluster,
      group: name,
      forecast: { seconds: { least: most / 2, most }, instanceHours: { least: 0.5, most: 1 } },
    });
  const text = planText([of('web', 'a', 600), of('web', 'b', 900), of('jobs', 'c', 1200)], PAGE);
  expect(text).toMatch(/^.*\nTogether at most 25 min if all goes well, and 1.5 to 3 instance-hours\.\n\n/);
});

it('several groups of which one waits for windows promise no time together', () => {
  const forecast = { seconds: { least: 300, most: 600 }, instanceHours: { least: 0.5, most: 1 } };
  const waits = { windowSeconds: 600, windows: 3, instanceHours: 858.4 };
  const all = [group({ group: 'a', forecast }), group({ group: 'b', forecast: { ...forecast, waits } })];
  expect(planText(all, PAGE)).not.toContain('Together');
});
