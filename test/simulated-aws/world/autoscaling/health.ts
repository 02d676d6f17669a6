import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { launchFirst } from './az-rebalance.ts';
import { endMember } from './ending.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

/**
 * A health check of a member fails, EC2's or, where the group asks for it, a load balancer's. The group
 * replaces the member, unless HealthCheck, ReplaceUnhealthy or Terminate is suspended; and makes up for it
 * when that is resumed.
 *
 * @param check as its activity names it
 */
export function markUnhealthy(state: State, group: Group, member: Member, check = 'a failed health check') {
  if (member.failsHealthCheck) return;
  member.failsHealthCheck = check;
  checkHealth(state, group);
  touchGroup(state, group);
  const graceSeconds = secondsOfGrace(state, group, member);
  if (graceSeconds > 0) state.clock.schedule(graceSeconds, () => touchGroup(state, group));
}

/**
 * The check passes again. A member that was found Unhealthy meanwhile stays so: nothing but a call makes it
 * Healthy.
 */
export function passHealthCheck(member: Member) {
  member.failsHealthCheck = false;
}

/** Nobody looks at a member in Standby, nor at one that leaves. */
const isChecked = ({ lifecycleState }: Member) =>
  lifecycleState === 'InService' || lifecycleState.startsWith('Pending');

export function checkHealth(state: State, group: Group) {
  if (group.suspendedProcesses.has('HealthCheck')) return;
  for (const member of group.members.values()) {
    const isFailing = member.failsHealthCheck && secondsOfGrace(state, group, member) <= 0;
    if ((isFailing || !isAlive(member.instance)) && isChecked(member)) member.healthStatus = 'Unhealthy';
  }
}

/**
 * An instance that doesn't run has none:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/health-check-grace-period.html
 */
export function secondsOfGrace({ clock }: State, group: Group, { inServiceAtMs = 0 }: Member): number {
  return group.healthCheckGraceSeconds - (clock.now() - inServiceAtMs) / 1000;
}

export function replaceUnhealthy(state: State, group: Group) {
  const { suspendedProcesses: suspended } = group;
  if (suspended.has('ReplaceUnhealthy') || suspended.has('Terminate')) return;
  for (const member of group.members.values()) {
    if (member.healthStatus !== 'Unhealthy' || !isChecked(member) || isIgnored(group, member)) continue;
    if (group.launchesFirst && isAlive(member.instance)) launchFirst(state, group, member);
    else
      endMember(state, group, member, {
        why: member.failsHealthCheck || 'a failed health check',
        cause: 'group',
      });
  }
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html */
function isIgnored({ impairmentPolicy, shiftedZone }: Group, { instance }: Member): boolean {
  const { ImpairedZoneHealthCheckBehavior: behavior } = impairmentPolicy ?? {};
  return behavior === 'IgnoreUnhealthy' && instance.availabilityZone === shiftedZone;
}
