import {
  AttachInstancesCommand,
  DetachInstancesCommand,
  ResumeProcessesCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { piecesOf } from '../core/model/pieces.ts';
import type { NewSizes } from '../core/model/roll.ts';
import type { Aws } from './clients.ts';
import { BUSY } from './error-names.ts';
import { orStale } from './errors.ts';
import { orLaunchSpecRefused } from './refused.ts';

/** Limit of AttachInstances. */
const ATTACH_BATCH = 20;

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
