import { INSTANCE_TAGS } from '../../../lambda/contract.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { isAlive } from '../world/ec2/model.ts';
import type { Listener } from '../world/events.ts';
import { groupsInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** 4. What scales a group by its use doesn't make it smaller while instances are replaced, and so stand empty for a while. */
export function watchKeptWhole(watch: Watch, ledger: Ledger): Listener {
  const sizes = new Map<Group, number>();
  for (const group of groupsInScope(watch)) sizes.set(group, group.desiredCapacity);
  return (event) => {
    if (event.kind !== 'group-written') return;
    const { group, cause } = event;
    const before = sizes.get(group);
    if (before === undefined) return;
    sizes.set(group, group.desiredCapacity);
    if (cause !== 'group' || group.desiredCapacity >= before) return;
    const replaced = [...watch.state.instances.values()].filter(
      (instance) => isAlive(instance) && instance.tags.get(INSTANCE_TAGS.group) === group.name,
    );
    ledger.expect(
      4,
      replaced.length === 0,
      () =>
        `${group.name} was scaled in from ${before} to ${group.desiredCapacity} in the middle of its roll`,
    );
  };
}
