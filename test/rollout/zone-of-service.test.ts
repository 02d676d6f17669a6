import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { groupOf, keepInvoking, serviceOf, told } from './happenings.ts';
import { standardStage } from './stage.ts';

/** The group has no member there yet: the next launch goes to the zone that has the fewest. */
const ZONE = 'eu-central-1c';

test.each([
  [{ CANARY: '1' }, 100],
  [{ CANARY: '0' }, 100],
  [{ CANARY: '1' }, 50],
])(
  'tasks that never serve in a zone which their load balancer is not enabled in are no fault of the image, with %j and %i percent',
  async (environment, minimumHealthyPercent) => {
    const staging = standardStage(
      { instances: 2, services: 0, group: { zones: ['a', 'b'], maxSize: 8 } },
      {
        environment: { ...environment, TERMINATE_HOOKS: 'run' },
        furnish(world) {
          const service = { name: 'shop', desiredCount: 4, isLoadBalanced: true, minimumHealthyPercent };
          world.addService('demo', { ...service, disabledZones: new Set([ZONE]) });
          groupOf({ world }).zones = ['a', 'b', 'c'];
        },
      },
    );
    const [said] = await keepInvoking(staging, 75);
    expect(said?.reason).toMatch(
      /in an Availability Zone that is not enabled.*: enable the load balancer in that zone/,
    );
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBeUndefined();
    staging.invariants.assertHeld();
    serviceOf(staging.world, 'shop').disabledZones.clear();
    await staging.invoke();
    await staging.finish(60);
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertFinished();
  },
);
