import { describe, expect, test } from 'vitest';
import type { RollEvent } from '../../lambda/core/model/roll-event.ts';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, tagGroup } from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type StageOptions, standardStage } from './stage.ts';
import { BRISK, killEverywhere } from './sweep.ts';
import { eventsIn, TELLS, toldIn } from './told.ts';

const staged = (environment: Readonly<Record<string, string>> = {}, options: Partial<StageOptions> = {}) =>
  standardStage({}, { ...options, environment: { ...TELLS, ...environment } });

/** As many tags as leave no room for ours. */
const crowd = (world: World) => {
  for (let index = 0; index < 45; index++) tagGroup(groupOf({ world }), { [`team-${index}`]: 'x' });
};

const kinds = (events: readonly RollEvent[]) => events.map(({ kind }) => kind);

describe('a roll tells the event bus', () => {
  test('of each change of its state, and leaves no tag', async () => {
    const { world, invoke, invariants } = staged({ CANARY: '1' });
    await invoke();
    const told = toldIn(world);
    expect(kinds(told)).toEqual(['begun', 'trial-passed', 'batch-done', 'completed']);
    // The second batch came up beside the goodbyes of the first.
    const [, , done, last] = told;
    const drained = { role: 'old', drainStartedAt: expect.any(String) };
    expect(done?.instances).toEqual(expect.arrayContaining([expect.objectContaining(drained)]));
    expect(done?.instances.filter(({ role }) => role === 'old')).toHaveLength(4);
    expect(last).toMatchObject({
      counts: { outdated: 0, replaced: 4, total: 4 },
      seconds: expect.any(Number),
    });
    invariants.assertFinished();
  });

  test('of a pause, and that it goes on', async () => {
    const { world, invoke, finish, clock } = staged();
    const rolling = invoke();
    await clock.drive(clock.sleep(30));
    await invoke({ action: 'pause' });
    await rolling;
    await invoke({ action: 'continue' });
    await invoke({ action: 'continue' });
    expect(kinds(toldIn(world)).slice(-1)).toEqual(['held']);
    await invoke({ action: 'resume' });
    await finish();
    expect(kinds(eventsIn(world))).toEqual(['begun', 'held', 'continued', 'batch-done', 'completed']);
  });

  test('of a rollback, from its turn to its end', async () => {
    const { world, invoke, finish, clock } = staged();
    const rolling = invoke();
    await clock.drive(clock.sleep(90));
    await invoke({ action: 'rollback' });
    await rolling;
    await finish();
    const told = eventsIn(world);
    expect(kinds(told)).toEqual(['begun', 'rolling-back', 'rolled-back']);
    expect(told.at(-1)).toMatchObject({ because: 'somebody asked for it' });
  });

  test('of its notice, once, and of one that is called off', async () => {
    const { world, invoke, finish } = staged({ ANNOUNCE_MINUTES: '30' });
    await invoke({ source: 'aws.events', 'detail-type': 'Scheduled Event' });
    await invoke({ action: 'continue' });
    await invoke({ action: 'continue' });
    expect(kinds(toldIn(world))).toEqual(['announced']);
    expect(toldIn(world)[0]?.text).toContain('announced');
    await invoke({ action: 'skip' });
    await finish();
    const told = eventsIn(world);
    expect(kinds(told)).toEqual(['announced', 'aborted']);
    expect(told.at(-1)?.text).toMatch(/, skipped: somebody asked for it$/);
  });

  test('only with an event bus', async () => {
    const { world, invoke, account } = standardStage();
    await invoke();
    expect(toldIn(world)).toEqual([]);
    expect(JSON.stringify(account.calls.log)).not.toContain('PutEvents');
  });
});

test('a group that can not be rolled is told of whenever an image is looked for, by one id', async () => {
  const { world, invoke, clock } = staged({}, { furnish: crowd });
  for (const action of ['roll', 'continue', 'plan', 'roll']) {
    expect(groupsOf(await invoke({ action })).map(({ state }) => state)).not.toContain('failed');
    clock.advance(86_400);
  }
  expect(kinds(toldIn(world))).toEqual(['blocked', 'blocked']);
  expect(eventsIn(world)).toHaveLength(1);
});

