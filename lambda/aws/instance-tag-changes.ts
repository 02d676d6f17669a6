import { CreateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-ec2';
import { INSTANCE_TAGS, type Tags } from '../contract.ts';
import { sealInstanceTags } from '../tags/trusted-tags.ts';
import type { Aws } from './clients.ts';
import { changeAll, refuseSome, TAGGED_NOW, UNKNOWN } from './ec2-changes.ts';
import { orNotYet } from './errors.ts';

/**
 * Tags each instance in a call of its own, as its id is part of the seal.
 *
 * @throws StaleObservation if one of them is gone, or somebody else changes its tags at this moment
 */
export async function tagInstances(
  { ec2, seal }: Aws,
  instanceIds: readonly string[],
  tags: Tags,
): Promise<void> {
  const by = await seal();
  for (const instanceId of instanceIds) {
    const sealed = sealInstanceTags(by, instanceId, tags);
    const Tags = Object.entries(sealed).map(([Key, Value]) => ({ Key, Value }));
    const command = new CreateTagsCommand({ Resources: [instanceId], Tags });
    await orNotYet(ec2.send(command), UNKNOWN, TAGGED_NOW);
  }
}

/**
 * Removes all our tags from instances, and no other.
 *
 * @throws StaleObservation if EC2 doesn't know some of them, or somebody else changes their tags at this
 *   moment; the others are untagged
 */
export async function untagInstances({ ec2 }: Aws, instanceIds: readonly string[]): Promise<void> {
  const Tags = Object.values(INSTANCE_TAGS).map((Key) => ({ Key }));
  const untag = (Resources: string[]) => ec2.send(new DeleteTagsCommand({ Resources, Tags }));
  refuseSome(await changeAll(instanceIds, untag));
}
