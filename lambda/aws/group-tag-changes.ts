import { CreateOrUpdateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-auto-scaling';
import type { Tags } from '../contract.ts';
import { type SealedGroup, sealGroupTags } from '../tags/trusted-tags.ts';
import type { Aws } from './clients.ts';
import { BUSY } from './error-names.ts';
import { hasCode, orStale } from './errors.ts';
import { OwnError } from './faults.ts';

/** The group to tag; what we record there is sealed for it and for the cluster that it is rolled for. */
export interface TaggedGroup extends SealedGroup {
  readonly group: string;
}

export async function tagGroup({ autoScaling, seal }: Aws, tagged: TaggedGroup, tags: Tags): Promise<void> {
  const sealed = sealGroupTags(await seal(), tagged, tags);
  const Tags = Object.entries(sealed).map(([Key, Value]) => ({
    ResourceId: tagged.group,
    ResourceType: 'auto-scaling-group',
    Key,
    Value,
    // Instances launched by the group must not look like ones that we have marked.
    PropagateAtLaunch: false,
  }));
  try {
    await orStale(autoScaling.send(new CreateOrUpdateTagsCommand({ Tags })), ...BUSY);
  } catch (error) {
    throw hasCode(error, 'LimitExceededFault') ? new GroupTagsFull(tagged.group, error) : error;
  }
}

/** A group may have 50 tags, not counting AWS's own: somebody has to remove some. */
class GroupTagsFull extends OwnError {
  override readonly name = 'GroupTagsFull';

  constructor(group: string, cause: Error) {
    super(
      `group ${group} has as many tags as AWS allows, and ours need room (${cause.message}); ` +
        'remove some of its own, and do this again',
      { cause },
    );
  }
}

/** Removes tags from a group, whatever their values. A missing one is no error. */
export async function untagGroup(
  { autoScaling }: Aws,
  group: string,
  keys: readonly string[],
): Promise<void> {
  const Tags = keys.map((Key) => ({
    ResourceId: group,
    ResourceType: 'auto-scaling-group',
    Key,
  }));
  await orStale(autoScaling.send(new DeleteTagsCommand({ Tags })), ...BUSY);
}
