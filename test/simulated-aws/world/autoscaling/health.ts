import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { endMember } from './ending.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

/**
 * A health check of a member fails, EC2's or, where the group asks for it, a load balancer's. The group replaces the
 * member, unless HealthCheck, ReplaceUnhealthy or Terminate is suspended; and makes up for it when that is resumed.
 */
export function markUnhealthy(state: State, group: Group, member: Member) {
  if (member.failsHealthCheck) return;
  member.failsHealthCheck = true;
  checkHealth(group);
  touchGroup(state, group);
}

/** The check passes again. A member that was found Unhealthy meanwhile stays so: nothing but a call makes it Healthy. */
export function passHealthCheck(member: Member) {
  member.failsHealthCheck = false;
}

/** Nobody looks at a member in Standby, nor at one that leaves. */
const isChecked = ({ lifecycleState }: Member) =>
  lifecycleState === 'InService' || lifecycleState.startsWith('Pending');

export function checkHealth({ members, suspendedProcesses }: Group) {
  if (suspendedProcesses.has('HealthCheck')) return;
  for (const member of members.values()) {
    const isFailing = member.failsHealthCheck || !isAlive(member.instance);
    if (isFailing && isChecked(member)) member.healthStatus = 'Unhealthy';
  }
}

export function replaceUnhealthy(state: State, group: Group) {
  const { suspendedProcesses: suspended } = group;
  if (suspended.has('ReplaceUnhealthy') || suspended.has('Terminate')) return;
  for (const member of group.members.values())
    if (member.healthStatus === 'Unhealthy' && isChecked(member))
      endMember(state, group, member, { why: 'a failed health check', cause: 'group' });
}
