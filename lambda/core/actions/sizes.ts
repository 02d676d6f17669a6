import type { Group } from '../model/group.ts';
import type { NewSizes, TemporaryChanges } from '../model/roll.ts';
import type { Definitions } from './definition.ts';
import { type Foreseen, newIds, newInstances, newMembers, withGroup } from './foreseen.ts';

/** A group's sizes, and the processes that change them or its members. */
export interface SizeActions {
  /** Sizes not named stay as they are, even if somebody else changes them meanwhile. */
  'set-sizes': NewSizes & WhileNoted & { readonly group: string };
  'suspend-processes': GroupProcesses;
  'resume-processes': GroupProcesses & WhileNoted;
}

interface WhileNoted {
  /** Only while the group's tags still say so: another invocation may have overwritten them. */
  readonly noted?: TemporaryChanges;
}

interface GroupProcesses {
  readonly group: string;
  readonly processes: readonly string[];
}

export const SIZE_ACTIONS: Definitions<SizeActions> = {
  'set-sizes': {
    describe: (action) => `set group ${action.group} to ${describeSizes(action)}`,
    foresee: (observation, sizes) =>
      withGroup(observation, (group) => resized(group, sizes, observation.now)),
    takesTime: true,
  },
  'suspend-processes': ofProcesses('suspend', (suspended, processes) => [...suspended, ...processes]),
  'resume-processes': ofProcesses('resume', (suspended, processes) =>
    suspended.filter((each) => !processes.includes(each)),
  ),
};

function ofProcesses(
  verb: string,
  change: (suspended: readonly string[], processes: readonly string[]) => readonly string[],
) {
  return {
    describe: ({ group, processes }: GroupProcesses) =>
      `${verb} ${processes.join(' and ')} of group ${group}`,
    foresee: (observation: Foreseen, { processes }: GroupProcesses) =>
      withGroup(observation, ({ suspendedProcesses }) => ({
        suspendedProcesses: change(suspendedProcesses, processes),
      })),
  };
}

function describeSizes({ desiredCapacity, maxSize, minSize }: NewSizes): string {
  if (minSize !== undefined) return `at least ${minSize} instances`;
  if (desiredCapacity === undefined) return `at most ${maxSize} instances`;
  return maxSize === undefined
    ? `${desiredCapacity} instances`
    : `${desiredCapacity} of at most ${maxSize} instances`;
}

function resized(group: Group, sizes: NewSizes, now: Date): Partial<Group> {
  const { desiredCapacity = group.desiredCapacity, maxSize = group.maxSize, minSize = group.minSize } = sizes;
  const ids = newIds(group, desiredCapacity - group.desiredCapacity);
  return {
    desiredCapacity,
    maxSize,
    minSize,
    members: [...group.members, ...newMembers(group, ids)],
    instances: [...group.instances, ...newInstances(group, ids, now)],
  };
}
