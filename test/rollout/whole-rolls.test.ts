import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

test.each([1, 4, 45, 250])('rolls a group of %i by launch configuration', async (instances) => {
  const t0 = Date.now();
  const { invoke, finish, invariants, account, log, world, clock } = stage({
    furnish: (world) => standardScenario({ world, instances, services: 3, launchSpec: 'launch-configuration' }),
  });
  const s = clock.now();
  const o = await invoke();
  if (instances < 10) console.log(log.join('\n'));
  console.log(JSON.stringify(o.kind === 'answered' && o.groups));
  const r = await finish();
  console.log(JSON.stringify(r), Date.now() - t0, 'ms', (clock.now() - s) / 60000, 'min', account.calls.log.length, JSON.stringify(invariants.metrics()));
  console.log(invariants.violations.slice(0,5), account.bugs);
  invariants.assertFinished();
  expect(world).toBeDefined();
});
