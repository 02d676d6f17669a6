import { UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { only, writes } from './outcomes.ts';
import { stage } from './stage.ts';

const segments = (world: World) =>
  directCalls(world)(UpdateAutoScalingGroupCommand, {
    AutoScalingGroupName: 'demo-ecs',
    MixedInstancesPolicy: {
      InstancesDistribution: { DistributionSegments: [{ TargetCapacityTypes: ['on-demand'] }] },
    },
  });

const setFigure = (world: World, OnDemandPercentageAboveBaseCapacity: number) =>
  directCalls(world)(UpdateAutoScalingGroupCommand, {
    AutoScalingGroupName: 'demo-ecs',
    MixedInstancesPolicy: { InstancesDistribution: { OnDemandPercentageAboveBaseCapacity } },
  });

function distributionOf({ state }: World) {
  const spec = state.groups.get('demo-ecs')?.launchSpec;
  if (spec?.kind !== 'mixed-instances') throw new Error('no policy');
  return spec.distribution;
}

const mixed = (prepare?: (world: World) => void) =>
  stage({
    furnish(world) {
      standardScenario({ world, instances: 2, services: 1, launchSpec: 'mixed-instances', version: '1' });
      prepare?.(world);
    },
  });

describe("a mixed instances policy's distribution", () => {
  test('keeps its segments in a roll', async () => {
    const { invoke, invariants, world } = mixed(segments);
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    expect(distributionOf(world)).toMatchObject({ DistributionSegments: [{}] });
    invariants.assertFinished();
  });

  test('keeps a figure that its owner sets while the roll changes the policy', async () => {
    const { invoke, invariants, world } = mixed();
    let isSet = false;
    const once: Interceptor = {
      before({ operation, input }) {
        if (isSet || operation !== 'UpdateAutoScalingGroup' || !('MixedInstancesPolicy' in input)) return;
        isSet = true;
        setFigure(world, 40);
      },
    };
    expect(only(await invoke({ action: 'roll' }, [once]))).toMatchObject({ state: 'completed' });
    expect(distributionOf(world)).toMatchObject({ OnDemandPercentageAboveBaseCapacity: 40 });
    invariants.assertFinished();
  });
});

test.each(['launch-configuration', 'launch-template', 'mixed-instances'] as const)(
  'a group whose unset members are empty elements is rolled: %s',
  async (launchSpec) => {
    const { invoke, invariants, world } = stage({
      // The SDK itself has to read those elements.
      shortcut: false,
      furnish(world) {
        world.state.readings.writesUnset = 'empty-elements';
        standardScenario({ world, instances: 2, services: 1, launchSpec, version: '1' });
      },
    });
    expect(only(await invoke())).toMatchObject({ state: 'completed' });
    expect(world.state.groups.get('demo-ecs')).toMatchObject({ desiredCapacity: 2 });
    invariants.assertFinished();
  },
);

test('a group that an operator manages is skipped, and nothing of it is changed', async () => {
  const { invoke, order, account, invariants } = stage({
    furnish(world) {
      const group = { operator: 'eks.amazonaws.com' };
      standardScenario({ world, instances: 2, services: 1, group });
    },
  });
  const skipped = {
    state: 'skipped',
    reason: expect.stringContaining('eks.amazonaws.com manages the group, and only it may change it'),
  };
  expect(only(await invoke())).toMatchObject(skipped);
  expect(only(await invoke({ action: 'plan' }))).toMatchObject(skipped);
  const ordered = await order({ action: 'pause' });
  expect(ordered).toMatchObject({ groups: [{ group: 'demo-ecs', state: 'nothing-to-do' }, { group: '*' }] });
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
});
