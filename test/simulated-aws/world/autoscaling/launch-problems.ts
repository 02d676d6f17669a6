import { availableImage } from '../ec2/images.ts';
import { architecturesOf, bootModesOf } from '../ec2/instance-types.ts';
import type { Image } from '../ec2/model.ts';
import { hasAddress, subnetIn } from '../ec2/subnets.ts';
import { toPattern } from '../filters.ts';
import { instanceProfileProblem } from '../iam/instance-profiles.ts';
import type { State } from '../state.ts';
import type { Launch } from './launch-sources.ts';

/** Why EC2 would refuse a launch, in its words. */
export function launchProblem(state: State, launch: Launch | undefined): string | undefined {
  if (!launch) return 'The launch spec that the group refers to does not exist.';
  const { imageId = '' } = launch;
  const image = availableImage(state, imageId);
  if (!image) return imageProblem(state, imageId);
  return (
    architectureProblem(launch, image) ??
    typeProblem(launch, image) ??
    bootProblem(launch, image) ??
    snapshotProblem(launch, image) ??
    goneSnapshotProblem(state, launch) ??
    sizeProblem(launch, image) ??
    profileProblem(state, launch) ??
    securityGroupProblem(state, launch)
  );
}

/**
 * The wording: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-ami.html; of one that isn't shared
 * or allowed no page has it.
 */
function imageProblem({ images }: State, id: string): string {
  const { state, isShared = true } = images.get(id) ?? {};
  if (state === 'pending') return `AMI ${id} is pending, and cannot be run.`;
  if (state === 'disabled') return `AMI '${id}' is disabled, and cannot be run.`;
  return state === 'available' && !isShared
    ? `Not authorized for images: [${id}]`
    : `The AMI ID ${id} does not exist.`;
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-allowed-instance-types.html */
function typeProblem({ instanceType = '' }: Launch, { typeSpecification }: Image): string | undefined {
  const { supported = [], unsupported = [] } = typeSpecification ?? {};
  const isIn = (types: readonly string[]) => types.some((type) => toPattern(type).test(instanceType));
  if ((supported.length === 0 || isIn(supported)) && !isIn(unsupported)) return undefined;
  return 'This AMI does not support the specified instance type. Check DescribeImages for InstanceTypeSpecification, and try again.';
}

/** That it fails: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/launch-instance-boot-mode.html; no page has the wording. */
function bootProblem({ instanceType = '' }: Launch, { bootMode }: Image): string | undefined {
  const modes = bootModesOf(instanceType);
  if (modes === undefined || bootMode === undefined || bootMode === 'uefi-preferred') return undefined;
  if (modes.includes(bootMode)) return undefined;
  return `The instance type ${instanceType} does not support the boot mode ${bootMode} of the AMI.`;
}

/** The wording: https://github.com/aws/aws-cdk/issues/20758 */
function architectureProblem({ instanceType = '' }: Launch, { architecture }: Image): string | undefined {
  const [supported] = architecturesOf(instanceType) ?? [];
  if (supported === undefined || supported === architecture) return undefined;
  return `The architecture '${supported}' of the specified instance type does not match the architecture '${architecture}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again. You can use 'describe-instance-types' or 'describe-images' to discover the architecture of the instance type or AMI.`;
}

function profileProblem(state: State, { instanceProfile }: Launch): string | undefined {
  return instanceProfile === undefined ? undefined : instanceProfileProblem(state, instanceProfile);
}

/** The wording: https://github.com/isomerpages/isomercms-backend/issues/447 */
function securityGroupProblem({ securityGroups: known }: State, launch: Launch): string | undefined {
  const unknown = launch.securityGroups.find((id) => !known.has(id));
  return unknown && `The security group '${unknown}' does not exist.`;
}

/**
 * "If you specify any existing network interface IDs, you can launch only one instance. This is because a
 * network interface can be attached to only one instance at a time." Row launch-named-interface.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/create-launch-template.html
 */
export function interfaceProblem(
  { instances }: State,
  { networkInterfaceId: id }: Launch,
): string | undefined {
  const isInUse = [...instances.values()].some(
    ({ networkInterfaceId, state }) => networkInterfaceId === id && state !== 'terminated',
  );
  return id !== undefined && isInUse ? `Interface: [${id}] in use.` : undefined;
}

/** The wording: https://github.com/PrairieLearn/PrairieLearn/issues/3271 */
export function addressProblem(state: State, zone: string): string | undefined {
  const subnet = subnetIn(state, zone);
  const { id } = subnet;
  if (hasAddress(subnet)) return undefined;
  return `There are not enough free addresses in subnet '${id}' to satisfy the requested number of instances.`;
}

/** An old image's root snapshot under a new image. */
function snapshotProblem({ blockDeviceMappings }: Launch, image: Image): string | undefined {
  const root = blockDeviceMappings.find(({ DeviceName: name }) => name === image.rootDeviceName);
  const snapshotId = root?.Ebs?.SnapshotId;
  if (snapshotId === undefined || snapshotId === image.rootSnapshotId) return undefined;
  return `InvalidBlockDeviceMapping: snapshotId ${snapshotId} cannot be modified on root device.`;
}

/** Row launch-snapshot-gone. */
function goneSnapshotProblem({ storage }: State, { blockDeviceMappings }: Launch): string | undefined {
  const ids = blockDeviceMappings.flatMap(({ Ebs }) => Ebs?.SnapshotId ?? []);
  const gone = ids.find((id) => storage.deleted.has(id));
  return gone && `The snapshot '${gone}' does not exist.`;
}

/** The wording: https://github.com/aws/karpenter-provider-aws/issues/1704 */
function sizeProblem({ blockDeviceMappings }: Launch, image: Image): string | undefined {
  const volumes = [
    { deviceName: image.rootDeviceName, snapshotId: image.rootSnapshotId, sizeGib: image.rootSizeGib },
    ...image.dataVolumes,
  ];
  for (const { deviceName, snapshotId, sizeGib } of volumes) {
    const ebs = blockDeviceMappings.find(({ DeviceName: name }) => name === deviceName)?.Ebs;
    const isOfImage = deviceName === image.rootDeviceName || ebs?.SnapshotId === snapshotId;
    const size = ebs?.VolumeSize;
    if (!isOfImage || size === undefined || size >= sizeGib) continue;
    return `InvalidBlockDeviceMapping: Volume of size ${size}GB is smaller than snapshot '${snapshotId}', expect size >= ${sizeGib}GB.`;
  }
  return undefined;
}
