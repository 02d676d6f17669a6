import { terminateInstance } from '../ec2/instances.ts';
import { type Instance, isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { completeActivity, recordActivity } from './activities.ts';
import { currentLaunch, GROUP_NAME_TAG, tryLaunch } from './launch.ts';
import type { Group, Member } from './model.ts';

/** Has the group look at its capacity, some time from now; a look that is due already will do. */
export function touchGroup(state: State, group: Group) {
  if (group.isReconcileScheduled) return;
  group.isReconcileScheduled = true;
  state.after('noticeCapacitySeconds', () => {
    group.isReconcileScheduled = false;
    reconcile(state, group);
  });
}

function reconcile(state: State, group: Group) {
  replaceDead(state, group);
  const counted = [...group.members.values()].filter(isCounted);
  const lack = Math.min(group.desiredCapacity, group.maxSize) - counted.length;
  if (lack > 0 && !group.suspendedProcesses.has('Launch')) launch(state, group, lack);
  if (lack < 0 && !group.suspendedProcesses.has('Terminate')) scaleIn(state, group, counted, -lack);
}

const isCounted = ({ lifecycleState }: Member) =>
  lifecycleState === 'Pending' || lifecycleState === 'InService';

function launch(state: State, group: Group, count: number) {
  for (let launched = 0; launched < count; launched++)
    if (!tryLaunch(state, group)) {
      state.after('launchRetrySeconds', () => touchGroup(state, group));
      return;
    }
}

/** As the default termination policy has it: members of an outdated launch spec first, then the oldest. */
function scaleIn(state: State, group: Group, counted: readonly Member[], count: number) {
  const current = currentLaunch(state, group)?.launchedFrom;
  const isOutdated = ({ launchedFrom }: Member) =>
    JSON.stringify(nameOf(launchedFrom)) !== JSON.stringify(nameOf(current));
  const candidates = counted.filter((member) => !member.isProtectedFromScaleIn);
  const outdatedFirst = [
    ...candidates.filter(isOutdated),
    ...candidates.filter((member) => !isOutdated(member)),
  ];
  for (const member of outdatedFirst.slice(0, count))
    endMember(state, group, member, 'a difference between desired and actual capacity');
}

function nameOf(from: Member['launchedFrom'] | undefined) {
  return from?.kind === 'launch-template' ? [from.template.id, from.version] : from?.name;
}

function endMember(state: State, group: Group, member: Member, why: string) {
  member.lifecycleState = 'Terminating';
  recordActivity(state, group, {
    Description: `Terminating EC2 instance: ${member.instance.id}`,
    Cause: `An instance was taken out of service in response to ${why}.`,
    StatusCode: 'InProgress',
  });
  if (member.instance.state === 'terminated') removeMember(state, group, member.instance);
  else terminateInstance(state, member.instance, 'group');
}

/** Members whose instance was ended by somebody else. */
function replaceDead(state: State, group: Group) {
  const { suspendedProcesses: suspended } = group;
  if (suspended.has('HealthCheck')) return;
  for (const member of group.members.values()) {
    if (isAlive(member.instance) || member.lifecycleState === 'Terminating') continue;
    member.healthStatus = 'Unhealthy';
    if (!suspended.has('ReplaceUnhealthy') && !suspended.has('Terminate'))
      endMember(state, group, member, 'an EC2 health check');
  }
}

function removeMember(state: State, group: Group, instance: Instance) {
  group.members.delete(instance.id);
  closeActivity(state, group, `Terminating EC2 instance: ${instance.id}`);
  touchGroup(state, group);
}

function closeActivity(state: State, group: Group, description: string) {
  const activity = group.activities.find(
    (one) => one.Description === description && one.StatusCode === 'InProgress',
  );
  if (activity) completeActivity(state, activity);
}

/** Takes a member out of its group: it runs on, is nobody's, and the group fills the gap. */
export function detachMember(state: State, group: Group, member: Member) {
  const { instance } = member;
  member.lifecycleState = 'Detaching';
  const activity = recordActivity(state, group, {
    Description: `Detaching EC2 instance: ${instance.id}`,
    Cause: `Instance ${instance.id} was detached in response to a user request.`,
    StatusCode: 'InProgress',
  });
  state.emit({ kind: 'member-detaching', group, instance, cause: 'call' });
  touchGroup(state, group);
  state.after('detachSeconds', () => {
    group.members.delete(instance.id);
    instance.tags.delete(GROUP_NAME_TAG);
    completeActivity(state, activity);
  });
  return activity;
}

/** Keeps every group's members in step with what becomes of their instances. */
export function followInstances(state: State) {
  const memberOf = (instance: Instance) => {
    const group = instance.launchedBy;
    const member = group?.members.get(instance.id);
    return group && member && { group, member };
  };
  state.subscribe((event) => {
    if (event.kind === 'instance-running') {
      state.after('inServiceSeconds', () => {
        const found = memberOf(event.instance);
        if (found?.member.lifecycleState !== 'Pending') return;
        if (!isAlive(event.instance)) return;
        found.member.lifecycleState = 'InService';
        const { id } = event.instance;
        closeActivity(state, found.group, `Launching a new EC2 instance: ${id}`);
      });
    }
    if (event.kind === 'instance-terminating' && event.cause !== 'group') {
      const found = memberOf(event.instance);
      if (found) state.after('noticeDeadMemberSeconds', () => touchGroup(state, found.group));
    }
    if (event.kind === 'instance-terminated') {
      const found = memberOf(event.instance);
      if (found?.member.lifecycleState === 'Terminating') removeMember(state, found.group, event.instance);
    }
  });
}
