import {
  type LaunchConfiguration as AwsLaunchConfiguration,
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
  DescribeAccountLimitsCommand,
  paginateDescribeLaunchConfigurations,
} from '@aws-sdk/client-auto-scaling';
import type { Image, MappedDevice, VolumeSnapshot } from '../core/model/launch.ts';
import { uuidIn } from './autoscaling.ts';
import { mappedDevices, withSnapshots } from './block-devices.ts';
import type { Aws } from './clients.ts';
import {
  hasCode,
  LaunchConfigurationsUnavailable,
  LaunchSpecRefused,
  orAlreadyDone,
  StaleObservation,
} from './errors.ts';

/** The longest page. */
const PAGE = 100;

/** A launch configuration, as far as it matters here. */
export interface LaunchConfigurationRecord {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly imageId: string;
  readonly instanceType: string;
  /** What it maps itself, over what the image does. */
  readonly devices: readonly MappedDevice[];
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
    devices: mappedDevices(configuration.BlockDeviceMappings),
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

/** What a copy is made of. */
export interface Copy {
  readonly group: string;
  readonly source: string;
  readonly name: string;
  readonly image: Image;
  /** Those that its volumes are made from. */
  readonly snapshots: readonly VolumeSnapshot[];
}

/**
 * Copies a launch configuration under another name with another image. A copy that is there already is the same one:
 * its name says of what and for which image it was made.
 *
 * @throws StaleObservation when the source is gone
 * @throws LaunchConfigurationsUnavailable
 * @throws LaunchSpecRefused
 */
export async function copyLaunchConfiguration(aws: Aws, copy: Copy): Promise<void> {
  const [source] = await describe(aws, [copy.source]);
  if (source === undefined) throw new StaleObservation(`launch configuration ${copy.source} is gone`);
  const command = new CreateLaunchConfigurationCommand(copyOf(source, copy));
  try {
    await orAlreadyDone(aws.autoScaling.send(command), 'AlreadyExistsFault');
  } catch (error) {
    throw withWhatHelps(error, copy.group);
  }
}

function withWhatHelps(error: unknown, group: string): unknown {
  if (error instanceof Error && /not (available|supported) in your account/.test(error.message)) {
    return new LaunchConfigurationsUnavailable(group, error);
  }
  return hasCode(error, 'ValidationError', 'LimitExceededFault') ? new LaunchSpecRefused(error) : error;
}

/**
 * Every field that Create takes, but for kernel and RAM disk, which like its snapshots belong to the old image.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CreateLaunchConfiguration.html
 */
function copyOf(
  source: AwsLaunchConfiguration,
  { name, image, snapshots }: Copy,
): CreateLaunchConfigurationType {
  return withoutEmptyStrings({
    LaunchConfigurationName: name,
    ImageId: image.imageId,
    KeyName: source.KeyName,
    SecurityGroups: source.SecurityGroups,
    ClassicLinkVPCId: source.ClassicLinkVPCId,
    ClassicLinkVPCSecurityGroups: source.ClassicLinkVPCSecurityGroups,
    UserData: source.UserData,
    InstanceType: source.InstanceType,
    BlockDeviceMappings:
      source.BlockDeviceMappings &&
      withSnapshots(source.BlockDeviceMappings, snapshots).map(withoutEmptyStrings),
    InstanceMonitoring: source.InstanceMonitoring,
    SpotPrice: source.SpotPrice,
    IamInstanceProfile: source.IamInstanceProfile,
    EbsOptimized: source.EbsOptimized,
    AssociatePublicIpAddress: source.AssociatePublicIpAddress,
    PlacementTenancy: source.PlacementTenancy,
    MetadataOptions: source.MetadataOptions,
  });
}

/** Describe answers an empty string for what isn't there, which Create refuses. */
export function withoutEmptyStrings<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Fields;
}

/** Deletes one of ours. One that a group has come to use meanwhile stays; one that is gone is no fault. */
export async function deleteLaunchConfiguration({ autoScaling }: Aws, name: string): Promise<void> {
  try {
    const command = new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: name });
    await orAlreadyDone(autoScaling.send(command), 'ResourceInUseFault');
  } catch (error) {
    // AWS has no code of its own for a name that is gone.
    if (!hasCode(error, 'ValidationError') || !/not found/i.test(error.message)) throw error;
  }
}
