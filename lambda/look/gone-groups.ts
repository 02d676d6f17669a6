import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { tryRead } from '../aws/errors.ts';
import { unprovenOf, withoutUnproven } from '../core/group/detachment-proof.ts';
import { detachedOf } from '../core/group/marked.ts';
import { NOT_WATCHED } from '../core/group/steadiness.ts';
import type { Group } from '../core/model/group.ts';
import { instancesOfGroup } from './group-instances.ts';
import type { Look } from './look.ts';
import type { Memory } from './memory.ts';
/**
 * Groups that were deleted since they were found, or never existed. Instances detached from them may still
 * run.
 */
export async function goneGroups(
  aws: Aws,
  { scope, now }: Look,
  records: readonly DescribedGroup[],
  instances: readonly DescribedInstance[],
  { detachments }: Memory,
): Promise<Group[]> {
  const gone: Group[] = [];
  for (const name of scope.groups.filter((each) => records.every((record) => record.name !== each))) {
    const left = {
      ...NO_GROUP,
      name,
      instances: instancesOfGroup({ name, members: [], availabilityZones: [] }, [], instances, now),
    };
    // We do nothing about them, so if this can't be read they just stay unproven.
    await tryRead(detachments.learn(aws, { name, createdAt: now }, detachedOf(left), now));
    const group = withoutUnproven(left, detachments.of(name), now);
    const unproven = unprovenOf(group);
    const ids = group.instances.map(({ instanceId }) => instanceId);
    gone.push({
      ...group,
      launch: { obstacle: { code: 'group-gone', left: ids, ...(unproven && { unproven }) } },
    });
  }
  return gone;
}

const NO_GROUP: Omit<Group, 'name' | 'instances' | 'launch'> = {
  uuid: '',
  minSize: 0,
  maxSize: 0,
  desiredCapacity: 0,
  members: [],
  warmPool: [],
  suspendedProcesses: [],
  trafficSources: [],
  overrides: {},
  excluded: false,
  watch: NOT_WATCHED,
};
