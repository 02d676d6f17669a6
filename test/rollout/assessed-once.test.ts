import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { groupsOf } from './outcomes.ts';
import { type Outcome, type Stage, stage } from './stage.ts';

const FAMILY = 'amazon-linux-2023';

/** Two groups that need rolling, and a service that has tasks on both. */
function staged(): Stage {
  return stage({
    shortcut: true,
    furnish: (world) => {
      world.addCluster('demo');
      const image = world.release(FAMILY, { ageDays: 40 });
      for (const name of ['one', 'other'])
        world.addGroup({ name, cluster: 'demo', image, instances: 2, launchSpec: 'launch-template' });
      world.addService('demo', { name: 'web', desiredCount: 4 });
      world.release(FAMILY, { ageDays: 3 });
    },
  });
}

/** How often functions of `lambda/core` were called meanwhile, by name. */
async function counted(run: () => Promise<Outcome>) {
  // V8 counts no call of what it has compiled into its caller.
  setFlagsFromString('--no-opt');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const outcome = await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  setFlagsFromString('--opt');
  const called = result.filter(({ url }) => url.includes('/lambda/core/')).flatMap((each) => each.functions);
  const calls = (name: string) =>
    called
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  return { groups: groupsOf(outcome), calls };
}

// V8 may lose a count meanwhile, and never adds one.
const OPTIONS = { retry: 3 };

test('each group is assessed once a look, however much is read, decided and reported', OPTIONS, async () => {
  const { invoke } = staged();
  const { groups, calls } = await counted(() => invoke({ action: 'status' }));
  expect(groups.map(({ state }) => state)).toEqual(['planned', 'planned']);
  expect([calls('classify'), calls('outdatedSources'), calls('decideGroup')]).toEqual([2, 2, 2]);
});

test('a plan assesses it once more for each step it foresees', OPTIONS, async () => {
  const { invoke } = staged();
  const { groups, calls } = await counted(() => invoke({ action: 'plan' }));
  expect(groups.map(({ steps = [] }) => steps.length > 5)).toEqual([true, true]);
  // Each group's first step is decided from the result of the look.
  const assessed = calls('decideGroup') - groups.length;
  expect(assessed).toBeGreaterThan(20);
  expect([calls('classify'), calls('outdatedSources')]).toEqual([assessed, assessed]);
});
