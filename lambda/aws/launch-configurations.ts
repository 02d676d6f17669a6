import {
  type LaunchConfiguration as AwsLaunchConfiguration,
  type BlockDeviceMapping,
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
  DescribeAccountLimitsCommand,
  paginateDescribeLaunchConfigurations,
} from '@aws-sdk/client-auto-scaling';
import type { Image } from '../core/launch.ts';
import { uuidIn } from './autoscaling.ts';
import type { Aws } from './clients.ts';
import { hasCode, LaunchConfigurationsUnavailable, orAlreadyDone, StaleObservation } from './errors.ts';

/** The longest page. */
const PAGE = 100;

/** A launch configuration, as far as it matters here. */
export interface LaunchConfigurationRecord {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly imageId: string;
  readonly instanceType: string;
  /** The devices that it maps itself, over what the image does. */
  readonly deviceNames: readonly string[];
  /** Name or ARN; undefined where it names none. */
  readonly instanceProfile?: string;
  readonly createdAt: Date;
}

/** Launch configurations by name; without names, all. A name that doesn't exist is left out. */
export async function describeLaunchConfigurations(
  aws: Aws,
  names?: readonly string[],
): Promise<LaunchConfigurationRecord[]> {
  const found = await describe(aws, names);
  return found.map((configuration) => ({
    name: configuration.LaunchConfigurationName ?? '',
    uuid: uuidIn(configuration.LaunchConfigurationARN),
    imageId: configuration.ImageId ?? '',
    instanceType: configuration.InstanceType ?? '',
    deviceNames: (configuration.BlockDeviceMappings ?? []).map(({ DeviceName = '' }) => DeviceName),
    instanceProfile: configuration.IamInstanceProfile || undefined,
    createdAt: configuration.CreatedTime ?? new Date(0),
  }));
}

async function describe({ autoScaling }: Aws, names?: readonly string[]): Promise<AwsLaunchConfiguration[]> {
  if (names?.length === 0) return [];
  const found: AwsLaunchConfiguration[] = [];
  const input = names === undefined ? {} : { LaunchConfigurationNames: [...names] };
  const pages = paginateDescribeLaunchConfigurations({ client: autoScaling, pageSize: PAGE }, input);
  for await (const { LaunchConfigurations = [] } of pages) found.push(...LaunchConfigurations);
  return found;
}

/** How many more launch configurations this account may have in this Region. */
export async function describeLaunchConfigurationRoom({ autoScaling }: Aws): Promise<number> {
  const { MaxNumberOfLaunchConfigurations: most = 0, NumberOfLaunchConfigurations: there = 0 } =
    await autoScaling.send(new DescribeAccountLimitsCommand({}));
  return Math.max(0, most - there);
}

/**
 * Copies a launch configuration under another name with another image. A copy that is there already is the same one:
 * its name says of what and for which image it was made.
 *
 * @throws StaleObservation when the source is gone
 * @throws LaunchConfigurationsUnavailable
 */
export async function copyLaunchConfiguration(
  aws: Aws,
  copy: { readonly group: string; readonly source: string; readonly name: string; readonly image: Image },
): Promise<void> {
  const [source] = await describe(aws, [copy.source]);
  if (source === undefined) throw new StaleObservation(`launch configuration ${copy.source} is gone`);
  const command = new CreateLaunchConfigurationCommand(copyOf(source, copy.name, copy.image));
  try {
    await orAlreadyDone(aws.autoScaling.send(command), 'AlreadyExists', 'AlreadyExistsFault');
  } catch (error) {
    const unavailable =
      error instanceof Error && /not (available|supported) in your account/.test(error.message);
    throw unavailable ? new LaunchConfigurationsUnavailable(copy.group, error) : error;
  }
}

/**
 * Every field that Create takes, but for kernel and RAM disk, which like the root snapshot belong to the old image.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CreateLaunchConfiguration.html
 */
function copyOf(
  source: AwsLaunchConfiguration,
  name: string,
  { imageId, rootDeviceName }: Image,
): CreateLaunchConfigurationType {
  return withoutEmptyStrings({
    LaunchConfigurationName: name,
    ImageId: imageId,
    KeyName: source.KeyName,
    SecurityGroups: source.SecurityGroups,
    ClassicLinkVPCId: source.ClassicLinkVPCId,
    ClassicLinkVPCSecurityGroups: source.ClassicLinkVPCSecurityGroups,
    UserData: source.UserData,
    InstanceType: source.InstanceType,
    BlockDeviceMappings: source.BlockDeviceMappings?.map((mapping) =>
      withoutEmptyStrings(mapping.DeviceName === rootDeviceName ? withoutSnapshot(mapping) : mapping),
    ),
    InstanceMonitoring: source.InstanceMonitoring,
    SpotPrice: source.SpotPrice,
    IamInstanceProfile: source.IamInstanceProfile,
    EbsOptimized: source.EbsOptimized,
    AssociatePublicIpAddress: source.AssociatePublicIpAddress,
    PlacementTenancy: source.PlacementTenancy,
    MetadataOptions: source.MetadataOptions,
  });
}

/** Size, type, encryption and the rest of the volume stay; the snapshot is the old image's. */
function withoutSnapshot({ Ebs, ...mapping }: BlockDeviceMapping): BlockDeviceMapping {
  return Ebs === undefined ? mapping : { ...mapping, Ebs: { ...Ebs, SnapshotId: undefined } };
}

/** Describe answers an empty string for what isn't there, which Create refuses. */
export function withoutEmptyStrings<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Fields;
}

/** Deletes one of ours. One that a group has come to use meanwhile stays; one that is gone is no fault. */
export async function deleteLaunchConfiguration({ autoScaling }: Aws, name: string): Promise<void> {
  try {
    const command = new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: name });
    await orAlreadyDone(autoScaling.send(command), 'ResourceInUse', 'ResourceInUseFault');
  } catch (error) {
    // AWS has no code of its own for a name that is gone.
    if (!hasCode(error, 'ValidationError') || !/not found/i.test((error as Error).message)) throw error;
  }
}
