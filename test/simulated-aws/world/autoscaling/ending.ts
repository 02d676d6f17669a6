import type { Activity } from '@aws-sdk/client-auto-scaling';
import { terminateInstance } from '../ec2/instances.ts';
import { isAlive } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { closeActivities, recordActivity } from './activities.ts';
import { drainConnections, isServing } from './connection-draining.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { leaveGroup, setLifecycleState } from './members.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

interface Reason {
  /** Such as `a user request`. */
  readonly why: string;
  readonly cause: Cause;
}

/**
 * Removes a member and its instance, which keeps running, though it no longer counts, while its load
 * balancers deregister it and hooks hold it.
 */
export function endMember(state: State, group: Group, member: Member, { why, cause }: Reason): Activity {
  const wasServing = isServing(group, member) && isAlive(member.instance);
  setLifecycleState(state, group, member, 'Terminating', cause);
  const activity = recordActivity(state, group, {
    Description: `Terminating EC2 instance: ${member.instance.id}`,
    Cause: `${cause === 'group' ? group.resizedBy : ''}An instance was taken out of service in response to ${why}.`,
    StatusCode: 'InProgress',
  });
  activity.Progress = 0;
  drainConnections(state, wasServing, activity, () => {
    const isGone = () => member.instance.state === 'terminated';
    const terminate = () =>
      isGone() ? removeEnded(state, group, member) : terminateInstance(state, member.instance, cause);
    const abandoned = () => (group.retainsAbandoned ? retain(state, group, member) : terminate());
    if (isAlive(member.instance) || state.readings.goneAtHook === 'held')
      passHooks(state, { group, member }, 'Terminating', cause, { proceed: terminate, abandoned });
    else if (isGone()) removeEnded(state, group, member);
  });
  return activity;
}

/** Its instance is terminated, so it is nobody's member any longer. */
export function removeEnded(state: State, group: Group, member: Member) {
  if (group.members.get(member.instance.id) !== member) return;
  leaveGroup(state, group, member, 'group');
  closeActivities(state, group, member.instance);
  touchGroup(state, group);
}

/**
 * It runs on, and counts to nothing, until it is terminated by a call.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
 */
function retain(state: State, group: Group, member: Member) {
  setLifecycleState(state, group, member, 'Terminating:Retained', 'group');
  closeActivities(state, group, member.instance);
}
