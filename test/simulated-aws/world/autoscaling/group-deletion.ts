import { terminateInstance } from '../ec2/instances.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { leaveGroup } from './members.ts';
import type { Group } from './model.ts';

/** As by force: its members, and those of its warm pool, end with it. */
export function deleteGroup(state: State, group: Group, cause: Cause) {
  state.groups.delete(group.name);
  state.deletedGroups.push(group);
  for (const member of [...group.members.values(), ...(group.warmPool?.members.values() ?? [])]) {
    leaveGroup(state, group, member, cause);
    terminateInstance(state, member.instance, cause);
  }
}
