import {
  type BlockDeviceMapping,
  CreateLaunchConfigurationCommand,
  DetachInstancesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  DeregisterContainerInstanceCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';

import type { VirtualClock } from '../clock/clock.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { directCalls } from '../world/direct-calls.ts';
import type { Image, Instance } from '../world/ec2/model.ts';
import type { Scenario } from '../world/scenario.ts';
import type { World } from '../world/world.ts';

/** Rolls a launch configuration group with the bare operations, as a careful operator would. */
export function rollByHand(
  world: World,
  clock: VirtualClock,
  { group, newImage }: Pick<Scenario, 'group' | 'newImage'>,
) {
  const old = [...group.members.values()].map(({ instance }) => instance);
  useNewImage(world, group, newImage);
  detachAll(world, group, old);
  const isReady = ({ instance }: { instance: Instance }) =>
    instance.containerInstance && !old.includes(instance);
  clock.runUntil(() => group.members.size === old.length && [...group.members.values()].every(isReady));
  for (const instance of old) replace(world, clock, instance);
}

export function useNewImage(world: World, group: Group, image: Image) {
  const call = directCalls(world);
  const LaunchConfigurationName = `${group.name}-${image.id}`;
  call(CreateLaunchConfigurationCommand, {
    LaunchConfigurationName,
    ImageId: image.id,
    InstanceType: 'm5.large',
    ...carriedOver(world, group, image),
  });
  call(UpdateAutoScalingGroupCommand, {
    AutoScalingGroupName: group.name,
    LaunchConfigurationName,
  });
}

/** What an instance joins its cluster by, and its owner's volumes. */
function carriedOver({ state }: World, { launchSpec }: Group, image: Image) {
  if (launchSpec.kind !== 'launch-configuration') return {};
  const owners = state.launchConfigurations.get(launchSpec.name)?.description;
  return {
    UserData: owners?.UserData || undefined,
    IamInstanceProfile: owners?.IamInstanceProfile || undefined,
    SecurityGroups: owners?.SecurityGroups,
    BlockDeviceMappings: withoutRootSnapshot(owners?.BlockDeviceMappings, image),
  };
}

function withoutRootSnapshot(mappings: readonly BlockDeviceMapping[] = [], { rootDeviceName }: Image) {
  return mappings.map(({ Ebs, ...rest }) =>
    rest.DeviceName === rootDeviceName
      ? { ...rest, Ebs: { ...Ebs, SnapshotId: undefined } }
      : { ...rest, Ebs },
  );
}

/** What the keys of the operator's tags begin with. */
export const TAG_PREFIX = 'roller:';

export function tagAll(world: World, group: Group, instances: readonly Instance[]) {
  for (const { id } of instances)
    directCalls(world)(CreateTagsCommand, {
      Resources: [id],
      Tags: [{ Key: `${TAG_PREFIX}replaces-in`, Value: group.name }],
    });
}

function detachAll(world: World, group: Group, instances: readonly Instance[]) {
  tagAll(world, group, instances);
  const ids = instances.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += 20) detach(world, group, ids.slice(start, start + 20));
}

export function detach(world: World, group: Group, InstanceIds: string[]) {
  directCalls(world)(DetachInstancesCommand, {
    AutoScalingGroupName: group.name,
    InstanceIds,
    ShouldDecrementDesiredCapacity: false,
  });
}

export function drain(world: World, { containerInstance }: Instance) {
  directCalls(world)(UpdateContainerInstancesStateCommand, {
    cluster: containerInstance?.cluster.name,
    containerInstances: [containerInstance?.arn ?? ''],
    status: 'DRAINING',
  });
}

export function terminate(world: World, { id }: Instance) {
  directCalls(world)(TerminateInstancesCommand, { InstanceIds: [id] });
}

function replace(world: World, clock: VirtualClock, instance: Instance) {
  const { containerInstance } = instance;
  drain(world, instance);
  clock.runUntil(() => containerInstance?.tasks.size === 0);
  directCalls(world)(DeregisterContainerInstanceCommand, {
    cluster: containerInstance?.cluster.name,
    containerInstance: containerInstance?.arn,
  });
  terminate(world, instance);
}
