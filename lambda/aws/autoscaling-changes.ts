import {
  AttachInstancesCommand,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachInstancesCommand,
  ResumeProcessesCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import type { Tags } from '../contract.ts';
import { piecesOf } from '../core/model/pieces.ts';
import type { NewSizes } from '../core/model/roll.ts';
import { type SealedGroup, sealGroupTags } from '../tags/trusted-tags.ts';
import type { Aws } from './clients.ts';
import { BUSY } from './error-names.ts';
import { hasCode, orStale } from './errors.ts';
import { OwnError } from './faults.ts';
import { orLaunchSpecRefused } from './refused.ts';

/** Limit of AttachInstances. */
const ATTACH_BATCH = 20;

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

/** @throws LaunchSpecRefused */
export async function useLaunchConfiguration(
  { autoScaling }: Aws,
  group: string,
  name: string,
): Promise<void> {
  const input = { AutoScalingGroupName: group, LaunchConfigurationName: name };
  await orLaunchSpecRefused(autoScaling.send(new UpdateAutoScalingGroupCommand(input)));
}

/** @throws LaunchSpecRefused */
export async function useTemplateVersion(
  { autoScaling }: Aws,
  group: string,
  templateId: string,
  version: number,
): Promise<void> {
  const LaunchTemplate = { LaunchTemplateId: templateId, Version: String(version) };
  const input = { AutoScalingGroupName: group, LaunchTemplate };
  await orLaunchSpecRefused(autoScaling.send(new UpdateAutoScalingGroupCommand(input)));
}

/** Changes all sizes in one call, so that nobody ever sees one without the others. */
export async function setSizes(
  { autoScaling }: Aws,
  group: string,
  { desiredCapacity, maxSize, minSize }: NewSizes,
): Promise<void> {
  const sizes = { DesiredCapacity: desiredCapacity, MaxSize: maxSize, MinSize: minSize };
  const input = { AutoScalingGroupName: group, ...sizes };
  await orStale(autoScaling.send(new UpdateAutoScalingGroupCommand(input)), 'ValidationError', ...BUSY);
}

export async function suspendProcesses(
  { autoScaling }: Aws,
  group: string,
  processes: readonly string[],
): Promise<void> {
  const input = { AutoScalingGroupName: group, ScalingProcesses: [...processes] };
  await orStale(autoScaling.send(new SuspendProcessesCommand(input)), ...BUSY);
}

export async function resumeProcesses(
  { autoScaling }: Aws,
  group: string,
  processes: readonly string[],
): Promise<void> {
  const input = { AutoScalingGroupName: group, ScalingProcesses: [...processes] };
  await orStale(autoScaling.send(new ResumeProcessesCommand(input)), ...BUSY);
}

/**
 * Marks members as healthy. One that still fails its check turns Unhealthy again with the next.
 *
 * @throws StaleObservation if one of them is no longer a member
 */
export async function setHealthy({ autoScaling }: Aws, instanceIds: readonly string[]): Promise<void> {
  for (const InstanceId of instanceIds) {
    const input = { InstanceId, HealthStatus: 'Healthy' };
    await orStale(autoScaling.send(new SetInstanceHealthCommand(input)), 'ValidationError', ...BUSY);
  }
}

/**
 * Detaches at most 20 members; the group launches as many or, with `decrement`, shrinks by as many.
 *
 * @throws StaleObservation if one of them has left the group or changed its state, or the group is at its
 *   minimum size; then none is detached
 */
export async function detachInstances(
  { autoScaling }: Aws,
  group: string,
  instanceIds: readonly string[],
  decrement: boolean,
): Promise<void> {
  const input = {
    AutoScalingGroupName: group,
    InstanceIds: [...instanceIds],
    ShouldDecrementDesiredCapacity: decrement,
  };
  await orStale(autoScaling.send(new DetachInstancesCommand(input)), 'ValidationError', ...BUSY);
}

/**
 * Attaches instances to a group; its desired capacity rises by as many.
 *
 * @throws StaleObservation if one of them is a member already or no longer runs, or the group is at its
 *   maximum size; then the rest of its batch of 20 isn't attached either
 */
export async function attachInstances(
  { autoScaling }: Aws,
  group: string,
  instanceIds: readonly string[],
): Promise<void> {
  for (const InstanceIds of piecesOf(instanceIds, ATTACH_BATCH)) {
    const command = new AttachInstancesCommand({ AutoScalingGroupName: group, InstanceIds });
    await orStale(autoScaling.send(command), 'ValidationError', ...BUSY);
  }
}

/**
 * Terminates members through their group, which runs its hooks and deregisters them from its target groups.
 * The group launches as many or, with `decrement`, shrinks by as many.
 *
 * @throws StaleObservation if one of them is no longer a member, or the group is at its minimum size
 */
export async function terminateMembers(
  { autoScaling }: Aws,
  instanceIds: readonly string[],
  decrement: boolean,
): Promise<void> {
  for (const InstanceId of instanceIds) {
    const command = new TerminateInstanceInAutoScalingGroupCommand({
      InstanceId,
      ShouldDecrementDesiredCapacity: decrement,
    });
    await orStale(autoScaling.send(command), 'ValidationError', ...BUSY);
  }
}
