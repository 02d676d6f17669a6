import { DescribeServicesCommand, DescribeTasksCommand, ListTasksCommand } from '@aws-sdk/client-ecs';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import type { ServiceOptions } from '../service-builder.ts';
import type { WorldOptions } from '../state.ts';
import { createWorld } from '../world.ts';
import type { ContainerInstance } from './model.ts';

/** Three instances of the cluster `demo`, and a service `web` with a task on each. */
export function setUpService(
  options: Partial<ServiceOptions> = {},
  { delays }: Pick<WorldOptions, 'delays'> = {},
) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1, delays });
  const cluster = world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 3 });
  const service = world.addService('demo', { name: 'web', desiredCount: 3, ...options });
  const [first] = cluster.containerInstances.values();
  const [task] = first?.tasks ?? [];
  if (!first || !task) throw new Error('no task');
  const call = directCalls(world);
  return {
    clock,
    world,
    cluster,
    image,
    group,
    service,
    /** One of the container instances, and the service's task on it. */
    first,
    task,
    call,
    drain: (one: ContainerInstance) => world.owner.setContainerInstanceStatus(one.instance.id, 'DRAINING'),
    list: (query: object) => call(ListTasksCommand, { cluster: 'demo', ...query }).taskArns ?? [],
    describeTasks: (tasks: string[]) => call(DescribeTasksCommand, { cluster: 'demo', tasks }).tasks ?? [],
    describeService: () =>
      call(DescribeServicesCommand, { cluster: 'demo', services: ['web'] }).services?.[0],
  };
}
