import type { Mark } from '../model/group.ts';
import { listIds } from '../reasons/words.ts';
import type { Definitions } from './definition.ts';
import { withInstances } from './foreseen.ts';

/** EC2 instances, members or not: tagging and terminating them. */
export interface InstanceActions {
  'mark-instances': { readonly instanceIds: readonly string[]; readonly mark: Mark };
  /** Only while they are still in the group: detached ones can be found only by their marks. */
  'unmark-instances': { readonly group: string; readonly instanceIds: readonly string[] };
  terminate: {
    readonly instanceIds: readonly string[];
    /** Only while all are in this group's warm pool: it may have taken one into service. */
    readonly pooledIn?: string;
  };
}

export const INSTANCE_ACTIONS: Definitions<InstanceActions> = {
  'mark-instances': {
    describe: ({ instanceIds, mark }) => `tag ${listIds(instanceIds)} ${describeMark(mark)}`,
    foresee: (observation, { instanceIds, mark }) =>
      withInstances(observation, instanceIds, (instance) => ({ ...instance, mark })),
    ends: ({ mark }) => (mark.drainStartedAt === undefined ? undefined : []),
  },
  'unmark-instances': {
    describe: ({ instanceIds }) => `remove the tags from ${listIds(instanceIds)}`,
    foresee: (observation, { instanceIds }) =>
      withInstances(observation, instanceIds, ({ mark: _, ...instance }) => instance),
  },
  terminate: {
    describe: ({ instanceIds }) => `terminate ${listIds(instanceIds)}`,
    foresee: (observation, { instanceIds }) =>
      withInstances(observation, instanceIds, (instance) => ({ ...instance, alive: false })),
    // Warm pool instances are ended without draining.
    ends: ({ instanceIds }, { groups: [{ warmPool }] }) =>
      warmPool.some(({ instanceId }) => instanceIds.includes(instanceId)) ? undefined : instanceIds,
  },
};

function describeMark({ drainGivenUpAt, drainStartedAt }: Mark): string {
  if (drainGivenUpAt !== undefined) return 'as not drained in time';
  return drainStartedAt === undefined ? 'to be replaced' : 'as the next to drain';
}
