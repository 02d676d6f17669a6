import { expect, test } from 'vitest';
import { completeAction } from '../simulated-aws/world/autoscaling/lifecycle-hooks.ts';
import { isDrain, keepInvoking, once, oneGroup, told } from './happenings.ts';
import { type StageOptions, stage, standardStage } from './stage.ts';

const HOUR = 3600;
const MINUTE = 60;

/** Two instances whose replacements a launch hook holds. */
function hooked(seconds: number, defaultResult: 'CONTINUE' | 'ABANDON', rest: Partial<StageOptions> = {}) {
  return standardStage(
    { instances: 2, services: 1 },
    {
      ...rest,
      furnish(world) {
        const hook = { name: 'bootstrap', transition: 'launching', seconds, defaultResult } as const;
        world.owner.addLifecycleHook('demo-ecs', hook);
        rest.furnish?.(world);
      },
    },
  );
}

test('a replacement that a launch hook holds for an hour is waited for, and its image is good', async () => {
  const staged = hooked(HOUR, 'CONTINUE');
  expect(await staged.invoke({ action: 'plan' })).toMatchObject({
    groups: [
      { warnings: [expect.stringContaining('launch hook bootstrap may hold each new instance for 3600 s')] },
    ],
  });
  expect(await staged.roll()).toMatchObject([{ state: 'completed' }]);
  expect(staged.log.join('\n')).toContain(
    'is Pending:Wait in the group, held by launch hook bootstrap for 3600 s',
  );
});

test('one that never registers fails once its time after the hook is up, not when the hook could end', async () => {
  const staged = hooked(10 * MINUTE, 'CONTINUE', {
    expectations: { endings: ['rolled-back'] },
    furnish: (world) => world.faults.spoilImage('ami-00000000000000002'),
  });
  const begun = staged.clock.now();
  expect(await staged.roll()).toMatchObject([{ state: 'rolled-back' }]);
  // Ten minutes to be let go, fifteen to register; then as long for those of the old image.
  expect(staged.clock.now() - begun).toBeLessThan(3_600_000);
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
      oneGroup(world, { family: 'windows/2022-English-Core', instances: 1, tasks: 1 });
    },
  });
  expect(await staged.roll()).toMatchObject([{ state: 'completed' }]);
});

test('a launch that a hook abandoned says nothing of the image once another came into service', async () => {
  const staged = hooked(HOUR, 'ABANDON', { environment: { MAX_SURGE: '1' } });
  const { world, clock } = staged;
  const results = ['ABANDON', 'CONTINUE'] as const;
  let count = 0;
  world.subscribe((event) => {
    if (event.kind !== 'lifecycle-action') return;
    const result = results[count++] ?? 'CONTINUE';
    clock.schedule(20, () => completeAction(event.member, 'bootstrap', result));
  });
  const message = 'We currently do not have sufficient m5.large capacity in the Availability Zone';
  // The first member drains for the one that came after the abandoned one.
  once(world, isDrain, () => world.faults.failLaunches('demo-ecs', { message }));
  const [said] = await keepInvoking(staged, 60);
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(message) });
  expect(told(staged, /rolls back/)).toEqual([]);
  world.faults.failLaunches('demo-ecs', { message, count: 0 });
  await staged.finish(40);
  staged.invariants.assertFinished();
});
