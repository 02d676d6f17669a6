import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { only } from './outcomes.ts';
import { stage } from './stage.ts';

const staged = (capacityType: 'units' | 'vcpu' | 'memory-mib') =>
  stage({
    furnish: (world) => {
      const { group } = standardScenario({ world, instances: 2, services: 1 });
      group.capacityType = capacityType;
    },
  });

test.each(['vcpu', 'memory-mib'] as const)('a group with sizes in %s is left alone', async (type) => {
  const staging = staged(type);
  const said = only(await staging.invoke());
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining(`the group's sizes are in ${type}, not in instances`),
  });
  expect(staging.log.filter((line) => line.includes('tag group'))).toEqual([]);
  staging.invariants.assertHeld();
});

test('a group with sizes in units is rolled', async () => {
  const staging = staged('units');
  await staging.invoke();
  staging.invariants.assertFinished();
});
