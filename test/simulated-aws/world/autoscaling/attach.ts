import { availableImage } from '../ec2/images.ts';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { atNow, recordActivity } from './activities.ts';
import { increment } from './capacity.ts';
import { assertLaunching, validationError } from './groups.ts';
import { enterGroup, membershipOf, warmMembershipOf } from './members.ts';
import type { Group, Member } from './model.ts';
import { comeBack } from './service-entry.ts';
import { weightOf } from './weights.ts';
import { groupZones } from './zones.ts';

/**
 * Makes members of running instances, all or none of them, and raises the desired capacity with them. They
 * enter service past all launch hooks. AddToLoadBalancer is heeded where members are registered.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-detach-attach-instances.html
 */
export function attachInstances(state: State, group: Group, ids: readonly string[], cause: Cause) {
  assertLaunching(group, 'attach instances to AutoScalingGroup');
  const members = [...new Set(ids)].map((id) => attachedMember(state, group, attachable(state, group, id)));
  const weight = weightOf(group, members);
  assertRoomFor(group, members.length, weight);
  increment(state, group, members, cause);
  for (const member of members) attach(state, group, member, cause);
}

function attach(state: State, group: Group, member: Member, cause: Cause) {
  const { id } = member.instance;
  enterGroup(state, group, member, cause);
  // They overwrite what the instance has under the same keys: ASG-UG/ec2-auto-scaling-tagging.
  for (const [key, { value, propagatesAtLaunch }] of group.tags)
    if (propagatesAtLaunch) member.instance.tags.set(key, value);
  // The wording: https://github.com/vrivellino/spoptimize
  recordActivity(state, group, {
    Description: `Attaching an existing EC2 instance: ${id}`,
    Cause: `${atNow(state)} an instance was added in response to user request. Keeping the capacity at the new ${group.desiredCapacity}.`,
    StatusCode: 'InProgress',
  });
  comeBack(state, { group, member });
}

const attachedMember = (state: State, group: Group, instance: Instance): Member => ({
  instance,
  launchedFrom: state.readings.launchSpecOfAttached === 'kept' ? instance.launchedFrom : undefined,
  hasOverridesImage: false,
  lifecycleState: 'Pending',
  healthStatus: 'Healthy',
  failsHealthCheck: false,
  // As the group's setting is now: API_SetInstanceProtection tells of instances that enter it.
  isProtectedFromScaleIn: group.protectsNewInstances,
});

function attachable(state: State, group: Group, id: string): Instance {
  const instance = state.instances.get(id);
  // ledger: attach-unknown-instance
  if (!instance) throw validationError(`Invalid Instance ID(s): [${id}] specified`);
  const problem = attachmentProblem(state, group, instance);
  // ledger: attach-other-member, attach-again, attach-not-running, attach-other-zone, attach-image-gone
  if (problem !== undefined) throw validationError(problem);
  return instance;
}

function attachmentProblem(state: State, group: Group, instance: Instance): string | undefined {
  const { id, imageId, availabilityZone: zone } = instance;
  const membership = membershipOf(state, instance) ?? warmMembershipOf(state, instance);
  // ledger: attach-other-member, attach-again
  if (membership) return `Instance ${id} is already part of AutoScalingGroup:${membership.group.name}.`;
  // ledger: attach-not-running
  if (instance.state !== 'running')
    return `Instance ${id} is not in correct state. Instance(s) must be in 'running' state.`;
  // ledger: attach-other-zone
  if (!groupZones(state, group).includes(zone))
    return `Instance ${id} is in ${zone}, which is no Availability Zone of AutoScalingGroup:${group.name}.`;
  // ledger: attach-image-gone
  if (!availableImage(state, imageId)) return `The AMI ${imageId} of instance ${id} does not exist.`;
  return undefined;
}

/** The wording: https://github.com/LeanerCloud/AutoSpotting/issues/407 */
function assertRoomFor({ name, minSize, maxSize, desiredCapacity }: Group, count: number, weight: number) {
  if (desiredCapacity + weight <= maxSize) return;
  const instances = count === 1 ? '1 instance' : `${count} instances`;
  // ledger: attach-above-maximum
  throw validationError(
    `AutoScalingGroup ${name} has min-size=${minSize}, max-size=${maxSize}, and desired-size=${desiredCapacity}. To attach ${instances}, please update the AutoScalingGroup sizes appropriately.`,
  );
}
