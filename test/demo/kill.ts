import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Call, Interceptor } from '../simulated-aws/account/call.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { KillAt } from './options.ts';

/** Half-way: half of the old instances are ended, and the next has just begun to drain. */
export function killHalfway(world: World, instances: number, kill: () => void): void {
  const drained = new Set<string>();
  world.subscribe((event) => {
    if (event.kind !== 'container-instance-changed' || event.cause !== 'call') return;
    const { containerInstance } = event;
    if (containerInstance.status !== 'DRAINING') return;
    drained.add(containerInstance.arn);
    if (drained.size === Math.floor(instances / 2) + 1) kill();
  });
}

/** As the roll turns back: that is written down, and nothing of it is done yet. */
export function killTurningBack(world: World, group: Group, kill: () => void): void {
  const unsubscribe = world.subscribe((event) => {
    if (event.kind !== 'called' || !group.tags.get(GROUP_TAGS.course)?.value.startsWith('rollback')) return;
    unsubscribe();
    kill();
  });
}

/** After a number of calls: the last has its effect, and nobody is there to be told. */
export function killAfterCalls(killAt: KillAt, kill: () => void): Interceptor {
  return {
    after({ number }: Call) {
      if (killAt.kind === 'calls' && number === killAt.calls) kill();
    },
  };
}
