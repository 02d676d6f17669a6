import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { Detached } from '../core/model/assessment.ts';
import type { Group } from '../core/model/group.ts';
import { zoneOf } from '../core/model/registrations.ts';
import { EC2_LAG_SECONDS } from '../core/model/time.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import type { PerhapsDetached } from './detachments.ts';
import { memberIdsOf } from './instances.ts';
import type { Memory } from './memory.ts';

/**
 * Learns when the group detached what has our marks, and in a roll also whether it has just detached anything
 * else: an invocation before this one may have done that, and been killed, while EC2 doesn't show its marks
 * yet. EC2's answers may be "a few minutes" behind.
 *
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
export async function learnDetachments(
  aws: Aws,
  record: DescribedGroup,
  marked: readonly Detached[],
  facts: ClusterFacts,
  { detachments }: Memory,
  isRolling: boolean,
): Promise<Pick<Group, 'detachedLately'>> {
  const { now } = facts.observation;
  const perhaps = isRolling ? unmarked(record, facts) : [];
  const ids = await detachments.learn(aws, record, marked, now, perhaps);
  const detachedLately = ids.map((instanceId) => ({ instanceId, missedSince: now }));
  return detachedLately.length > 0 ? { detachedLately } : {};
}

/** Alive in its zones, by their agents, and in no group, as if marked as long ago as EC2 may not show. */
function unmarked(
  { name, availabilityZones }: DescribedGroup,
  { seen, instances, observation: { containerInstances, now } }: ClusterFacts,
): PerhapsDetached[] {
  const known = new Set([...memberIdsOf(seen), ...instances.map(({ instanceId }) => instanceId)]);
  const mark = { group: name, detachStartedAt: new Date(now.getTime() - EC2_LAG_SECONDS * 1000) };
  return containerInstances.flatMap((each) => {
    const { instanceId, managed, agentConnected } = each;
    const isInZone = availabilityZones.includes(zoneOf(each) ?? '');
    const isPossible = agentConnected && isInZone && !managed && !known.has(instanceId);
    return isPossible ? [{ instanceId, mark }] : [];
  });
}
