import { describe, expect, test } from 'vitest';
import type { WorldEvent } from '../simulated-aws/world/events.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { crash, isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { kindNamed } from './kinds.ts';
import { afterCall, only } from './outcomes.ts';
import { type Stage, type StageOptions, stage, standardStage } from './stage.ts';
import { BRISK } from './sweep.ts';

/** Two groups that take tasks of the same services, on images of two architectures. */
function twoGroups(options: Partial<StageOptions> = {}): Stage {
  const kind = kindNamed('several groups, two at once');
  return stage({
    ...BRISK,
    ...kind,
    environment: { ...kind.environment, POLL_SECONDS: '5', STABLE_SECONDS: '90' },
    expectations: { ...kind.expectations, endings: ['completed', 'rolled-back'] },
    ...options,
  });
}

/** The newest for arm64, which the second group is rolled onto. */
const BAD_IMAGE = 'ami-00000000000000004';

describe('an image on which tasks fail in one of two groups that roll at once', () => {
  test.each([
    ['exits', 0],
    ['fails-to-start', 0],
    ['fails-health-checks', 0],

    ['exits', 10],
  ] as const)(
    '%s, spaced out %i s: is rolled back there, and the other group is rolled',
    async (mode, back) => {
      const staging = twoGroups({ delays: { ...BRISK.delays, crashBackoffSeconds: back } });
      const { world } = staging;
      world.faults.crashTasksOn({ imageId: BAD_IMAGE, mode });
      // The tasks that fail there find another place, before they have failed for long.
      once(world, isDrain, () => {
        staging.clock.schedule(40, () => world.owner.setDesiredCount('demo', 'worker', 1));
        staging.clock.schedule(55, () =>
          world.owner.setSizes('demo-ecs', { maxSize: 3, desiredCapacity: 3 }),
        );
      });
      await keepInvoking(staging, 60);
      expect(told(staging, / second: finish/)).toEqual([
        expect.stringMatching(/ the roll was rolled back \(for more than 900 s tasks of service /),
      ]);
      expect(told(staging, / demo-ecs: finish/)).toEqual([expect.stringMatching(/ 3 members run /)]);
      staging.invariants.assertFinished();
    },
  );
});

describe('a crash-looping service, whether or not all its tasks run right now,', () => {
  const crashing = (offset: number, options: Partial<StageOptions> = {}) => {
    const staging = stage({
      shortcut: true,
      furnish(world) {
        standardScenario({ world, instances: 3, version: '1' });
        world.addService('demo', { name: 'broken', desiredCount: 2, isCrashing: true, isSteady: false });
      },
      ...options,
    });
    staging.clock.advance(300 + offset);
    return staging;
  };

  test.each([0, 2, 4, 6, 8])(
    'neither holds a roll up nor speaks against the image (%i s on)',
    async (offset) => {
      const staging = crashing(offset);
      const said = only(await staging.invoke());
      expect(said.warnings).toContainEqual(expect.stringMatching(/^service broken was not steady before/));
      await staging.finish();
      expect(told(staging, /rolls back|gives up/)).toEqual([]);
      staging.invariants.assertFinished();
    },
  );
});

test('a service whose tasks end every 25 minutes, and before the roll did, is no fault of the image', async () => {
  const staging = standardStage(
    { instances: 8, services: 1, version: '1', group: { zones: ['a'] } },
    {
      environment: { CANARY: '1', STABLE_SECONDS: '300' },
      furnish: (world) => void world.addService('demo', { name: 'queue', desiredCount: 4 }),
    },
  );
  const { clock, world } = staging;
  const endOldest = () => {
    const [oldest] = [...serviceOf(world, 'queue').tasks].sort(
      (one, other) => one.createdAtMs - other.createdAtMs,
    );
    if (oldest?.desiredStatus === 'RUNNING') crash(world, oldest);
    clock.schedule(375, endOldest);
  };
  clock.schedule(375, endOldest);
  clock.advance(7200);
  await keepInvoking(staging, 100);
  expect(told(staging, /rolls back/)).toEqual([]);
  expect(staging.endings).toEqual(['completed']);
  staging.invariants.assertHeld();
});

test('a service whose owner deploys what fails, again and again, is no fault of the image once ECS is back', async () => {
  const staging = standardStage(
    { instances: 3, services: 1, version: '1' },
    { environment: { CANARY: '0', STABLE_SECONDS: '300' } },
  );
  const { clock, world } = staging;
  let drains = 0;
  const isLastDrain = (event: WorldEvent) => {
    if (isDrain(event)) drains += 1;
    return drains === 3;
  };
  const deployBadly = () =>
    world.owner.startDeployment('web', {
      fails: true,
      configuration: { deploymentCircuitBreaker: { enable: true, rollback: true } },
    });
  once(world, isLastDrain, () => {
    for (let count = 0; count < 6; count += 1) clock.schedule(60 + 240 * count, deployBadly);
  });
  await keepInvoking(staging, 100);
  expect(told(staging, /tasks of service web stop by themselves/)).not.toEqual([]);
  expect(told(staging, /rolls back/)).toEqual([]);
  expect(staging.endings).toEqual(['completed']);
  staging.invariants.assertHeld();
});

test('a bad revision that is deployed once nothing old is left is not the fault of a good image', async () => {
  const staging = standardStage(
    { services: 2, loadBalanced: 0, group: { maxSize: 12 } },
    { environment: { CANARY: '1', MAX_SURGE: '4' }, delays: { crashSeconds: 90 } },
  );
  const { world } = staging;
  // The trial is passed, and ECS takes the deployment for completed: all of its tasks have run for a while.
  const deploys = afterCall('TerminateInstances', () => {
    world.faults.setCrashing('demo', 'web', true);
    world.owner.deploy('demo', 'web');
  });
  await staging.invoke({ action: 'roll' }, [deploys]);
  await keepInvoking(staging, 70, { action: 'continue' });
  expect(told(staging, /rolls back/)).toEqual([]);
  expect(staging.endings).toEqual(['completed']);
});
