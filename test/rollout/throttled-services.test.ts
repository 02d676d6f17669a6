import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import type { TaskFailure } from '../simulated-aws/world/ecs/stops.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { isDrain, keepInvoking, once, serviceOf, told } from './happenings.ts';
import { type StageOptions, stage, TRUE_DEFAULTS } from './stage.ts';

const MINUTE = 60;

/** Its tasks start nowhere for so long; ECS tries again up to 27 minutes later. */
const staged = (mode: TaskFailure, minutes: number, options: Partial<StageOptions> = {}) => {
  const staging = stage({
    shortcut: true,
    ...options,
    furnish(world) {
      const group = { zones: ['a'] } as const;
      const launchSpec = 'launch-template';
      standardScenario({ world, instances: 3, services: 2, launchSpec, version: '1', group });
    },
  });
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
    const group = staging.world.state.groups.get('demo-ecs');
    expect(group && textOn(group, GROUP_TAGS.rejected)).toBeUndefined();
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(serviceOf(staging.world, 'web').healthyCount).toBe(3);
    staging.invariants.assertFinished();
  });
});
