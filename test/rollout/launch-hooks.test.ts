import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const HOUR = 3600;
const MINUTE = 60;

/** Two instances whose replacements a launch hook holds. */
function hooked(seconds: number, defaultResult: 'CONTINUE' | 'ABANDON', rest: Partial<StageOptions> = {}) {
  return stage({
    shortcut: true,
    ...rest,
    furnish(world) {
      const { group } = standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-template' });
      const hook = { name: 'bootstrap', transition: 'launching', seconds, defaultResult } as const;
      world.owner.addLifecycleHook(group.name, hook);
      rest.furnish?.(world);
    },
  });
}

/**
 * Invokes every five minutes until the roll is over, and returns its outcome and how many minutes it took.
 */
async function rollAll({ invoke, clock }: Stage) {
  const begun = clock.now();
  const minutes = () => Math.round((clock.now() - begun) / 60_000);
  for (let invocations = 0; invocations < 40; invocations++) {
    const outcome = await invoke(invocations === 0 ? { action: 'roll' } : { action: 'continue' });
    if (outcome.kind === 'killed') throw new Error('nobody was to be killed');
    const [group] = outcome.groups;
    if (group === undefined) throw new Error('no group');
    if (group.state !== 'in-progress') return { ...group, minutes: minutes() };
    clock.advance(5 * MINUTE);
  }
  throw new Error('the roll does not end');
}

test('a replacement that a launch hook holds for an hour is waited for, and its image is good', async () => {
  const staged = hooked(HOUR, 'CONTINUE');
  expect(await staged.invoke({ action: 'plan' })).toMatchObject({
    groups: [
      { warnings: [expect.stringContaining('launch hook bootstrap may hold each new instance for 3600 s')] },
    ],
  });
  expect(await rollAll(staged)).toMatchObject({ state: 'completed' });
  staged.invariants.assertFinished();
  expect(staged.log.join('\n')).toContain(
    'is Pending:Wait in the group, held by launch hook bootstrap for 3600 s',
  );
});

test('one that never registers fails once its time after the hook is up, not when the hook could end', async () => {
  const staged = hooked(10 * MINUTE, 'CONTINUE', {
    expectations: { endings: ['rolled-back'] },
    furnish: (world) => world.faults.spoilImage('ami-00000000000000002'),
  });
  const { state, minutes } = await rollAll(staged);
  expect(state).toBe('rolled-back');
  // Ten to be let go, fifteen to register; then as long for those of the old image.
  expect(minutes).toBeLessThan(60);
});

test('launches that a hook keeps abandoning fail the roll, which says so', async () => {
  const staged = hooked(20 * MINUTE, 'ABANDON', { expectations: { endings: ['rolled-back'] } });
  const outcomes = [await staged.invoke(), await staged.invoke({ action: 'continue' })];
  expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'answered']);
  for (let count = 0; count < 8; count++) {
    staged.clock.advance(5 * MINUTE);
    await staged.invoke({ action: 'continue' });
  }
  expect(staged.log.join('\n')).toMatch(/rollback, because .*(Lifecycle Action|bootstrap)/);
});

test('Windows gets twice as long to come up', async () => {
  const staged = stage({
    shortcut: true,
    delays: { agentSeconds: 20 * MINUTE },
    furnish(world) {
      const family = 'windows/2022-English-Core';
      world.addCluster('demo');
      const image = world.release(family, { ageDays: 40 });
      world.addGroup({
        name: 'demo-ecs',
        cluster: 'demo',
        image,
        instances: 1,
        launchSpec: 'launch-template',
      });
      world.addService('demo', { name: 'web', desiredCount: 1 });
      world.release(family, { ageDays: 3 });
    },
  });
  expect(await rollAll(staged)).toMatchObject({ state: 'completed' });
});
