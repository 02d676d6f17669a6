import { type Instance, isAlive } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import type { Group, LifecycleState, Member } from './model.ts';

/** EC2's tag for the group that an instance is a member of. */
export const GROUP_NAME_TAG = 'aws:autoscaling:groupName';

/** Every change of a member's state goes through here, so that all who follow members hear of it. */
export function setLifecycleState(
  state: State,
  group: Group,
  member: Member,
  lifecycleState: LifecycleState,
  cause: Cause,
) {
  if (member.lifecycleState === lifecycleState) return;
  member.lifecycleState = lifecycleState;
  if (lifecycleState === 'InService') member.inServiceAtMs = state.clock.now();
  state.emit({ kind: 'member-changed', group, member, cause });
}

export function enterGroup(state: State, group: Group, member: Member, cause: Cause) {
  group.members.set(member.instance.id, member);
  member.instance.tags.set(GROUP_NAME_TAG, group.name);
  state.emit({ kind: 'member-changed', group, member, cause });
}

/** Its tag goes too when it lives on. */
export function leaveGroup(state: State, group: Group, member: Member, cause: Cause) {
  const { id, tags } = member.instance;
  group.members.delete(id);
  group.warmPool?.members.delete(id);
  if (isAlive(member.instance)) tags.delete(GROUP_NAME_TAG);
  state.emit({ kind: 'member-changed', group, member, cause });
}

export interface Membership {
  readonly group: Group;
  readonly member: Member;
}

/** The group that an instance is a member of; it may not be the one that launched it. */
export function membershipOf(state: State, { id }: Instance): Membership | undefined {
  for (const group of state.groups.values()) {
    const member = group.members.get(id);
    if (member) return { group, member };
  }
  return undefined;
}

/** The group in whose warm pool an instance is. */
export function warmMembershipOf(state: State, { id }: Pick<Instance, 'id'>): Membership | undefined {
  for (const group of state.groups.values()) {
    const member = group.warmPool?.members.get(id);
    if (member) return { group, member };
  }
  return undefined;
}

/** Whether it makes up for some of the desired capacity. */
export function isCounted({ lifecycleState }: Member): boolean {
  return /^(InService|Pending|ReplacingRootVolume|RootVolumeReplaced)/.test(lifecycleState);
}

export const isEnding = ({ lifecycleState }: Member) => lifecycleState.startsWith('Terminating');
