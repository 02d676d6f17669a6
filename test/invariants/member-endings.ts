import { isInScope } from '../simulated-aws/invariants/expectations.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { Group, Member } from '../simulated-aws/world/autoscaling/model.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import { registrationsOf } from '../simulated-aws/world/ecs/agents.ts';

/**
 * 2. No call terminates a member past its group, which would notice only afterwards; nor through the group,
 * unless that is the strategy, and the member takes no tasks any more.
 */
export const memberEndings: OwnInvariant = {
  number: 2,
  watch(watch, ledger) {
    const { maxSurge, inPlace = maxSurge === 0, endsMembers = inPlace } = watch.expectations;
    const mayEnd = (instance: Instance) => endsMembers || watch.customs.isTakenBack(instance);

    const checkPastGroup = (group: Group, instance: Instance) =>
      ledger.expect(
        2,
        group.members.get(instance.id)?.lifecycleState !== 'InService',
        () => `${instance.id} was terminated as a member of ${group.name}, InService`,
      );
    const checkByGroup = (group: Group, { instance }: Member) => {
      if (instance.state !== 'running') return;
      const told = () => `${instance.id} was ended by ${group.name}, though members are to be detached`;
      ledger.expect(2, mayEnd(instance), told);
      const takesTasks = registrationsOf(instance).some(({ status }) => status === 'ACTIVE');
      ledger.expect(2, !takesTasks, () => `${instance.id} was ended by ${group.name}, ACTIVE`);
    };

    return (event) => {
      if (!('cause' in event) || event.cause !== 'call') return;
      if (event.kind === 'instance-terminating' && isInScope(watch, event.instance.launchedBy))
        checkPastGroup(event.instance.launchedBy, event.instance);
      if (event.kind !== 'member-changed' || !isInScope(watch, event.group)) return;
      if (event.member.lifecycleState === 'Terminating') checkByGroup(event.group, event.member);
    };
  },
};
