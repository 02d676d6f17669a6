import type { Mark } from '../model/group.ts';
import { listIds } from '../text/describe.ts';
import type { Definitions } from './definition.ts';
import { withInstances } from './foreseen.ts';

/** Instances as EC2 has them, members or not: our tags on them, and their end. */
export interface InstanceActions {
  'mark-instances': { readonly instanceIds: readonly string[]; readonly mark: Mark };
  /** Done only while they are the group's still: what is detached is found by its marks alone. */
  'unmark-instances': { readonly group: string; readonly instanceIds: readonly string[] };
  terminate: {
    readonly instanceIds: readonly string[];
    /** Done only while all are in the warm pool of this group: it may have taken one into service since. */
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
    describe: ({ instanceIds }) => `take the tags from ${listIds(instanceIds)}`,
    foresee: (observation, { instanceIds }) =>
      withInstances(observation, instanceIds, ({ mark: _, ...instance }) => instance),
  },
  terminate: {
    describe: ({ instanceIds }) => `terminate ${listIds(instanceIds)}`,
    foresee: (observation, { instanceIds }) =>
      withInstances(observation, instanceIds, (instance) => ({ ...instance, alive: false })),
    // What is in a warm pool is ended as it is.
    ends: ({ instanceIds }, { groups: [{ warmPool }] }) =>
      warmPool.some(({ instanceId }) => instanceIds.includes(instanceId)) ? undefined : instanceIds,
  },
};

function describeMark({ drainGivenUpAt, drainStartedAt }: Mark): string {
  if (drainGivenUpAt !== undefined) return 'as not drained in time';
  return drainStartedAt === undefined ? 'to be replaced' : 'as the next to drain';
}
