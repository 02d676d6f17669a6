import { describe, expect, test } from 'vitest';
import { sampled } from '../sample/sampled.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { AWS_DEFAULTS } from '../simulated-aws/world/delays.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import { isReplicaTask, type Task } from '../simulated-aws/world/ecs/model.ts';
import { keepInvoking, launchedFrom, serviceOf, told, toldAt } from './happenings.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const OLD = 'ami-00000000000000001';

/** Nothing sets a deregistration delay or a stop timeout: each drain says goodbye for 330 s. */
function staged(options: Partial<StageOptions> = {}, instances = 7): Stage {
  return standardStage({ instances, services: 2, loadBalanced: 2 }, { delays: AWS_DEFAULTS, ...options });
}

const tasksOn = ({ containerInstance }: Instance): Task[] =>
  [...(containerInstance?.tasks ?? [])].filter(isReplicaTask);

/** Old instances that drain: those that have tasks to move, and those that only say goodbye. */
function draining({ world }: Pick<Stage, 'world'>) {
  const all = launchedFrom(world, OLD).filter(
    ({ containerInstance }) => containerInstance?.status === 'DRAINING',
  );
  const moves = (each: Instance) => tasksOn(each).some(({ desiredStatus }) => desiredStatus === 'RUNNING');
  return { moving: all.filter(moves), goodbyes: all.filter((each) => !moves(each)) };
}

/** Seconds at which old instances began to drain. */
const drains = ({ log }: Stage): number[] =>
  told({ log }, / {2}drain i-/).map((line) => toldAt({ log: [line] }, /./));

/** Goes on until so many say goodbye while one moves, and answers what will come of the invocation. */
async function until(
  staging: Stage,
  goodbyes: number,
): Promise<{ readonly ended: ReturnType<Stage['invoke']> }> {
  const ended = staging.invoke();
  const isSo = () => {
    const now = draining(staging);
    return now.goodbyes.length >= goodbyes && now.moving.length === 1;
  };
  while (!isSo()) await staging.clock.drive(staging.clock.sleep(1));
  return { ended };
}

test('the next drains once others serve in place of the one before, whose tasks take 330 s to stop', async () => {
  const staging = staged();
  const most = { goodbyes: 0, moving: 0 };
  staging.world.subscribe(({ kind }) => {
    if (kind !== 'task-stopping') return;
    const { goodbyes, moving } = draining(staging);
    most.goodbyes = Math.max(most.goodbyes, goodbyes.length);
    most.moving = Math.max(most.moving, moving.length);
  });
  await staging.roll();
  expect(most.goodbyes).toBeGreaterThanOrEqual(3);
  expect(most.moving).toBe(1);
  const times = drains(staging);
  expect(times).toHaveLength(7);
  for (const [index, time] of times.slice(1).entries()) {
    const apart = time - (times[index] ?? 0);
    expect(apart).toBeGreaterThanOrEqual(30);
    expect(apart).toBeLessThan(150);
  }
});

test('a trial bakes while the instance before says goodbye, and the next batch comes up beside it', async () => {
  const staging = staged({ environment: TRUE_DEFAULTS }, 4);
  let goodbyes = 0;
  staging.world.subscribe(({ kind }) => {
    if (kind === 'member-detaching') goodbyes = Math.max(goodbyes, draining(staging).goodbyes.length);
  });
  await staging.roll();
  expect(goodbyes).toBe(1);
  const begun = toldAt(staging, /act: tries out/);
  expect(begun - (drains(staging)[0] ?? 0)).toBeLessThan(120);
});

test('a batch that room is left for only by what has ended waits for that', async () => {
  const staging = staged({ environment: { MAX_SURGE: '2' }, expectations: { maxSurge: 2 } }, 4);
  await staging.roll();
  const [, second = 0] = told(staging, /act: detaches/).map((line) => toldAt({ log: [line] }, /./));
  expect(second).toBeGreaterThan((drains(staging)[1] ?? 0) + 330);
});

/** So long that five say goodbye while one moves. */
const LONG = { lambdaSeconds: 10_000, delays: { ...AWS_DEFAULTS, deregistrationSeconds: 600 } };

test('killed at any call while five say goodbye and one moves, it ends the same way', async () => {
  const undisturbed = staged(LONG);
  const calls: number[] = [];
  const note = ({ numberInSession }: { readonly numberInSession: number }) => {
    const { goodbyes, moving } = draining(undisturbed);
    if (goodbyes.length === 5 && moving.length === 1) calls.push(numberInSession);
  };
  await undisturbed.invoke({ action: 'roll' }, [{ before: note }]);
  undisturbed.invariants.assertFinished();
  expect(calls.length).toBeGreaterThan(2);
  const kills = calls.flatMap((call) => [killBefore, killAfter].map((kill) => ({ call, kill })));
  for (const { call, kill } of sampled(kills, 6, (each) => each.kill)) {
    const killed = staged(LONG);
    expect((await killed.invoke({ action: 'roll' }, [kill(call)])).kind).toBe('killed');
    await killed.finish();
    killed.invariants.assertFinished();
    expect(killed.invariants.metrics().instancesReplaced).toBe(7);
  }
});

