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
import { batches } from '../core/group/budget.ts';
import type { NewSizes } from '../core/model/roll.ts';
import { type SealedGroup, sealGroupTags } from '../tags/sealed-tags.ts';
import type { Tags } from '../tags/tag-values.ts';
import type { Aws } from './clients.ts';
import { BUSY } from './error-names.ts';
import { orRefused, orStale } from './errors.ts';

/** Most instances in one AttachInstances. */
const ATTACH_BATCH = 20;

/** A group to tag: what is remembered there is sealed for it, and for the cluster that it is rolled for. */
export interface Tagged extends SealedGroup {
  readonly group: string;
}

export async function tagGroup({ autoScaling, seal }: Aws, tagged: Tagged, tags: Tags): Promise<void> {
  const sealed = sealGroupTags(await seal(), tagged, tags);
  const Tags = Object.entries(sealed).map(([Key, Value]) => ({
    ResourceId: tagged.group,
    ResourceType: 'auto-scaling-group',
    Key,
    Value,
    // Instances launched by the group must not look like ones that we have marked.
    PropagateAtLaunch: false,
  }));
  await orStale(autoScaling.send(new CreateOrUpdateTagsCommand({ Tags })), ...BUSY);
}

/** Takes tags from a group, whatever they say. One that isn't there is no fault. */
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
  await orRefused(autoScaling.send(new UpdateAutoScalingGroupCommand(input)));
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
  await orRefused(autoScaling.send(new UpdateAutoScalingGroupCommand(input)));
}

/** Where several sizes change it is in one call, so that none is ever seen without the others. */
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
 * Tells groups that members are healthy; one that fails its check still is found Unhealthy by the next.
 *
 * @throws StaleObservation when one of them is no member any more
 */
export async function setHealthy({ autoScaling }: Aws, instanceIds: readonly string[]): Promise<void> {
  for (const InstanceId of instanceIds) {
    const input = { InstanceId, HealthStatus: 'Healthy' };
    await orStale(autoScaling.send(new SetInstanceHealthCommand(input)), 'ValidationError', ...BUSY);
  }
}

/**
 * Detaches members, at most 20, and lets the group launch as many, or get smaller by as many.
 *
 * @throws StaleObservation when one of them has left the group or its state, or the group is at its minimum
 *   size; then none is detached
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
 * Makes instances members of a group, whose desired capacity goes up by as many.
 *
 * @throws StaleObservation when one of them is a member already or doesn't run any more, or the group is at
 *   its maximum size; then those of its batch of 20 stay as they are
 */
export async function attachInstances(
  { autoScaling }: Aws,
  group: string,
  instanceIds: readonly string[],
): Promise<void> {
  for (const InstanceIds of batches(instanceIds, ATTACH_BATCH)) {
    const command = new AttachInstancesCommand({ AutoScalingGroupName: group, InstanceIds });
    await orStale(autoScaling.send(command), 'ValidationError', ...BUSY);
  }
}

/**
 * Ends members through their group, which runs its hooks, takes them from its target groups and launches as
 * many, or gets smaller by as many.
 *
 * @throws StaleObservation when one of them is no member any more, or the group is at its minimum size
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
