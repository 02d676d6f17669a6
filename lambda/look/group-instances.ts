import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { AWS_GROUP_TAG } from '../contract.ts';
import type { Group, Member } from '../core/model/group.ts';
import { isExcluded } from '../settings/owner-tags.ts';
import { readMark } from '../tags/instance-tags.ts';

/** The members of the group and its warm pool, and instances with our tags for it. */
export function instancesOfGroup(
  { name, members, availabilityZones }: Pick<DescribedGroup, 'name' | 'members' | 'availabilityZones'>,
  warmPool: readonly Member[],
  instances: readonly DescribedInstance[],
  now: Date,
  busy: ReadonlyMap<string, string> = new Map(),
): Group['instances'] {
  const ids = new Set([...members, ...warmPool].map(({ instanceId }) => instanceId));
  return instances.flatMap(
    ({ instanceId, alive, imageId, launchedAt, availabilityZone, tags, otherTags }) => {
      const mark = readMark(tags, now);
      // An instance that somebody has attached to another group since belongs to that one.
      const elsewhere = (tags[AWS_GROUP_TAG] ?? name) !== name;
      const ours = mark?.group === name && !elsewhere;
      if (!ours && !ids.has(instanceId)) return [];
      // One that is already chosen is replaced all the same.
      const excluded = isExcluded(tags) || (!ours && busy.has(instanceId));
      const outside = availabilityZone !== undefined && !availabilityZones.includes(availabilityZone);
      const known = { instanceId, alive, imageId, launchedAt, excluded, otherTags };
      return [{ ...known, ...(outside && { outside }), mark: ours ? mark : undefined }];
    },
  );
}
