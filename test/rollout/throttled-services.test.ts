import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import type { TaskFailure } from '../simulated-aws/world/ecs/stops.ts';
import { groupOf, isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const MINUTE = 60;

/** Its tasks start nowhere for so long; ECS tries again up to 27 minutes later. */
const staged = (mode: TaskFailure, minutes: number, options: Partial<StageOptions> = {}) => {
  const staging = standardStage({ instances: 3, version: '1', group: { zones: ['a'] } }, options);
  const { world, clock } = staging;
  once(world, isDrain, () => {
    world.faults.crashTasksOn({ service: 'web', mode });
    clock.schedule(minutes * MINUTE, () => world.faults.stopCrashing());
  });
  return staging;
};

const WAYS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  [' on trial', TRUE_DEFAULTS],
  [' without a surge', { MAX_SURGE: '0' }],
];

describe.each(['fails-to-start', 'image-gone'] as const)('a service that ECS throttles (%s)', (mode) => {
  test.each(WAYS)("%s holds a roll up, by name, and isn't the image's fault", async (_, environment) => {
    const staging = staged(mode, 20, { environment, expectations: { allowsFewerTargets: true } });
    await keepInvoking(staging, 80);
    await staging.invoke();
    await staging.finish(20);
    expect(told(staging, /(wait|blocked): .*tasks of service web stop by themselves/)).not.toEqual([]);
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBeUndefined();
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(serviceOf(staging.world, 'web').healthyCount).toBe(3);
    staging.invariants.assertFinished();
  });
});
