import {
  type LaunchConfiguration as AwsLaunchConfiguration,
  CreateLaunchConfigurationCommand,
  type CreateLaunchConfigurationType,
  DeleteLaunchConfigurationCommand,
} from '@aws-sdk/client-auto-scaling';
import type { ActionData } from '../core/actions/decision.ts';
import { withVolumes } from './block-devices.ts';
import type { Aws } from './clients.ts';
import { hasCode, orAlreadyDone, StaleObservation } from './errors.ts';
import { wholeLaunchConfigurations } from './launch-configurations.ts';
import { LaunchConfigurationsUnavailable, LaunchSpecRefused } from './refused.ts';

/** What to make a copy from. */
export type LaunchConfigurationCopy = ActionData['copy-launch-configuration'];

/**
 * Copies a launch configuration under another name with another image. Its name says what it was copied from
 * and for which image, so anybody may have made another under it: that one goes.
 *
 * @throws StaleObservation if the source is gone, or what stands under the name is there and not shown
 * @throws LaunchConfigurationsUnavailable
 * @throws LaunchSpecRefused
 */
export async function copyLaunchConfiguration(aws: Aws, copy: LaunchConfigurationCopy): Promise<void> {
  const [source] = await wholeLaunchConfigurations(aws, [copy.source]);
  if (source === undefined) throw new StaleObservation(`launch configuration ${copy.source} is gone`);
  const { group, name } = copy;
  const wanted = copyOf(source, copy);
  if (await isCreated(aws, wanted, group)) return;
  const [found] = await wholeLaunchConfigurations(aws, [name]);
  if (found === undefined) throw new StaleObservation(`launch configuration ${name} isn't shown yet`);
  if (isSame(settingsOf(found), wanted)) return;
  await deleteLaunchConfiguration(aws, name);
  if (await isCreated(aws, wanted, group)) return;
  throw new LaunchSpecRefused(new Error(`${name} is no copy of ${copy.source}, though some group uses it`));
}

/** False if there is one of that name. */
async function isCreated(aws: Aws, wanted: CreateLaunchConfigurationType, group: string): Promise<boolean> {
  try {
    await aws.autoScaling.send(new CreateLaunchConfigurationCommand(wanted));
    return true;
  } catch (error) {
    if (hasCode(error, 'AlreadyExistsFault')) return false;
    throw asLaunchSpecFault(error, group);
  }
}

function asLaunchSpecFault(error: unknown, group: string): unknown {
  if (error instanceof Error && /not (available|supported) in your account/.test(error.message)) {
    return new LaunchConfigurationsUnavailable(group, error);
  }
  return hasCode(error, 'ValidationError', 'LimitExceededFault') ? new LaunchSpecRefused(error) : error;
}

function copyOf(
  source: AwsLaunchConfiguration,
  { name, image, volumes }: LaunchConfigurationCopy,
): CreateLaunchConfigurationType {
  const { BlockDeviceMappings: mappings, ...settings } = settingsOf(source);
  return {
    ...settings,
    LaunchConfigurationName: name,
    ImageId: image.imageId,
    ...(mappings && { BlockDeviceMappings: withVolumes(mappings, volumes) }),
  };
}

/**
 * Every field that Create takes, except kernel and RAM disk, which like its snapshots belong to the old
 * image. https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CreateLaunchConfiguration.html
 */
function settingsOf(described: AwsLaunchConfiguration): CreateLaunchConfigurationType {
  return withoutEmptyStrings({
    LaunchConfigurationName: described.LaunchConfigurationName,
    ImageId: described.ImageId,
    KeyName: described.KeyName,
    SecurityGroups: described.SecurityGroups,
    ClassicLinkVPCId: described.ClassicLinkVPCId,
    ClassicLinkVPCSecurityGroups: described.ClassicLinkVPCSecurityGroups,
    UserData: described.UserData,
    InstanceType: described.InstanceType,
    BlockDeviceMappings: described.BlockDeviceMappings?.map(withoutEmptyStrings),
    InstanceMonitoring: described.InstanceMonitoring,
    SpotPrice: described.SpotPrice,
    IamInstanceProfile: described.IamInstanceProfile,
    EbsOptimized: described.EbsOptimized,
    AssociatePublicIpAddress: described.AssociatePublicIpAddress,
    PlacementTenancy: described.PlacementTenancy,
    MetadataOptions: described.MetadataOptions,
  });
}

/** Whatever the order of keys and lists. A volume that isn't encrypted needn't say so. */
function isSame(one: CreateLaunchConfigurationType, other: CreateLaunchConfigurationType): boolean {
  return comparable(one) === comparable(other);
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(comparable).sort());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const fields = Object.entries(value).map(([key, field]) => [key, comparable(field)] as const);
  const said = fields.filter(([key, field]) => !['', '[]'].includes(field) && !isUnencrypted(key, field));
  return JSON.stringify(said.sort());
}

function isUnencrypted(key: string, field: string): boolean {
  return key === 'Encrypted' && field === 'false';
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
