import { describe, expect, test } from 'vitest';
import {
  groupOf,
  isDrain,
  keepInvoking,
  launchedFrom,
  oldest,
  once,
  tagGroup,
  told,
  toldAt,
} from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

const NEW = 'ami-00000000000000002';

interface Options extends Partial<StageOptions> {
  /** The alarm's initial state. */
  readonly state?: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  readonly composite?: boolean;
}

function staged({ environment, state, composite, furnish, ...options }: Options = {}): Stage {
  return standardStage(
    { version: '1' },
    {
      environment: { ALARM_NAMES: 'errors', ...environment },
      furnish: (world) => {
        world.addAlarm({ name: 'errors', state, composite });
        furnish?.(world);
      },
      ...options,
    },
  );
}

/** The alarm goes off when the first old instance drains, for so many seconds. */
function ringsFor(staging: Stage, seconds: number) {
  const { world, clock } = staging;
  once(world, isDrain, () => {
    world.faults.setAlarm('errors', 'ALARM');
    clock.schedule(seconds, () => world.faults.setAlarm('errors', 'OK'));
  });
}

describe('an alarm in ALARM', () => {
  test.each([false, true])('before the roll keeps it from beginning (composite: %s)', async (composite) => {
    const staging = staged({ state: 'ALARM', composite });
    const { invoke, world, account, invariants } = staging;
    expect(only(await invoke())).toMatchObject({
      state: 'blocked',
      reason: 'begins nothing new, as alarm errors has been in ALARM since 2026-11-21T00:00:00.000Z',
    });
    expect(writes(account.calls.log)).toEqual([]);
    world.faults.setAlarm('errors', 'OK');
    expect(only(await invoke()).state).toBe('completed');
    invariants.assertFinished();
  });

  test('holds a roll, which finishes what it has started, and goes on once all is well', async () => {
    const staging = staged();
    ringsFor(staging, 280);
    await staging.roll();
    const held = toldAt(staging, /begins nothing new, as alarm errors has been in ALARM since/);
    // The one that drained is ended meanwhile, and no other is drained.
    expect(toldAt(staging, /terminate i-/)).toBeLessThan(held);
    const second = told(staging, / {2}drain i-/)[1] ?? '';
    expect(second > (told(staging, /begins nothing new/)[0] ?? '')).toBe(true);
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(staging.invariants.metrics().instancesReplaced).toBe(4);
  });

  test('for longer than ALARM_TIMEOUT_SECONDS rolls back', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    ringsFor(staging, 3600);
    expect(await staging.roll()).toMatchObject([
      {
        state: 'rolled-back',
        reason: expect.stringMatching(/after 300 s.*alarm errors has been in ALARM since 2026-11-21T00:0/),
      },
    ]);
    expect(launchedFrom(staging.world, NEW).every(({ state }) => state !== 'running')).toBe(true);
  });

  test('is tolerated for as long as ALARM_TIMEOUT_SECONDS says', async () => {
    const staging = staged({ environment: { ALARM_TIMEOUT_SECONDS: '3600' } });
    ringsFor(staging, 1800);
    await staging.roll();
    expect(told(staging, /rolls back/)).toEqual([]);
  });

  test('that went off unnoticed before the roll began holds it, however long, but does not turn it back', async () => {
    // It goes off in the look that begins the roll.
    const staging = staged();
    const { world, clock } = staging;
    once(
      world,
      (event) => event.kind === 'called',
      () => {
        world.faults.setAlarm('errors', 'ALARM');
        clock.schedule(5000, () => world.faults.setAlarm('errors', 'OK'));
      },
    );
    await keepInvoking(staging, 60);
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(launchedFrom(world, NEW)).toEqual([]);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('is ignored while the group is paused', async () => {
    const staging = staged();
    const { world, invoke, invariants } = staging;
    once(world, isDrain, () => {
      tagGroup(groupOf(staging), { 'ecs-ami-deploy-paused': '2026-11-21T00:00:00.000Z' });
      world.faults.setAlarm('errors', 'ALARM');
    });
    await keepInvoking(staging, 30);
    expect(told(staging, /rolls back/)).toEqual([]);
    world.faults.setAlarm('errors', 'OK');
    await invoke({ action: 'resume' });
    await staging.finish();
    invariants.assertFinished();
  });

  test('is missed if it only lasts between two looks', async () => {
    const staging = staged();
    ringsFor(staging, 5);
    await staging.roll();
  });

  test('keeps the trial from ending', async () => {
    const staging = staged({ environment: { CANARY: '1', ALARM_TIMEOUT_SECONDS: '3600' } });
    ringsFor(staging, 600);
    await staging.roll();
    expect(toldAt(staging, /passed the trial/)).toBeGreaterThan(600);
  });
});

describe('an alarm that does not exist', () => {
  test('keeps a roll from beginning, and is named', async () => {
    const staging = staged({ environment: { ALARM_NAMES: 'errors,latency' } });
    expect(only(await staging.invoke())).toMatchObject({
      state: 'blocked',
      reason: 'alarm latency does not exist; fix ALARM_NAMES or create it',
    });
    expect(writes(staging.account.calls.log)).toEqual([]);
    staging.world.addAlarm({ name: 'latency' });
    expect(only(await staging.invoke()).state).toBe('completed');
    staging.invariants.assertFinished();
  });

  test('any more holds a roll, but does not turn it back', async () => {
    const staging = staged();
    once(staging.world, isDrain, () => staging.world.state.alarms.delete('errors'));
    const [said] = await keepInvoking(staging, 30);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /^alarm errors does not exist; fix ALARM_NAMES or create it; meanwhile: /,
      ),
    });
    expect(said?.instances.detached).toBe(3);
    staging.invariants.assertHeld();
    staging.world.addAlarm({ name: 'errors' });
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('is not looked up when nothing needs rolling', async () => {
    const staging = staged();
    await staging.invoke();
    staging.world.state.alarms.delete('errors');
    const { DescribeAlarms: before } = callsOf(staging);
    expect(only(await staging.invoke()).state).toBe('up-to-date');
    expect(callsOf(staging).DescribeAlarms).toBe(before);
  });
});

test("a group's tag can name alarms for that group alone", async () => {
  const staging = staged({
    environment: { GROUP_CONCURRENCY: '2' },
    furnish: (world) => {
      world.addAlarm({ name: 'second-errors', state: 'ALARM' });
      const tags = { 'ecs-ami-deploy:alarm-names': 'second-errors' };
      world.addGroup({ name: 'second', cluster: 'demo', image: oldest(world), instances: 1, tags });
    },
  });
  expect(groupsOf(await staging.invoke())).toMatchObject([
    { group: 'demo-ecs', state: 'completed' },
    {
      group: 'second',
      state: 'blocked',
      reason: expect.stringMatching(/alarm second-errors has been in ALARM since/),
    },
  ]);
  staging.invariants.assertHeld();
});

function callsOf({ account }: Stage) {
  return { DescribeAlarms: account.calls.counts['cloudwatch.DescribeAlarms'] };
}
