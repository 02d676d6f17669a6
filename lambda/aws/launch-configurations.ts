import {
  type LaunchConfiguration as AwsLaunchConfiguration,
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
  DescribeAccountLimitsCommand,
  paginateDescribeLaunchConfigurations,
} from '@aws-sdk/client-auto-scaling';
import { batches } from '../core/group/budget.ts';
import type { Image, MappedDevice, VolumeSource } from '../core/model/launch.ts';
import { uuidIn } from './autoscaling.ts';
import { mappedDevices, withVolumes } from './block-devices.ts';
import type { Aws } from './clients.ts';
import {
  hasCode,
  LaunchConfigurationsUnavailable,
  LaunchSpecRefused,
  orAlreadyDone,
  StaleObservation,
} from './errors.ts';

/** The longest page; limit of names in a call. */
const PAGE = 100;
const NAMES = 50;

/** A launch configuration, as far as we need it. */
export interface DescribedLaunchConfiguration {
  readonly name: string;
  /** The UUID in its ARN. */
  readonly uuid: string;
  readonly imageId: string;
  readonly instanceType: string;
  /** The devices that it maps itself, on top of the image's. */
  readonly devices: readonly MappedDevice[];
  /** Name or ARN, if it names one. */
  readonly instanceProfile?: string;
  readonly createdAt: Date;
}

/**
 * Launch configurations by name; all of them without names. A name that doesn't exist is missing from the
 * result.
 */
export async function describeLaunchConfigurations(
  aws: Aws,
  names?: readonly string[],
): Promise<DescribedLaunchConfiguration[]> {
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
  const found: AwsLaunchConfiguration[] = [];
  const named = names && batches(names, NAMES);
  for (const input of named?.map((batch) => ({ LaunchConfigurationNames: batch })) ?? [{}]) {
    const pages = paginateDescribeLaunchConfigurations({ client: autoScaling, pageSize: PAGE }, input);
    for await (const { LaunchConfigurations = [] } of pages) found.push(...LaunchConfigurations);
  }
  return found;
}

/** How many more launch configurations this account may have in this Region. */
export async function describeLaunchConfigurationsLeft({ autoScaling }: Aws): Promise<number> {
  const { MaxNumberOfLaunchConfigurations: most = 0, NumberOfLaunchConfigurations: there = 0 } =
    await autoScaling.send(new DescribeAccountLimitsCommand({}));
  return Math.max(0, most - there);
}

/** What to make a copy from. */
export interface LaunchConfigurationCopy {
  readonly group: string;
  readonly source: string;
  readonly name: string;
  readonly image: Image;
  /** What its volumes are made from. */
  readonly volumes: readonly VolumeSource[];
}

/**
 * Copies a launch configuration under another name with another image. If the copy exists, it is the same
 * one: its name says what it was copied from and for which image.
 *
 * @throws StaleObservation if the source is gone
 * @throws LaunchConfigurationsUnavailable
 * @throws LaunchSpecRefused
 */
export async function copyLaunchConfiguration(aws: Aws, copy: LaunchConfigurationCopy): Promise<void> {
  const [source] = await describe(aws, [copy.source]);
  if (source === undefined) throw new StaleObservation(`launch configuration ${copy.source} is gone`);
  const command = new CreateLaunchConfigurationCommand(copyOf(source, copy));
  try {
    await orAlreadyDone(aws.autoScaling.send(command), 'AlreadyExistsFault');
  } catch (error) {
    throw asLaunchSpecFault(error, copy.group);
  }
}

function asLaunchSpecFault(error: unknown, group: string): unknown {
  if (error instanceof Error && /not (available|supported) in your account/.test(error.message)) {
    return new LaunchConfigurationsUnavailable(group, error);
  }
  return hasCode(error, 'ValidationError', 'LimitExceededFault') ? new LaunchSpecRefused(error) : error;
}

/**
 * Every field that Create takes, except kernel and RAM disk, which like its snapshots belong to the old
 * image. https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CreateLaunchConfiguration.html
 */
function copyOf(
  source: AwsLaunchConfiguration,
  { name, image, volumes }: LaunchConfigurationCopy,
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
      source.BlockDeviceMappings && withVolumes(source.BlockDeviceMappings, volumes).map(withoutEmptyStrings),
    InstanceMonitoring: source.InstanceMonitoring,
    SpotPrice: source.SpotPrice,
    IamInstanceProfile: source.IamInstanceProfile,
    EbsOptimized: source.EbsOptimized,
    AssociatePublicIpAddress: source.AssociatePublicIpAddress,
    PlacementTenancy: source.PlacementTenancy,
    MetadataOptions: source.MetadataOptions,
  });
}

/** Describe answers empty strings for missing fields, which Create rejects. */
export function withoutEmptyStrings<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Fields;
}

/**
 * Deletes one of our launch configurations. One that a group uses by now stays; one that is gone is no
 * error.
 */
export async function deleteLaunchConfiguration({ autoScaling }: Aws, name: string): Promise<void> {
  try {
    const command = new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: name });
    await orAlreadyDone(autoScaling.send(command), 'ResourceInUseFault');
  } catch (error) {
    // AWS has no separate code for a name that is gone.
    if (!hasCode(error, 'ValidationError') || !/not found/i.test(error.message)) throw error;
  }
}
