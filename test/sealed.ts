import type { Tags } from '../lambda/contract.ts';
import { GROUP_TAGS } from '../lambda/contract.ts';
import {
  createSeal,
  type OpenedTags,
  openGroupTags,
  openInstanceTags,
  sealGroupTags,
  sealInstanceTags,
} from '../lambda/tags/trusted-tags.ts';
import type { Group } from './simulated-aws/world/autoscaling/model.ts';
import type { Instance } from './simulated-aws/world/ec2/model.ts';
import { initialKeyMac } from './simulated-aws/world/kms/keys.ts';

const secretOf = (generation: number) =>
  initialKeyMac(new TextEncoder().encode(`ecs-ami-deploy state ${generation}`));

/**
 * What the function seals and opens by in any world, as far as its key is the one that a deployment makes.
 */
export const deployedSeal = createSeal([secretOf(1), secretOf(2), secretOf(3)]);

export const uuidOf = ({ arn }: Pick<Group, 'arn'>) => arn.split(':')[6] ?? '';

/** When worlds begin, and so the first roll in them. */
export const BEGUN = new Date('2026-11-21T00:00:00Z');

/** The tags of a group as the function would have written them, in the roll under way if there is one. */
export function sealedTags(
  group: Pick<Group, 'arn'> & Partial<Pick<Group, 'tags'>>,
  cluster: string,
  tags: Tags,
): Tags {
  const written =
    group.tags && openedGroup({ ...group, tags: group.tags }, [cluster]).tags[GROUP_TAGS.startedAt];
  const begun = written === undefined ? BEGUN : new Date(written);
  return sealGroupTags(deployedSeal, { cluster, uuid: uuidOf(group), begun }, tags);
}

/** Those of an instance: the plain ones must be among them. */
export const sealedMark = ({ id }: Pick<Instance, 'id'>, tags: Tags): Tags =>
  sealInstanceTags(deployedSeal, id, tags);

/** What the tags of a group say to the function. */
export function openedGroup(
  group: Pick<Group, 'arn' | 'tags'>,
  clusters: readonly string[] = [],
): OpenedTags {
  const tags = Object.fromEntries([...group.tags].map(([key, { value = '' }]) => [key, value]));
  return openGroupTags(deployedSeal, uuidOf(group), tags, clusters);
}

/** What one tag of a group says to the function, whichever its cluster. */
export function textOn({ arn, tags }: Pick<Group, 'arn' | 'tags'>, key: string): string | undefined {
  const read = [GROUP_TAGS.cluster, key].flatMap((each) => {
    const value = tags.get(each)?.value;
    return value === undefined ? [] : [[each, value] as const];
  });
  return openGroupTags(deployedSeal, uuidOf({ arn }), Object.fromEntries(read), ['demo']).tags[key];
}

/** What the tags of an instance say to the function. */
export function openedInstance({ id, tags }: Pick<Instance, 'id' | 'tags'>): OpenedTags {
  return openInstanceTags(deployedSeal, id, Object.fromEntries(tags));
}
