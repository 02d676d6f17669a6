import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { atNow, completeActivity, recordActivity } from './activities.ts';
import { drainConnections, isServing } from './connection-draining.ts';
import { leaveGroup, setLifecycleState } from './members.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

/**
 * Takes a member out of its group, past all hooks: it runs on, is nobody's, and the group fills the gap where
 * there is one. One in Standby leaves none.
 *
 * @param resize what the activity says of the size
 */
export function detachMember(
  state: State,
  group: Group,
  member: Member,
  cause: Cause,
  resize: string,
): Activity {
  const { instance } = member;
  const wasServing = isServing(group, member);
  setLifecycleState(state, group, member, 'Detaching', cause);
  member.isProtectedFromScaleIn = false;
  const activity = recordActivity(state, group, {
    Description: `Detaching EC2 instance: ${instance.id}`,
    Cause: `${atNow(state)} instance ${instance.id} was detached in response to a user request${resize}.`,
    Details: JSON.stringify({ 'Availability Zone': instance.availabilityZone }),
    StatusCode: 'InProgress',
  });
  state.emit({ kind: 'member-detaching', group, instance, cause });
  touchGroup(state, group);
  drainConnections(state, wasServing, activity, () => {
    state.after('detachSeconds', () => {
      // It may have gone with its group meanwhile.
      if (group.members.get(instance.id) === member) leaveGroup(state, group, member, cause);
      completeActivity(state, activity);
    });
  });
  return activity;
}
