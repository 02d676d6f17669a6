import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

test.each([
  [1, 'launch-configuration', undefined],
  [4, 'launch-template', '1'],
] as const)('rolls %i instances by %s (%s)', async (instances, launchSpec, version) => {
  const { invoke, invariants, account } = stage({
    expectations: { maxSurge: instances },
    furnish: (world) => standardScenario({ world, instances, services: 3, launchSpec, version }),
  });
  const outcome = await invoke();
  expect(outcome).toMatchObject({
    groups: [
      { state: 'completed', instances: { drifted: 0, detached: 0, replaced: instances, total: instances } },
    ],
  });
  invariants.assertFinished();
  expect(invariants.metrics().instancesReplaced).toBe(instances);
  expect(account.bugs).toEqual([]);
});

test('an invocation that goes on with steady services drains at once, as AWS dates since when they are', async () => {
  const { invoke, world, clock, invariants } = stage({
    lambdaSeconds: 300,
    environment: { CANARY: '0', STABLE_SECONDS: '60' },
    furnish: (world) => standardScenario({ world }),
  });
  await invoke();
  // Long enough for what was moving to have moved.
  clock.advance(600);
  const drains: number[] = [];
  world.subscribe((event) => {
    if (event.kind === 'container-instance-changed' && event.containerInstance.status === 'DRAINING')
      drains.push(clock.now());
  });
  const begunMs = clock.now();
  await invoke({ action: 'continue' });
  invariants.assertHeld();
  expect(((drains[0] ?? Number.NaN) - begunMs) / 1000).toBeLessThan(60);
});

test('rolls 45 instances: three detach calls, several invocations', async () => {
  const { invoke, finish, invariants, account } = stage({
    environment: { DRAIN_CONCURRENCY: '2', POLL_SECONDS: '20' },
    expectations: { maxSurge: 45, drainConcurrency: 2 },
    furnish: (world) =>
      standardScenario({ world, instances: 45, services: 3, launchSpec: 'launch-configuration' }),
  });
  expect(await invoke()).toMatchObject({ groups: [{ state: 'in-progress' }] });
  expect(await finish()).toMatchObject([{ state: 'completed' }]);
  invariants.assertFinished();
  expect(account.calls.counts['autoscaling.DetachInstances']).toBe(3);
  expect(invariants.metrics().instancesReplaced).toBe(45);
});

test('rolls 250 instances: more than a page in every list', async () => {
  const { invariants, account, roll } = stage({
    environment: { DRAIN_CONCURRENCY: '10', POLL_SECONDS: '60' },
    expectations: { maxSurge: 250, drainConcurrency: 10 },
    furnish: (world) => standardScenario({ world, instances: 250, services: 12 }),
  });
  expect(await roll()).toMatchObject([{ state: 'completed' }]);
  expect(account.calls.counts['autoscaling.DetachInstances']).toBe(13);
  expect(invariants.metrics().instancesReplaced).toBe(250);
});

test('by auto, several drain at once, which takes less than half the time', async () => {
  const secondsOf = async (concurrency: string) => {
    const { invariants, clock, roll } = stage({
      environment: { DRAIN_CONCURRENCY: concurrency },
      expectations: { drainConcurrency: Number.POSITIVE_INFINITY },
      furnish: (world) => standardScenario({ world, instances: 12, services: 3 }),
    });
    const begunMs = clock.now();
    await roll();
    expect(invariants.metrics().instancesReplaced).toBe(12);
    return (clock.now() - begunMs) / 1000;
  };
  expect((await secondsOf('auto')) / (await secondsOf('1'))).toBeLessThan(0.5);
});

test('a task moves once, though old instances stay ACTIVE until their turn', async () => {
  const { invariants, roll } = stage({
    furnish: (world) =>
      standardScenario({ world, instances: 12, services: 3, launchSpec: 'launch-configuration' }),
  });
  await roll();
  expect(invariants.metrics().taskMoves.mean).toBeLessThan(1.2);
});

test.each(['launch-configuration', 'launch-template'] as const)(
  'release after release, we leave behind no more than we should keep (%s)',
  async (launchSpec) => {
    const { invoke, invariants, world } = stage({
      environment: { KEEP_LAUNCH_SPECS: '1' },
      expectations: { keepLaunchSpecs: 1 },
      furnish: (world) => standardScenario({ world, instances: 1, services: 1, launchSpec, version: '1' }),
    });
    for (let release = 0; release < 4; release++) {
      expect(await invoke()).toMatchObject({ groups: [{ state: 'completed' }] });
      invariants.assertFinished();
      world.release('amazon-linux-2023');
    }
    const { launchConfigurations, launchTemplates } = world.state;
    const versions = [...launchTemplates.values()].flatMap((template) => [...template.versions.keys()]);
    // The owner's, the current one and one before it.
    expect([...launchConfigurations.keys(), ...versions]).toHaveLength(3);
  },
);
