import {
  type LaunchConfiguration as AwsLaunchConfiguration,
  DescribeAccountLimitsCommand,
  paginateDescribeLaunchConfigurations,
} from '@aws-sdk/client-auto-scaling';
import type { MappedDevice } from '../core/model/launch.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { uuidIn } from './autoscaling.ts';
import { mappedDevices } from './block-devices.ts';
import type { Aws } from './clients.ts';

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
  const found = await wholeLaunchConfigurations(aws, names);
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

/** As Auto Scaling has them whole. */
export async function wholeLaunchConfigurations(
  { autoScaling }: Aws,
  names?: readonly string[],
): Promise<AwsLaunchConfiguration[]> {
  const found: AwsLaunchConfiguration[] = [];
  const named = names && piecesOf(names, NAMES);
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
