import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { testsFor } from '../sample/sampled.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, tagGroup } from './happenings.ts';
import { afterCall } from './outcomes.ts';
import { type StageOptions, standardStage } from './stage.ts';

type Way = [string, Partial<StageOptions>, group?: (world: World) => object];

const WAYS: readonly Way[] = [
  ['detached', {}],
  [
    'detached behind a load balancer',
    {},
    (world) => ({ targetGroupArns: [world.addTargetGroup({ name: 'web' }).arn], healthCheckType: 'ELB' }),
  ],
  ['ended by their group', { environment: { TERMINATE_HOOKS: 'run' }, expectations: { endsMembers: true } }],
  ['replaced in place', { environment: { MAX_SURGE: '0' }, expectations: { maxSurge: 0 } }],
];

const COURSES = { forward: 'completed', abort: 'aborted', rollback: 'rolled-back' } as const;

const ROWS = WAYS.flatMap(([name, ...way]) =>
  (['forward', 'abort', 'rollback'] as const).flatMap((course) =>
    [0, 1].flatMap((which) =>
      ([1, 2, 3] as const).map((nth) => [name, course, nth, which === 0 ? 'oldest' : 'newest', way] as const),
    ),
  ),
);

/**
 * What a group launches beyond its desired capacity, to end another for it, counts neither as the roll's nor
 * as a surplus: Capacity Rebalancing, a maximum lifetime and failed checks go on during a roll.
 */
describe('a member that its group ends once another serves', () => {
  test.each(testsFor(ROWS, 6, ([way, course]) => `${way} ${course}`))(
    'neither keeps a roll from its end nor leaves the group larger: %s, %s after drain %s, the %s',
    async (_, course, nth, which, [{ environment, expectations, ...options }, group]) => {
      const staging = standardStage(
        (world) => ({
          instances: 4,
          services: 1,
          group: { maxSize: 20, zones: ['a', 'b'], ...group?.(world) },
        }),
        {
          lambdaSeconds: 10_000,
          ...options,
          environment: { MAX_SURGE: '2', ...environment },
          expectations: {
            maxSurge: 2,
            surplus: 3,
            endings: [COURSES[course], 'completed'],
            ...expectations,
          },
          furnish: (world) => world.owner.launchFirst('demo-ecs'),
        },
      );
      const { world, clock } = staging;
      const happen = () => {
        const members = [...groupOf({ world }).members.values()];
        const serving = members.filter(({ lifecycleState }) => lifecycleState === 'InService');
        const one = which === 'oldest' ? serving[0] : serving.at(-1);
        if (one) world.faults.recommendRebalance(one.instance.id);
        if (course !== 'forward')
          clock.schedule(30, () => tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: course }));
      };
      await staging.invoke({ action: 'roll' }, [afterCall('UpdateContainerInstancesState', happen, nth)]);
      await staging.finish();
      staging.invariants.assertFinished();
      clock.advance(3600);
      expect(groupOf({ world }).members.size).toBe(4);
      expect(staging.account.bugs).toEqual([]);
    },
  );
});
