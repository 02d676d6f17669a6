import { describe, expect, test } from 'vitest';
import type { Readings } from '../simulated-aws/world/readings.ts';
import type { ServiceOptions } from '../simulated-aws/world/service-builder.ts';
import { launchedFrom, told } from './happenings.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const NEW = 'ami-00000000000000002';

/** ECS leaves a task alone for so long, whatever its health checks say. */
const GRACE = { healthCheckGracePeriodSeconds: 7200 } as const;
const CHECKED = { ...GRACE, definition: { checksHealth: true } } as const;
const BALANCED = { ...GRACE, isLoadBalanced: true } as const;

/** Across several, ECS would leave the canary without tasks of one service or the other. */
const IN_ONE_ZONE = { zones: ['a'] } as const;

function staged(
  service: Partial<ServiceOptions>,
  { furnish, ...options }: Partial<StageOptions> = {},
): Stage {
  return standardStage(
    { services: 1, group: IN_ONE_ZONE },
    {
      environment: { ...TRUE_DEFAULTS },
      furnish: (world) => {
        world.addService('demo', { name: 'shop', desiredCount: 4, ...service });
        furnish?.(world);
      },
      ...options,
    },
  );
}

describe.each(['not-healthy', 'healthy'] as const satisfies readonly Readings['inGracePeriod'][])(
  'an image on which tasks run and never serve, which ECS takes for %s in their grace period,',
  (inGracePeriod) => {
    test.each([
      ['by the checks of their containers', { ...CHECKED, minimumHealthyPercent: 50 }],
      ['by those of their load balancer', { ...BALANCED, minimumHealthyPercent: 50 }],
      ['while none may lack', BALANCED],
      ['by draining in place', { ...CHECKED, minimumHealthyPercent: 50 }, '0', 2],
    ])(
      'does not pass its trial, and the roll goes back: %s',
      async (_, service, MAX_SURGE = '', most = 1) => {
        const staging = staged(service, {
          expectations: { endings: ['rolled-back'] },
          environment: { ...TRUE_DEFAULTS, MAX_SURGE },
          furnish(world) {
            world.state.readings.inGracePeriod = inGracePeriod;
            world.faults.crashTasksOn({ imageId: NEW, service: 'shop', mode: 'fails-health-checks' });
          },
        });
        await staging.invoke();
        expect(await staging.finish(40)).toMatchObject([
          {
            state: 'rolled-back',
            reason: expect.stringMatching(/task of service shop runs on i-0+5 without serving/),
          },
        ]);
        // Those that drain in place come to the first replacement only later.
        expect(launchedFrom(staging.world, NEW).length).toBeLessThanOrEqual(most);
        staging.invariants.assertFinished();
      },
    );
  },
);

test.each([
  [4, 165],
  [5, 165],
  [6, 165],
  [3, 390],
])(
  'the only task of a service is known to be checked, whenever an invocation begins: %i instances, checks fail after %i s',
  async (instances, healthCheckSeconds) => {
    const staging = standardStage(
      { services: 0, instances, group: IN_ONE_ZONE },
      {
        environment: { ...TRUE_DEFAULTS, MAX_SURGE: '1' },
        lambdaSeconds: 900,
        delays: { healthCheckSeconds },
        expectations: { endings: ['rolled-back'] },
        furnish(world) {
          const one = { desiredCount: 1, minimumHealthyPercent: 0, maximumPercent: 100 };
          world.addService('demo', { name: 'shop', ...one, definition: { checksHealth: true } });
          world.faults.crashTasksOn({ imageId: NEW, service: 'shop', mode: 'fails-health-checks' });
        },
      },
    );
    await staging.invoke();
    await staging.finish(80);
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertFinished();
  },
);

describe('a service some of whose tasks ran without serving before', () => {
  test.each([
    ['one, by the checks of their containers', CHECKED, 1],
    ['one, by those of their load balancer', BALANCED, 1],
    ['all', BALANCED, 4],
  ])('does not hold the roll up: %s', async (_, service, count) => {
    const staging = staged(
      { ...service, minimumHealthyPercent: 50 },
      { furnish: (world) => world.faults.failChecks('shop', count) },
    );
    await staging.roll();
    expect(staging.endings).toEqual(['completed']);
  });
});

describe('a drain that is forced once its time is up', () => {
  const force = { CANARY: '0', ON_DRAIN_TIMEOUT: 'force', DRAIN_TIMEOUT_SECONDS: '1200' };

  test('stops none that still serve while the new image is suspected, and the roll goes back', async () => {
    const staging = staged(BALANCED, {
      expectations: { endings: ['rolled-back'] },
      environment: force,
      furnish: (world) =>
        world.faults.crashTasksOn({ imageId: NEW, service: 'shop', mode: 'fails-health-checks' }),
    });
    await staging.invoke();
    expect(await staging.finish(60)).toMatchObject([{ state: 'rolled-back' }]);
    expect(told(staging, / {2}stop /)).toEqual([]);
    staging.invariants.assertFinished();
  });
});
