import { availableImage, ROOT_DEVICE } from '../ec2/images.ts';
import { bootLater, launchInstance } from '../ec2/instances.ts';
import { resolveImageId, resolveVersion } from '../ec2/launch-templates.ts';
import type { Image, Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { recordActivity } from './activities.ts';
import type { Group, LaunchedFrom, Member } from './model.ts';

export const GROUP_NAME_TAG = 'aws:autoscaling:groupName';

interface Launch {
  readonly launchedFrom: LaunchedFrom;
  readonly imageId: string | undefined;
  readonly instanceType: string | undefined;
  readonly blockDeviceMappings: Instance['blockDeviceMappings'];
}

/** What the group would launch now, if what it refers to is there. */
export function currentLaunch(state: State, group: Group): Launch | undefined {
  const spec = group.launchSpec;
  if (spec.kind === 'launch-configuration') {
    const found = state.launchConfigurations.get(spec.name);
    return (
      found && {
        launchedFrom: { kind: spec.kind, name: spec.name },
        imageId: found.description.ImageId,
        instanceType: found.description.InstanceType,
        blockDeviceMappings: (found.description.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
      }
    );
  }
  const version = resolveVersion(spec.template, spec.version);
  return (
    version && {
      launchedFrom: { kind: 'launch-template', template: spec.template, version: version.number },
      imageId: resolveImageId(state, version.data.ImageId),
      instanceType: version.data.InstanceType,
      blockDeviceMappings: (version.data.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
    }
  );
}

/** Launches one member, or tells why it can't. */
export function launchMember(state: State, group: Group): Member | string {
  const launch = currentLaunch(state, group);
  if (!launch) return 'The launch spec that the group refers to does not exist.';
  const image = availableImage(state, launch.imageId ?? '');
  if (!image) return `The image id '[${launch.imageId}]' does not exist.`;
  const misfit = misfitOf(launch, image);
  if (misfit) return misfit;
  const instance = launchInstance(state, {
    imageId: image.id,
    instanceType: launch.instanceType ?? 'm5.large',
    clusterName: group.clusterName,
    launchedBy: group,
    launchedFrom: launch.launchedFrom,
    blockDeviceMappings: launch.blockDeviceMappings,
    tags: tagsAtLaunch(group, launch.launchedFrom),
    zone: group.launches++,
  });
  const member: Member = {
    instance,
    launchedFrom: launch.launchedFrom,
    lifecycleState: 'Pending',
    healthStatus: 'Healthy',
    isProtectedFromScaleIn: false,
  };
  group.members.set(instance.id, member);
  return member;
}

/** Why EC2 would refuse to start such an instance: an old image's root snapshot under a new image. */
function misfitOf(launch: Launch, image: Image): string | undefined {
  const root = launch.blockDeviceMappings.find(({ DeviceName: name }) => name === ROOT_DEVICE);
  const snapshotId = root?.Ebs?.SnapshotId;
  if (snapshotId === undefined || snapshotId === image.rootSnapshotId) return undefined;
  return `InvalidBlockDeviceMapping: snapshotId ${snapshotId} cannot be modified on root device.`;
}

function tagsAtLaunch(group: Group, from: LaunchedFrom): [string, string][] {
  const propagated = [...group.tags]
    .filter(([, tag]) => tag.propagatesAtLaunch)
    .map(([key, tag]): [string, string] => [key, tag.value]);
  const template: [string, string][] =
    from.kind === 'launch-template'
      ? [
          ['aws:ec2launchtemplate:id', from.template.id],
          ['aws:ec2launchtemplate:version', String(from.version)],
        ]
      : [];
  return [...propagated, ...template, [GROUP_NAME_TAG, group.name]];
}

/** Launches one and lets it come up; a launch that fails shows in the activities alone. */
export function tryLaunch(state: State, group: Group): boolean {
  const Cause = 'An instance was started in response to a difference between desired and actual capacity.';
  const member = launchMember(state, group);
  if (typeof member === 'string') {
    recordActivity(state, group, {
      Description: 'Launching a new EC2 instance.',
      Cause,
      StatusCode: 'Failed',
      StatusMessage: `${member} Launching EC2 instance failed.`,
    });
    return false;
  }
  recordActivity(state, group, {
    Description: `Launching a new EC2 instance: ${member.instance.id}`,
    Cause,
    StatusCode: 'InProgress',
  });
  bootLater(state, member.instance);
  return true;
}
