import { describe, expect, test } from 'vitest';
import { sampled } from '../sample/sampled.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { keepInvoking, launchedFrom, told, toldAt } from './happenings.ts';
import { only, planText, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';
import { BRISK } from './sweep.ts';

const [OLD, NEW] = ['ami-00000000000000001', 'ami-00000000000000002'];
const SCHEDULE = { source: 'aws.events', 'detail-type': 'Scheduled Event' };

interface Options extends Partial<StageOptions> {
  /** Of the group. */
  readonly tags?: Readonly<Record<string, string>>;
}

function staged({ tags = {}, furnish, ...options }: Options): Stage {
  const settings = Object.entries(tags).map(([setting, value]) => [`ecs-ami-deploy:${setting}`, value]);
  const group = { tags: Object.fromEntries(settings) };
  return standardStage({ instances: 3, version: '1', group }, { ...options, ...(furnish && { furnish }) });
}

describe('MODE=plan', () => {
  test.each<[string, Options]>([
    ['of the stack', { environment: { MODE: 'plan' } }],
    ['of a tag', { tags: { mode: 'plan' } }],
  ])('%s lets the schedule only tell what a roll would do', async (_, options) => {
    const { invoke, account } = staged(options);
    const told = {
      state: 'planned',
      code: 'plan-only',
      reason: expect.stringMatching(
        /^would roll onto ami-0+2 .*: 3 to replace \(by image\); with MODE=plan only `ecs-ami-deploy roll` begins it$/,
      ),
      heldBackDays: expect.any(Number),
    };
    expect(only(await invoke(SCHEDULE))).toMatchObject(told);
    expect(only(await invoke({ action: 'status' }))).toMatchObject(told);
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('tells at once what would block the roll', async () => {
    const { invoke, account } = staged({
      environment: { MODE: 'plan', ALARM_NAMES: 'errors' },
      furnish: (world) => world.addAlarm({ name: 'errors', state: 'ALARM' }),
    });
    expect(only(await invoke(SCHEDULE))).toMatchObject({ state: 'blocked', code: 'alarm-ringing' });
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('leaves a roll to somebody, which goes on by itself once it has begun', async () => {
    const { invoke, finish, invariants } = staged({ environment: { MODE: 'plan' }, lambdaSeconds: 120 });
    expect(planText(await invoke({ action: 'plan' }))).toMatch(/roll onto ami-.*\n1\. /);
    expect(only(await invoke({ action: 'roll' })).state).toBe('in-progress');
    expect(only(await invoke(SCHEDULE)).state).toBe('in-progress');
    expect(await finish(60)).toMatchObject([{ state: 'completed' }]);
    invariants.assertFinished();
  });

  test('is no matter of a tag that says otherwise', async () => {
    const { invoke } = staged({ environment: { MODE: 'plan' }, tags: { mode: 'roll' } });
    expect(only(await invoke(SCHEDULE))).toMatchObject({
      code: 'plan-only',
      warnings: [expect.stringMatching(/^ecs-ami-deploy:mode = "roll" is ignored/)],
    });
  });
});

/** Seconds from the start of the day at which something new was begun. */
function beginnings(staging: Stage): number[] {
  return told(staging, /^\S+ \S+: {3}(drain|detach|let group|tag group .*: roll onto) /).map((line) =>
    toldAt({ log: [line] }, /./),
  );
}

/** Old instances that drain, or have and are to end. */
function draining({ world }: Stage): string[] {
  const registered = [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])];
  return registered.filter(({ status }) => status === 'DRAINING').map(({ instance }) => instance.id);
}

describe('WINDOWS', () => {
  const NIGHT = { WINDOWS: '0 2 * * * 3h' };

  test('that are closed let nothing begin, whoever asks; the plan shows what will', async () => {
    const { invoke, clock, account, invariants } = staged({ environment: NIGHT });
    const planned = {
      state: 'planned',
      code: 'outside-windows',
      reason: 'begins nothing new outside its windows, the next of which opens at 2026-11-21T02:00:00.000Z',
    };
    for (const event of [SCHEDULE, { action: 'roll' }, { action: 'roll', force: true }, { action: 'status' }])
      expect(only(await invoke(event))).toMatchObject(planned);
    expect(writes(account.calls.log)).toEqual([]);
    expect(planText(await invoke({ action: 'plan' }))).toMatch(/begins nothing new.*\n1\. .*\n2\. /);
    clock.advance(2 * 3600);
    expect(only(await invoke(SCHEDULE)).state).toBe('completed');
    invariants.assertFinished();
  });

  test('of a tag narrow the stack’s', async () => {
    const { invoke } = staged({ environment: NIGHT, tags: { windows: '30 4 * * 0 1h' } });
    expect(only(await invoke(SCHEDULE)).reason).toMatch(/opens at 2026-11-22T04:30:00.000Z$/);
  });

  test('of a tag that nobody can read block the group, and say what it may be', async () => {
    const { invoke } = staged({ tags: { windows: 'at night' } });
    expect(only(await invoke(SCHEDULE))).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /^ecs-ami-deploy:windows was "at night"; it may be windows .*"0 2 \* \* MON/,
      ),
    });
  });

  test.each([1, 2, 3, 5])(
    'that close after %i minutes let the roll finish what is in hand, and go on in the next',
    async (minutes) => {
      const WINDOWS = `30 23 * * * ${30 + minutes}m`;
      const staging = staged({ environment: { ...TRUE_DEFAULTS, WINDOWS } });
      const [said] = await keepInvoking(staging, 120);
      expect(said).toMatchObject({
        state: 'paused',
        code: 'outside-windows',
        reason: expect.stringMatching(/opens at 2026-11-21T23:30:00.000Z$/),
      });
      // What a look decided just before is still begun.
      expect(Math.max(...beginnings(staging))).toBeLessThan(minutes * 60 + 15);
      expect(draining(staging)).toEqual([]);
      staging.invariants.assertHeld();
      staging.clock.advance(21.5 * 3600);
      await keepInvoking(staging, 30, { action: 'continue' });
      staging.invariants.assertFinished();
      expect(staging.invariants.metrics().instancesReplaced).toBe(3);
    },
  );

  test('that close in the trial let it turn the roll back, whose replacements fail, at once', async () => {
    const staging = staged({
      environment: { ...TRUE_DEFAULTS, WINDOWS: '30 23 * * * 33m' },
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => world.faults.crashTasksOn({ imageId: NEW }),
    });
    const [said] = await keepInvoking(staging, 90);
    expect(said).toMatchObject({ state: 'rolled-back' });
    expect(launchedFrom(staging.world, OLD).filter(({ state }) => state === 'running')).toHaveLength(3);
    staging.invariants.assertFinished();
  });

  test('do not keep a rollback that somebody orders', async () => {
    const staging = staged({
      environment: { WINDOWS: '30 23 * * * 32m' },
      expectations: { endings: ['rolled-back'] },
    });
    await keepInvoking(staging, 60);
    await staging.invoke({ action: 'rollback' });
    const [said] = await keepInvoking(staging, 60, { action: 'continue' });
    expect(said?.reason ?? '').not.toMatch(/windows/);
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertFinished();
  });
});

