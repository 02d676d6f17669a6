import { expect, it } from 'vitest';
import { stage } from './stage.ts';

/** A cluster with 20 tasks on instances, and many on Fargate. */
function rolled(fargate: number) {
  return stage({
    furnish(world) {
      world.addCluster('demo', { capacityProviders: ['FARGATE'] });
      const image = world.release('amazon-linux-2023', { ageDays: 40 });
      world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 4 });
      world.addService('demo', { name: 'web', desiredCount: 20, isLoadBalanced: true });
      if (fargate > 0)
        world.addService('demo', { name: 'serverless', desiredCount: fargate, launchType: 'FARGATE' });
      world.release('amazon-linux-2023', { ageDays: 3 });
    },
  });
}

async function callsOf(fargate: number): Promise<number> {
  const made = rolled(fargate);
  await made.roll();
  return made.account.calls.log.filter(({ operation }) => /^(ListTasks|DescribeTasks)$/.test(operation))
    .length;
}

it('tasks on Fargate in the same cluster are listed once an invocation at most', async () => {
  const pages = 5000 / 100;
  expect(await callsOf(5000)).toBeLessThanOrEqual((await callsOf(0)) + 2 * pages);
}, 120_000);

it.each(['described', 'failures'] as const)(
  'a task of no service that ECS found no place for holds no roll up: %s',
  async (tasksNeverPlaced) => {
    const made = rolled(0);
    made.world.state.readings.tasksNeverPlaced = tasksNeverPlaced;
    made.world.owner.runTaskThatFitsNowhere('demo');
    await made.roll();
  },
);
