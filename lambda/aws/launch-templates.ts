import {
  DescribeLaunchTemplateVersionsCommand,
  type LaunchTemplateVersion,
  paginateDescribeLaunchTemplateVersions,
  type ResponseLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import type { MappedDevice, Reserved } from '../core/model/launch.ts';
import { mappedDevices } from './block-devices.ts';
import { reservedByTemplate } from './capacity-reservations.ts';
import type { Aws } from './clients.ts';
import { hasCode } from './errors.ts';

/** Limit of versions in a delete call; the longest page of a list. */
export const VERSIONS = 200;

export const VERSION_UNKNOWN = 'InvalidLaunchTemplateId.VersionNotFound';

/** A version of a launch template, as far as we need it. */
export interface TemplateVersion {
  readonly version: number;
  readonly description: string;
  readonly isDefault: boolean;
  /** An id, or `resolve:ssm:…`; undefined if the template names none. */
  readonly imageId?: string;
  /** Undefined if the template names none. */
  readonly instanceType?: string;
  /** The devices that it maps itself, on top of the image's. */
  readonly devices: readonly MappedDevice[];
  /** Name or ARN; undefined if the template names none. */
  readonly instanceProfile?: string;
  readonly reserved?: Reserved;
  /** An existing one that its instance gets; undefined if it names none. */
  readonly networkInterface?: string;
}

/** The version that `$Latest`, `$Default` or a number resolves to; undefined if there is none. */
export async function describeTemplateVersion(
  aws: Aws,
  templateId: string,
  version: string,
): Promise<TemplateVersion | undefined> {
  const found = await findVersion(aws, templateId, version);
  return found && versionOf(found);
}

export async function findVersion({ ec2 }: Aws, LaunchTemplateId: string, version: string) {
  const command = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: [version] });
  try {
    const { LaunchTemplateVersions: [found] = [] } = await ec2.send(command);
    return found;
  } catch (error) {
    if (!hasCode(error, VERSION_UNKNOWN)) throw error;
    return undefined;
  }
}

/** Every version of a template. */
export async function listTemplateVersions({ ec2 }: Aws, templateId: string): Promise<TemplateVersion[]> {
  const pages = paginateDescribeLaunchTemplateVersions(
    { client: ec2, pageSize: VERSIONS },
    { LaunchTemplateId: templateId },
  );
  const found: TemplateVersion[] = [];
  for await (const { LaunchTemplateVersions = [] } of pages)
    found.push(...LaunchTemplateVersions.map(versionOf));
  return found;
}

function versionOf(version: LaunchTemplateVersion): TemplateVersion {
  const { VersionNumber = 0, VersionDescription = '', DefaultVersion = false, LaunchTemplateData } = version;
  const { Arn, Name } = LaunchTemplateData?.IamInstanceProfile ?? {};
  return {
    version: VersionNumber,
    description: VersionDescription,
    isDefault: DefaultVersion,
    imageId: LaunchTemplateData?.ImageId || undefined,
    instanceType: LaunchTemplateData?.InstanceType || undefined,
    devices: mappedDevices(LaunchTemplateData?.BlockDeviceMappings),
    instanceProfile: Arn || Name || undefined,
    reserved: reservedByTemplate(LaunchTemplateData?.CapacityReservationSpecification),
    networkInterface: networkInterfaceIn(LaunchTemplateData),
  };
}

/** "You must include one existing network interface with a device index of 0", if any. */
function networkInterfaceIn({ NetworkInterfaces = [] }: ResponseLaunchTemplateData = {}) {
  return NetworkInterfaces.find((each) => each.NetworkInterfaceId)?.NetworkInterfaceId;
}