describe('CHANGE_CALENDARS', () => {
  const [freeze, other] = ['freeze', 'other'].map(
    (name) => `arn:aws:ssm:eu-central-1:123456789012:document/${name}`,
  );
  const CHANGE_CALENDARS = `${freeze},${other}`;
  const hours = (from: number, until: number) => ({
    fromMs: Date.parse('2026-11-21T00:00:00Z') + from * 3_600_000,
    untilMs: Date.parse('2026-11-21T00:00:00Z') + until * 3_600_000,
  });

  test('that are closed let nothing begin until all of them are open', async () => {
    const { invoke, world, clock, account, invariants } = staged({ environment: { CHANGE_CALENDARS } });
    world.setCalendar('freeze', [hours(0, 2)]);
    world.setCalendar('other', [hours(1, 3)]);
    expect(only(await invoke())).toMatchObject({
      state: 'planned',
      reason: `begins nothing new, as change calendar ${freeze} is closed until 2026-11-21T02:00:00.000Z at least`,
    });
    clock.advance(2 * 3600);
    expect(only(await invoke())).toMatchObject({ state: 'planned', code: 'calendars-closed' });
    expect(writes(account.calls.log)).toEqual([]);
    clock.advance(3600);
    expect(only(await invoke()).state).toBe('completed');
    invariants.assertFinished();
  });

  test('that close in a roll let it finish what is in hand', async () => {
    const staging = staged({ environment: { CHANGE_CALENDARS } });
    staging.world.setCalendar('freeze', [hours(1 / 20, 2)]);
    staging.world.setCalendar('other', []);
    const [said] = await keepInvoking(staging, 60);
    expect(said).toMatchObject({ state: 'paused', code: 'calendars-closed' });
    expect(Math.max(...beginnings(staging))).toBeLessThan(3 * 60 + 15);
    staging.invariants.assertHeld();
    await keepInvoking(staging, 90, { action: 'continue' });
    staging.invariants.assertFinished();
  });

  test('that can’t be read count as closed, and are named', async () => {
    const { invoke, world } = staged({ environment: { CHANGE_CALENDARS } });
    world.setCalendar('freeze', []);
    expect(only(await invoke())).toMatchObject({
      state: 'planned',
      reason: expect.stringMatching(
        `^begins nothing new, as change calendar ${other} can't be read, .*InvalidDocument`,
      ),
    });
  });
});

test('killed at any of its writes, a roll whose window closes meanwhile ends the same way in the next', async () => {
  const options = {
    ...BRISK,
    environment: { ...BRISK.environment, WINDOWS: '30 23 * * * 33m' },
  };
  const play = async (kill: readonly Interceptor[] = []) => {
    const staging = staged(options);
    await staging.invoke({ action: 'roll' }, kill);
    const [said] = await keepInvoking(staging, 60);
    expect(Math.max(...beginnings(staging))).toBeLessThan(3 * 60 + 60);
    staging.invariants.assertHeld();
    staging.clock.advance(23 * 3600 - 30 * 60);
    await keepInvoking(staging, 60);
    staging.invariants.assertFinished();
    expect(staging.invariants.metrics().instancesReplaced).toBe(3);
    return { account: staging.account, said };
  };
  const { account, said } = await play();
  expect(said).toMatchObject({ code: 'outside-windows' });
  const calls = account.calls.log.flatMap(({ operation }, index) =>
    writes([{ operation }]).length > 0 ? [index + 1] : [],
  );
  for (const call of sampled(calls, 6)) await play([killAfter(call)]);
  expect(calls.length).toBeGreaterThan(10);
});
