import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { groupOf, keepInvoking, serviceOf, told } from './happenings.ts';
import { standardStage } from './stage.ts';

/** Without grace ECS stops them; with it they run on, and count as healthy by that reading. */
test.each([
  ['1', 4, 0, 'raise the quota of targets'],
  ['0', 4, 0, 'raise the quota of targets'],
  ['1', 0, 7200, 'tasks of service shop run without serving'],
])(
  'tasks that their target group has no room for are no fault of the image, with CANARY=%s, %i targets and %i s of grace',
  async (CANARY, mostTargets, healthCheckGracePeriodSeconds, says) => {
    const staging = standardStage(
      { instances: 2, services: 0, group: { maxSize: 8 } },
      {
        environment: { CANARY },
        furnish(world) {
          world.state.readings.inGracePeriod = 'healthy';
          const service = { name: 'shop', desiredCount: 4, isLoadBalanced: true, mostTargets };
          world.addService('demo', { ...service, healthCheckGracePeriodSeconds });
        },
      },
    );
    const [said] = await keepInvoking(staging, 45);
    expect(said?.reason).toContain(says);
    expect(said?.reason).toContain('failed to register targets');
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBeUndefined();
    staging.invariants.assertHeld();
    serviceOf(staging.world, 'shop').mostTargets = 1000;
    staging.clock.advance(3600);
    await staging.invoke();
    await staging.finish(60);
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertFinished();
  },
);
