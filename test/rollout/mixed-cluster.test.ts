import { expect, it } from 'vitest';
import { EXCLUDE_TAG } from '../../lambda/contract.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import { keepInvoking, serviceOf, told } from './happenings.ts';
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
});

it.each(['described', 'failures'] as const)(
  'a task of no service that ECS found no place for holds no roll up: %s',
  async (tasksNeverPlaced) => {
    const made = rolled(0);
    made.world.state.readings.tasksNeverPlaced = tasksNeverPlaced;
    made.world.owner.runTaskThatFitsNowhere('demo');
    await made.roll();
  },
);

/**
 * "Fargate launch type to Amazon EC2 Auto Scaling group capacity provider", and from that of EC2.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/capacity-launch-type-comparison.html
 */
it.each(
  READINGS.strategyOfMoved.flatMap((strategyOfMoved) =>
    (['FARGATE', 'EC2'] as const).map((createdWith) => ({ createdWith, strategyOfMoved })),
  ),
)(
  'a service that moved from $createdWith to the group keeps its tasks when the image lacks what they need, its strategy $strategyOfMoved',
  async ({ createdWith, strategyOfMoved }) => {
    const requiresAttributes = ['ecs.capability.task-eni'];
    const made = stage({
      expectations: { endings: ['rolled-back'] },
      furnish(world) {
        world.state.readings.strategyOfMoved = strategyOfMoved;
        world.addCluster('demo', { capacityProviders: ['FARGATE'] });
        const image = world.release('amazon-linux-2023', { ageDays: 40 });
        world.addGroup({ name: 'demo-ecs', cluster: 'demo', image, instances: 4 });
        world.addCapacityProvider({ name: 'demo', cluster: 'demo', group: 'demo-ecs' });
        // It has what they need, but is of no provider.
        const other = world.addGroup({ name: 'other', cluster: 'demo', image, instances: 2 });
        other.tags.set(EXCLUDE_TAG, { value: 'true', propagatesAtLaunch: false });
        world.addService('demo', {
          name: 'moved',
          desiredCount: 4,
          minimumHealthyPercent: 50,
          capacityProvider: 'demo',
          createdWith,
          definition: { requiresAttributes },
        });
        world.release('amazon-linux-2023', { ageDays: 3, lackedCapabilities: requiresAttributes });
      },
    });
    await keepInvoking(made, 60);
    expect(told(made, /the new image lacks something: service moved needs/)).not.toEqual([]);
    expect(made.endings).toEqual(['rolled-back']);
    expect(serviceOf(made.world, 'moved').healthyCount).toBe(4);
  },
);