describe('an event bus out of order', () => {
  const refuse = (times: number): Interceptor => {
    let left = times;
    return {
      before({ operation }) {
        if (operation === 'PutEvents' && left-- > 0)
          throw new AwsError('InternalException', 'out of order', 500);
      },
    };
  };

  test('stops no roll, and is told of in the result', async () => {
    const { invoke, invariants, world, account } = staged();
    const outcome = await invoke({ action: 'roll' }, [refuse(Number.POSITIVE_INFINITY)]);
    expect(only(outcome)).toMatchObject({
      state: 'completed',
      warnings: [expect.stringMatching(/^not all of its events are on the event bus: .*out of order/)],
    });
    expect(toldIn(world)).toEqual([]);
    expect(writes(account.calls.log).filter((operation) => operation === 'PutEvents').length).toBeLessThan(
      15,
    );
    invariants.assertFinished();
  });

  test('is told later what it missed', async () => {
    const { invoke, world } = staged();
    expect(only(await invoke({ action: 'roll' }, [refuse(1)])).warnings).toBeUndefined();
    expect(kinds(toldIn(world))).toEqual(['begun', 'batch-done', 'completed']);
  });
});

test('killed anywhere, a roll tells everything at least once, each under one id', async () => {
  const sweep = await killEverywhere(
    {
      ...BRISK,
      environment: { ...BRISK.environment, ...TELLS, CANARY: '1' },
      furnish: (world) => standardScenario({ world }),
    },
    ({ world, invariants }) => {
      invariants.assertFinished();
      const told = eventsIn(world);
      // Killed between the marks of one batch, it becomes two.
      const others = kinds(told).filter((kind) => kind !== 'batch-done');
      expect(others).toEqual(['begun', 'trial-passed', 'completed']);
      expect(told.length).toBeGreaterThanOrEqual(4);
      expect(new Set(told.map(({ startedAt }) => startedAt)).size).toBe(1);
    },
    'some',
  );
  expect(sweep.kills).toBeGreaterThan(5);
});

const SCHEDULED = { source: 'aws.events', 'detail-type': 'Scheduled Event' };

test('a notice is told while no window is open, before its roll begins', async () => {
  const staging = staged({ ANNOUNCE_MINUTES: '60', WINDOWS: '0 12 * * * 2h UTC' });
  await staging.invoke(SCHEDULED);
  await staging.invoke(SCHEDULED);
  expect(toldIn(staging.world)).toMatchObject([
    { kind: 'announced', text: expect.stringContaining('outside its windows') },
  ]);
  staging.clock.advance(12 * 3600 + 60);
  await staging.invoke(SCHEDULED);
  await staging.finish();
  expect(kinds(eventsIn(staging.world))).toEqual(['announced', 'begun', 'batch-done', 'completed']);
});

test('a roll that can not be ended tells its end with each try, as the same event', async () => {
  const refused: Interceptor = {
    before({ operation }) {
      if (operation === 'DeleteTags') throw new AwsError('AccessDenied', 'no', 403);
    },
  };
  const { invoke, world, clock } = staged();
  expect(only(await invoke({ action: 'roll' }, [refused])).state).toBe('failed');
  for (let count = 0; count < 3; count++) {
    clock.advance(300);
    await invoke({ action: 'continue' }, [refused]);
  }
  expect(kinds(eventsIn(world))).toEqual(['begun', 'batch-done', 'completed']);
});

test('a group that is blocked is told of in its windows alone', async () => {
  const staging = staged({ WINDOWS: '0 12 * * * 2h UTC' }, { furnish: crowd });
  expect(only(await staging.invoke(SCHEDULED)).state).toBe('blocked');
  expect(toldIn(staging.world)).toEqual([]);
  staging.clock.advance(12 * 3600 + 60);
  await staging.invoke(SCHEDULED);
  expect(kinds(toldIn(staging.world))).toEqual(['blocked']);
});

test('an event bus that is out of order is asked once a minute, not for each group', async () => {
  const failing: Interceptor = {
    before({ operation }) {
      if (operation === 'PutEvents') throw new AwsError('InternalException', 'not now', 500);
    },
  };
  const { invoke, account, clock } = standardStage(
    { instances: 2, services: 1 },
    {
      environment: { ...TELLS, GROUP_CONCURRENCY: '3' },
      furnish(world) {
        const image = world.release('amazon-linux-2023/arm64', { ageDays: 40 });
        for (const name of ['second', 'third'])
          world.addGroup({ name, cluster: 'demo', image, instances: 2, launchSpec: 'launch-template' });
        world.release('amazon-linux-2023/arm64', { ageDays: 3 });
      },
    },
  );
  const began = clock.now();
  await invoke({ action: 'roll' }, [failing]);
  const minutes = (clock.now() - began) / 60_000;
  expect(account.calls.counts['eventbridge.PutEvents']).toBeLessThanOrEqual(minutes + 1);
});