describe('while three say goodbye and one moves', () => {
  test('a rollback has all of them serve again, whose tasks stop all the same', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    const { ended } = await until(staging, 3);
    await staging.order({ action: 'rollback' });
    await ended;
    expect(told(staging, / {2}set i-.* and 1 more back ACTIVE/)).toHaveLength(1);
    await staging.finish(60);
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertFinished();
    expect(told(staging, /blocked/)).toEqual([]);
  });

  test.each(['pause', 'abort'])('%s lets these end, and begins no other', async (action) => {
    const staging = staged({ expectations: { endings: ['completed', 'aborted'] } });
    const { ended } = await until(staging, 3);
    const { goodbyes, moving } = draining(staging);
    const begun = drains(staging).length;
    await staging.order({ action });
    await ended;
    await keepInvoking(staging, 30, { action: 'continue' });
    expect([...goodbyes, ...moving].map(({ state }) => state)).toEqual(Array(4).fill('terminated'));
    if (action === 'pause') expect(drains(staging)).toHaveLength(begun);
    staging.invariants.assertHeld();
    await staging.invoke({ action: 'resume' });
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test('invocations that end bring them to their end', async () => {
    const staging = staged({ lambdaSeconds: 150 });
    await staging.roll();
    expect(told(staging, /gives up|back ACTIVE/)).toEqual([]);
  });
});

test('a goodbye that does not end holds nobody else up, and has the limit of a drain', async () => {
  const staging = staged({}, 4);
  const { ended } = await until(staging, 1);
  const [stuck] = draining(staging).goodbyes;
  if (stuck === undefined) throw new Error('nobody says goodbye');
  staging.world.faults.dropAgent(stuck.id);
  await ended;
  await keepInvoking(staging, 10, { action: 'continue' });
  const old = () => launchedFrom(staging.world, OLD).filter(({ state }) => state === 'running');
  expect(old()).toEqual([stuck]);
  expect(told(staging, /gives up/)).toEqual([]);
  const [said] = await keepInvoking(staging, 60, { action: 'continue' });
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(stuck.id) });
  staging.invariants.assertHeld();
  staging.world.faults.returnAgent(stuck.id);
  await staging.finish(40);
  staging.invariants.assertFinished();
});

// With each of its tasks it can do without, so that it starts another only once one has stopped.
test('a service that may have no task more waits for its goodbyes, and with it the next drain', async () => {
  const staging = standardStage(
    { instances: 4, services: 0 },
    {
      delays: AWS_DEFAULTS,
      furnish(world) {
        world.state.readings.stoppingInMaximum = 'counts';
        const bounds = { minimumHealthyPercent: 50, maximumPercent: 100 };
        world.addService('demo', { name: 'shop', desiredCount: 4, isLoadBalanced: true, ...bounds });
      },
    },
  );
  await staging.roll();
  const times = drains(staging);
  expect(times).toHaveLength(4);
  for (const [index, time] of times.slice(1).entries())
    expect(time - (times[index] ?? 0)).toBeGreaterThan(330);
  expect(serviceOf(staging.world, 'shop').healthyCount).toBe(4);
});

test.each(['told', 'deregistered'] as const)(
  'a goodbye that takes an hour is no stuck drain, if ECS dates it once a task is %s',
  async (stoppingSince) => {
    const environment = { DRAIN_TIMEOUT_SECONDS: '900' };
    const delays = { ...AWS_DEFAULTS, deregistrationSeconds: 3600 };
    const staging = staged({ environment, delays, lambdaSeconds: 10_000 }, 3);
    staging.world.state.readings.stoppingSince = stoppingSince;
    const said = await keepInvoking(staging, 90);
    expect(said).toMatchObject([{ state: 'completed' }]);
    expect(told(staging, /blocked|undo|given up/)).toEqual([]);
    staging.invariants.assertFinished();
  },
);

// As where the role is gone by which ECS lets go of targets.
test.each(['told', 'deregistered'] as const)(
  'a goodbye that never ends is told, if ECS dates it once a task is %s',
  async (stoppingSince) => {
    const environment = { DRAIN_TIMEOUT_SECONDS: '900' };
    const delays = { ...AWS_DEFAULTS, deregistrationSeconds: 100_000 };
    const staging = staged({ environment, delays, lambdaSeconds: 10_000 }, 3);
    staging.world.state.readings.stoppingSince = stoppingSince;
    expect(await keepInvoking(staging, 120)).toMatchObject([{ state: 'blocked' }]);
    staging.invariants.assertHeld();
  },
);
