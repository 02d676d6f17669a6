import { describe, expect, test } from 'vitest';
import { AWS_DEFAULTS } from '../simulated-aws/world/delays.ts';
import type { ServiceOptions } from '../simulated-aws/world/service-builder.ts';
import { isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

/** A task of it fills an instance, beside a daemon's. */
const BIG: ServiceOptions = {
  name: 'big',
  desiredCount: 3,
  cpu: 1700,
  isLoadBalanced: true,
  minimumHealthyPercent: 50,
};

/** Without a surge one instance has to be free for a task that moves. */
const WAYS: readonly (readonly [string, number, Partial<StageOptions>])[] = [
  ['by detaching', 3, {}],
  ['several at once', 3, { environment: { DRAIN_CONCURRENCY: '3' }, expectations: { drainConcurrency: 3 } }],
  ['without a surge', 2, { environment: { MAX_SURGE: '0' }, expectations: { inPlace: true } }],
];

describe.each(['free', 'taken'] as const)('where the room of stopping tasks is %s', (roomOfStopping) => {
  const staged = (service: ServiceOptions, options: Partial<StageOptions> = {}): Stage =>
    standardStage(
      { instances: 3, services: 0, version: '1' },
      {
        delays: AWS_DEFAULTS,
        ...options,
        furnish(world) {
          world.state.readings.roomOfStopping = roomOfStopping;
          world.addService('demo', service);
        },
      },
    );

  test.each(WAYS)('tasks that fill instances move, %s', async (_, desiredCount, options) => {
    const staging = staged({ ...BIG, desiredCount }, options);
    await staging.invoke();
    await staging.finish(30);
    expect(serviceOf(staging.world, 'big').healthyCount).toBe(desiredCount);
    staging.invariants.assertFinished();
  });

  test.each(WAYS)('tasks that need an instance each move, %s', async (_, desiredCount, options) => {
    const staging = staged({ ...BIG, desiredCount, cpu: 128, distinctInstance: true }, options);
    await staging.invoke();
    await staging.finish(30);
    expect(serviceOf(staging.world, 'big').healthyCount).toBe(desiredCount);
    staging.invariants.assertFinished();
  });

  test('a deployment in mid-roll, whose tasks wait for those before them, is waited for', async () => {
    const staging = staged({ ...BIG, maximumPercent: 100 });
    once(staging.world, isDrain, () => staging.world.owner.startDeployment('big'));
    await keepInvoking(staging, 60);
    await staging.finish(30);
    expect(told(staging, /rolls back|gives up/)).toEqual([]);
    staging.invariants.assertFinished();
  });
});
