import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { targetGroupArn } from '../simulated-aws/world/ecs/target-groups.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { writes } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

const SURGES: readonly Readonly<Record<string, string>>[] = [{}, { MAX_SURGE: '1' }];
const ZONE = 'eu-central-1b';

/** Four instances in two zones, behind a target group of their own, with tasks of one service in both. */
function staged(environment: Readonly<Record<string, string>>): Stage {
  return standardStage(
    (world) => ({
      instances: 4,
      services: 1,
      version: '1',
      group: { zones: ['a', 'b'], maxSize: 8, targetGroupArns: [world.addTargetGroup({ name: 'own' }).arn] },
    }),
    { shortcut: true, environment },
  );
}

const OF = {
  'the service': (world: World) => targetGroupArn(serviceOf(world, 'web')),
  'the group': ({ state }: World) => [...state.loadBalancing.targetGroups.keys()][0] ?? '',
} as const;

describe.each(['the service', 'the group'] as const)('a zonal shift of the load balancer of %s', (whose) => {
  test.each(SURGES)('lets no roll begin, until it is over, with %j', async (environment) => {
    const staging = staged(environment);
    const { world, clock, account } = staging;
    world.loadBalancing.shiftZone(OF[whose](world), ZONE);
    clock.advance(60);
    const [said] = await keepInvoking(staging, 20);
    const from = whose === 'the group' ? 'own' : 'web';
    expect(said).toMatchObject({ state: 'blocked', code: 'zone-shifted' });
    expect(said?.reason).toMatch(`a zonal shift moves requests to ${from} away from a zone`);
    expect(writes(account.calls.log)).toEqual([]);
    world.loadBalancing.shiftZone(OF[whose](world));
    await staging.roll();
    expect(staging.endings).toEqual(['completed']);
  });

  test.each(SURGES)(
    'holds up a roll that has begun, by no fault of the image, with %j',
    async (environment) => {
      const staging = staged(environment);
      const { world } = staging;
      once(
        world,
        ({ kind }) => kind === 'instance-terminated',
        () => world.loadBalancing.shiftZone(OF[whose](world), ZONE),
      );
      const [said] = await keepInvoking(staging, 60);
      expect(said).toMatchObject({
        state: 'blocked',
        reason: expect.stringMatching(/is zonal_shift_active in/),
      });
      expect(told(staging, /rolls back/)).toEqual([]);
      expect(textOn(groupOf({ world }), GROUP_TAGS.rejected)).toBeUndefined();
      staging.invariants.assertHeld();
      world.loadBalancing.shiftZone(OF[whose](world));
      await staging.finish(40);
      expect(staging.endings).toEqual(['completed']);
      staging.invariants.assertFinished();
    },
  );
});
