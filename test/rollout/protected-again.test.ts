import { expect, it } from 'vitest';
import { stage } from './stage.ts';

it('tasks that protect themselves again and again: the roll is blocked in time, and names service and task', async () => {
  const made = stage({
    furnish(world) {
      world.addCluster('demo');
      const image = world.release('amazon-linux-2023', { ageDays: 40 });
      world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 2 });
      const worker = world.addService('demo', { name: 'worker', desiredCount: 4 });
      const protectAll = () => {
        for (const { arn } of worker.tasks) world.owner.protectTask(arn, 10);
        world.state.clock.schedule(300, protectAll);
      };
      protectAll();
      world.release('amazon-linux-2023', { ageDays: 3 });
    },
  });
  await made.invoke();
  for (let count = 0; count < 3; count++) {
    made.clock.advance(300);
    await made.invoke({ action: 'continue' });
  }
  const blocked = made.log.filter((line) => line.includes('blocked:'));
  const turn = made.log.find((line) => line.includes('drains next') || line.includes('protected until'));
  expect(turn).toBeDefined();
  expect(blocked[0]).toMatch(/service worker on i-\w+ (is|are) protected until .*\(\w+/);
  const at = (line = '') => Date.parse(`2026-11-21T${line.slice(0, 8)}Z`);
  expect((at(blocked[0]) - at(turn)) / 1000).toBeLessThan(1800 + 400);
  made.invariants.assertHeld();
});
