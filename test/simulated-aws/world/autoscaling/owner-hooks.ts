import type { State } from '../state.ts';
import { completeActivity } from './activities.ts';
import { attachInstances } from './attach.ts';
import { decrement, wentFrom } from './capacity.ts';
import { detachMember } from './detach.ts';
import { deleteGroup } from './group-deletion.ts';
import { findGroup, groupWritten } from './groups.ts';
import { type Membership, membershipOf, setLifecycleState } from './members.ts';
import { moving } from './standby.ts';

/** What owners do with single members, and to a group as a whole. */
export function memberOwnerHooks(state: State) {
  return {
    /** The desired capacity goes down with it, as is usual; so nothing is launched in its place. */
    enterStandby(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      setLifecycleState(state, group, member, 'Standby', 'owner');
      const from = group.desiredCapacity--;
      completeActivity(state, moving(state, group, member, 'to standby', wentFrom(from, group)));
      groupWritten(state, group, 'owner');
    },

    exitStandby(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      setLifecycleState(state, group, member, 'InService', 'owner');
      const from = group.desiredCapacity++;
      completeActivity(state, moving(state, group, member, 'out of standby', wentFrom(from, group)));
      groupWritten(state, group, 'owner');
    },

    protectFromScaleIn(instanceId: string) {
      const { group, member } = memberOrThrow(state, instanceId);
      member.isProtectedFromScaleIn = true;
      groupWritten(state, group, 'owner');
    },

    /** The desired capacity goes up with it. Of what it was launched from, the group knows nothing. */
    attachInstance(groupName: string, instanceId: string) {
      attachInstances(state, findGroup(state, groupName), [instanceId], 'owner');
    },

    /**
     * @param decrements whether the desired capacity goes down with it, so that nothing is launched in its
     * place
     */
    detachInstance(instanceId: string, { decrements = false } = {}) {
      const { group, member } = memberOrThrow(state, instanceId);
      const resize = decrements ? decrement(state, group, [member], 'owner') : '';
      detachMember(state, group, member, 'owner', resize);
    },

    deleteGroup(groupName: string) {
      deleteGroup(state, findGroup(state, groupName), 'owner');
    },
  };
}

export function memberOrThrow(state: State, id: string): Membership {
  const instance = state.instances.get(id);
  const found = instance && membershipOf(state, instance);
  if (!found) throw new Error(`${id} is a member of no group`);
  return found;
}
