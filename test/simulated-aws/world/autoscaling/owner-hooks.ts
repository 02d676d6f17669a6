import { terminateInstance } from '../ec2/instances.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { decrement, increment } from './capacity.ts';
import { detachMember } from './detach.ts';
import { findGroup, groupWritten } from './groups.ts';
import { enterGroup, leaveGroup, type Membership, membershipOf, setLifecycleState } from './members.ts';
import type { Member } from './model.ts';
import { comeUp } from './service-entry.ts';

/** What owners do with single members, and to a group as a whole. */
export function memberOwnerHooks(state: State) {
  return {
    /** The desired capacity goes down with it, as is usual; so nothing is launched in its place. */
    enterStandby(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      setLifecycleState(state, group, member, 'Standby', 'owner');
      group.desiredCapacity--;
      groupWritten(state, group, 'owner');
    },

    exitStandby(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      setLifecycleState(state, group, member, 'InService', 'owner');
      group.desiredCapacity++;
      groupWritten(state, group, 'owner');
    },

    protectFromScaleIn(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      member.isProtectedFromScaleIn = true;
      groupWritten(state, group, 'owner');
    },

    /** The desired capacity goes up with it. Of what it was launched from, the group knows nothing. */
    attachInstance(groupName: string, instanceId: string) {
      const group = findGroup(state, groupName);
      const instance = runningInstance(state, instanceId);
      increment(state, group, 1, 'owner');
      const member = attachedMember(instance);
      enterGroup(state, group, member, 'owner');
      comeUp(state, { group, member });
    },

    /** @param decrements whether the desired capacity goes down with it, so that nothing is launched in its place */
    detachInstance(instanceId: string, { decrements = false } = {}) {
      const { group, member } = memberOrThrow(state, instanceId);
      if (decrements) decrement(state, group, 1, 'owner');
      detachMember(state, group, member, 'owner');
    },

    /** As by force: its members, and those of its warm pool, end with it. */
    deleteGroup(groupName: string) {
      const group = findGroup(state, groupName);
      state.groups.delete(groupName);
      for (const member of [...group.members.values(), ...(group.warmPool?.members.values() ?? [])]) {
        leaveGroup(state, group, member, 'owner');
        terminateInstance(state, member.instance, 'owner');
      }
    },
  };
}

const attachedMember = (instance: Instance): Member => ({
  instance,
  launchedFrom: undefined,
  hasOverridesImage: false,
  lifecycleState: 'Pending',
  healthStatus: 'Healthy',
  failsHealthCheck: false,
  isProtectedFromScaleIn: false,
});

function runningInstance(state: State, id: string): Instance {
  const instance = state.instances.get(id);
  if (instance?.state !== 'running') throw new Error(`${id} does not run`);
  if (membershipOf(state, instance)) throw new Error(`${id} is a member of a group already`);
  return instance;
}

export function memberOrThrow(state: State, id: string): Membership {
  const instance = state.instances.get(id);
  const found = instance && membershipOf(state, instance);
  if (!found) throw new Error(`${id} is a member of no group`);
  return found;
}
