import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { groupsInScope } from '../simulated-aws/invariants/expectations.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { isAlive } from '../simulated-aws/world/ec2/model.ts';
import { isForged } from './forged.ts';

/**
 * 4. Nothing that scales a group by its use shrinks it while instances are replaced, and so are empty for a
 * while. Members that a policy or a person has added meanwhile may go again: nobody counts on them.
 */
export const keptWhole: OwnInvariant = {
  number: 4,
  watch(watch, ledger) {
    /** As large as it was when the first instance was chosen, with what calls have made of it since. */
    const wholes = new Map<Group, number>();
    const seen = new Map<Group, number>();
    for (const group of groupsInScope(watch)) seen.set(group, group.desiredCapacity);
    const isReplaced = (group: Group) =>
      [...watch.state.instances.values()].some(
        (instance) =>
          isAlive(instance) &&
          instance.launchedBy === group &&
          instance.tags.has(INSTANCE_TAGS.group) &&
          !isForged(watch.state, instance),
      );
    /** ECS ends what never registers, rather than what is empty. */
    const isGivenUp = ({ members }: Group) =>
      watch.state.readings.unregisteredMembers === 'given-up' &&
      [...members.values()].some(({ instance }) => instance.containerInstance === undefined);
    return (event) => {
      if (event.kind !== 'group-written') return;
      const { group, cause } = event;
      const { desiredCapacity } = group;
      const before = seen.get(group);
      if (before === undefined) return;
      seen.set(group, desiredCapacity);
      if (!isReplaced(group)) return void wholes.set(group, desiredCapacity);
      const whole = wholes.get(group) ?? before;
      if (cause === 'call') wholes.set(group, whole + desiredCapacity - before);
      else if (cause === 'owner' || isGivenUp(group)) wholes.set(group, Math.min(whole, desiredCapacity));
      else if (desiredCapacity < before)
        ledger.expect(
          4,
          desiredCapacity >= whole,
          () => `${group.name} was scaled in from ${before} to ${desiredCapacity} in the middle of its roll`,
        );
    };
  },
};
