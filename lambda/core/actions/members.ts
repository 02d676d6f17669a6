import type { Group } from '../model/group.ts';
import { isStandby, weightOfMembers } from '../model/members.ts';
import { listIds } from '../reasons/words.ts';
import type { Definitions } from './definition.ts';
import { newInstances, newMembers, withGroup, withInstances } from './foreseen.ts';

/** Most instances that DetachInstances or AttachInstances takes in one call. */
export const DETACH_BATCH = 20;

/** Instances as members of their group. */
export interface MemberActions {
  'detach-instances': LeavingMembers;
  /** At most as many as the group's maximum size allows; the desired capacity rises by that number. */
  'attach-instances': SomeMembers;
  'set-healthy': SomeMembers;
  'terminate-members': LeavingMembers;
}

interface SomeMembers {
  readonly group: string;
  readonly instanceIds: readonly string[];
}

interface LeavingMembers extends SomeMembers {
  /** Lowers the desired capacity by as many; otherwise the group launches as many. */
  readonly decrement: boolean;
}

export const MEMBER_ACTIONS: Definitions<MemberActions> = {
  'detach-instances': {
    describe: ({ group, instanceIds, decrement }) =>
      `detach ${listIds(instanceIds)} from group ${group}, which ${becomes(decrement)}`,
    foresee: (observation, action) => withGroup(observation, (group) => left(group, action, observation.now)),
    takesTime: true,
  },
  'attach-instances': {
    describe: ({ group, instanceIds }) =>
      `attach ${listIds(instanceIds)} to group ${group}, which gets larger by as many`,
    takesTime: true,
  },
  'set-healthy': {
    describe: ({ group, instanceIds }) => `set ${listIds(instanceIds)} of group ${group} Healthy`,
    foresee: (observation, { instanceIds }) =>
      withGroup(observation, ({ members }) => ({
        members: members.map((member) =>
          instanceIds.includes(member.instanceId) ? { ...member, healthy: true } : member,
        ),
      })),
    takesTime: true,
  },
  'terminate-members': {
    describe: ({ group, instanceIds, decrement }) =>
      `terminate ${listIds(instanceIds)} through group ${group}, which ${becomes(decrement)}`,
    foresee: (observation, action) => {
      const ended = withInstances(observation, action.instanceIds, (each) => ({ ...each, alive: false }));
      return withGroup(ended, (group) => left(group, action, observation.now));
    },
    ends: ({ instanceIds }) => instanceIds,
    takesTime: true,
  },
};

function becomes(decrement: boolean): string {
  return decrement ? 'gets smaller by as many' : 'launches as many';
}

/** Members leave, and as many with the target image take their places, unless the group shrinks. */
function left(group: Group, { instanceIds, decrement }: LeavingMembers, now: Date): Partial<Group> {
  return decrement ? shrunk(group, instanceIds) : replaced(group, instanceIds, now);
}

function shrunk(group: Group, instanceIds: readonly string[]): Partial<Group> {
  const leaving = group.members.filter(({ instanceId }) => instanceIds.includes(instanceId));
  const desiredCapacity = group.desiredCapacity - weightOfMembers(leaving);
  return { ...without(group, instanceIds), desiredCapacity };
}

function replaced(group: Group, instanceIds: readonly string[], now: Date): Partial<Group> {
  // Standby members aren't part of the desired capacity, so nothing is launched for them.
  const leaving = group.members.filter(
    (member) => instanceIds.includes(member.instanceId) && !isStandby(member),
  );
  const replacements = leaving.map(({ instanceId }) => `the replacement of ${instanceId}`);
  const { members } = without(group, instanceIds);
  const launched = newMembers(group, replacements).map((member, index) => ({
    ...member,
    weight: leaving[index]?.weight ?? member.weight,
  }));
  return {
    members: [...members, ...launched],
    instances: [...group.instances, ...newInstances(group, replacements, now)],
  };
}

function without({ members }: Group, instanceIds: readonly string[]): Pick<Group, 'members'> {
  return { members: members.filter(({ instanceId }) => !instanceIds.includes(instanceId)) };
}
