import { describe, expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import type { Task } from '../simulated-aws/world/ecs/model.ts';
import { DEFAULT_DEFINITION } from '../simulated-aws/world/ecs/task-definitions.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, told } from './happenings.ts';
import { type Stage, standardStage } from './stage.ts';

const FIRST = 'i-00000000000000001';

describe.each(['pending', 'none'] as const)('tasks on their way that count as %s', (countsOfStarting) => {
  const staged = (services: number, furnish: (world: World) => void): Stage =>
    standardStage(
      (world) => {
        world.state.readings.countsOfStarting = countsOfStarting;
        return { instances: 3, services, version: '1' };
      },
      { furnish },
    );

  test.each(['PROVISIONING', 'ACTIVATING'] as const)(
    'keep their instance, though they are standalone and %s for long',
    async (startsAs) => {
      // Nothing else runs on that instance.
      const staging = staged(0, (world) => {
        world.addStandaloneTask('demo', {
          family: 'job',
          instanceId: FIRST,
          startsAs,
          pendingSeconds: 1200,
          lifetimeSeconds: 300,
        });
      });
      await keepInvoking(staging, 15);
      expect(told(staging, /1 task of family:job left on i-00000000000000001/)).not.toEqual([]);
      await staging.finish(20);
      expect(told(staging, /overtaken/)).toEqual([]);
      staging.invariants.assertFinished();
    },
  );

  test.each(['50', '100'])('move with network interfaces of their own (minimum %s)', async (minimum) => {
    const staging = staged(1, (world) => {
      world.addService('demo', {
        name: 'own',
        desiredCount: 6,
        isLoadBalanced: true,
        minimumHealthyPercent: Number(minimum),
        definition: { ...DEFAULT_DEFINITION, networkMode: 'awsvpc' },
      });
    });
    await staging.roll();
  });
});

/** A list is up to a minute old, and what it lacks may be all that keeps the instance but daemons. */
test.each([30, 45, 90])(
  'a job that lists do not show yet for %i s keeps its instance beside a daemon',
  async (seconds) => {
    const staging = standardStage(
      { instances: 3, services: 1, daemons: 1, version: '1' },
      { environment: { MAX_SURGE: '0' } },
    );
    const { world, clock } = staging;
    let job: Task | undefined;
    const runJob: Interceptor = {
      before({ operation }) {
        if (operation !== 'UpdateContainerInstancesState' || job) return;
        const added = world.addStandaloneTask('demo', {
          family: 'job',
          instanceId: FIRST,
          lifetimeSeconds: 400,
        });
        job = added;
        world.faults.setUnlisted(added, true);
        clock.schedule(seconds, () => world.faults.setUnlisted(added, false));
      },
    };
    await staging.roll({ action: 'roll' }, [runJob]);
    expect(told(staging, /1 task of family:job left on i-00000000000000001/)).not.toEqual([]);
  },
);
