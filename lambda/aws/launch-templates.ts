import { createHash } from 'node:crypto';
import {
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplateVersionsCommand,
  type LaunchTemplateVersion,
  ModifyLaunchTemplateCommand,
  paginateDescribeLaunchTemplateVersions,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { batches } from '../core/group/budget.ts';
import { versionDescription } from '../core/launch-spec/own-launch-specs.ts';
import type { MappedDevice, VolumeSnapshot } from '../core/model/launch.ts';
import { mappedDevices, withSnapshots } from './block-devices.ts';
import type { Aws } from './clients.ts';
import { FailureAnswered, hasCode, LaunchSpecRefused, StaleObservation } from './errors.ts';
import { faultOf } from './faults.ts';

/** Most versions in one call to delete; the longest page of a list. */
const VERSIONS = 200;

/** One version of a launch template, as far as it matters here. */
export interface TemplateVersion {
  readonly version: number;
  readonly description: string;
  readonly isDefault: boolean;
  /** An id, or `resolve:ssm:…`; undefined where the template names none. */
  readonly imageId?: string;
  /** Undefined where the template names none. */
  readonly instanceType?: string;
  /** What it maps itself, over what the image does. */
  readonly devices: readonly MappedDevice[];
  /** Name or ARN; undefined where the template names none. */
  readonly instanceProfile?: string;
}

/**
 * The version that a reference comes to.
 *
 * @param version `$Latest`, `$Default` or a number
 * @returns undefined when there is no such version
 */
export async function describeTemplateVersion(
  aws: Aws,
  templateId: string,
  version: string,
): Promise<TemplateVersion | undefined> {
  const found = await findVersion(aws, templateId, version);
  return found && versionOf(found);
}

async function findVersion(
  { ec2 }: Aws,
  templateId: string,
  version: string,
): Promise<LaunchTemplateVersion | undefined> {
  const command = new DescribeLaunchTemplateVersionsCommand({
    LaunchTemplateId: templateId,
    Versions: [version],
  });
  try {
    const { LaunchTemplateVersions = [] } = await ec2.send(command);
    return LaunchTemplateVersions[0];
  } catch (error) {
    if (!hasCode(error, 'InvalidLaunchTemplateId.VersionNotFound')) throw error;
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
  };
}

/** What a version is made of. */
export interface VersionToMake {
  readonly sourceVersion: number;
  readonly imageId: string;
  readonly requestedAt: Date;
  /** Those that its volumes are made from. */
  readonly snapshots: readonly VolumeSnapshot[];
  /** Two groups may want the same: what one has made and taken back is not to be the other's answer. */
  readonly groupUuid: string;
}

/**
 * Makes a version that differs from its source in the image alone. EC2 carries the rest over, but leaves every snapshot out
 * that isn't sent, so that a data volume would come up empty: where the source names one, its mappings are sent whole.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateLaunchTemplateVersion.html
 *
 * @throws StaleObservation when the source is gone
 * @throws LaunchSpecRefused
 */
export async function createTemplateVersion(
  aws: Aws,
  templateId: string,
  version: VersionToMake,
): Promise<void> {
  const { sourceVersion, imageId } = version;
  const data = { ImageId: imageId, ...(await mappingsOf(aws, templateId, version)) };
  const command = new CreateLaunchTemplateVersionCommand({
    LaunchTemplateId: templateId,
    SourceVersion: String(sourceVersion),
    VersionDescription: versionDescription(sourceVersion, imageId),
    LaunchTemplateData: data,
    ClientToken: tokenOf(templateId, version, data),
  });
  try {
    await aws.ec2.send(command);
  } catch (error) {
    // EC2 has a code for each thing that may be wrong with it, and models none.
    throw error instanceof Error && faultOf(error).kind === 'refused' ? new LaunchSpecRefused(error) : error;
  }
}

async function mappingsOf(
  aws: Aws,
  templateId: string,
  { sourceVersion, snapshots }: VersionToMake,
): Promise<Pick<RequestLaunchTemplateData, 'BlockDeviceMappings'>> {
  const source = await findVersion(aws, templateId, String(sourceVersion));
  if (source === undefined) {
    throw new StaleObservation(`version ${sourceVersion} of launch template ${templateId} is gone`);
  }
  const mappings = source.LaunchTemplateData?.BlockDeviceMappings ?? [];
  const namesSnapshot = mappings.some(({ Ebs }) => Ebs?.SnapshotId);
  return namesSnapshot ? { BlockDeviceMappings: withSnapshots(mappings, snapshots) } : {};
}

/**
 * Lets a repeated call answer with the version that the first one made. It is the roll's own, as that version may be taken
 * back, and made anew by a later roll; to ten minutes, as two invocations at once may each have begun it. EC2 refuses a token
 * that comes with other data, so these are in it. At most 128 characters.
 */
function tokenOf(
  templateId: string,
  { sourceVersion, imageId, groupUuid, requestedAt }: VersionToMake,
  data: RequestLaunchTemplateData,
): string {
  const digest = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);
  const begun = requestedAt.toISOString().slice(0, 15);
  return `${templateId}-${sourceVersion}-${imageId}-${groupUuid.slice(0, 8)}-${begun}-${digest}`;
}

export async function setDefaultTemplateVersion(
  { ec2 }: Aws,
  templateId: string,
  version: number,
): Promise<void> {
  await ec2.send(
    new ModifyLaunchTemplateCommand({ LaunchTemplateId: templateId, DefaultVersion: String(version) }),
  );
}

/** What has been deleted before is no fault; any other version that can't be deleted is. */
export async function deleteTemplateVersions(
  { ec2 }: Aws,
  templateId: string,
  versions: readonly number[],
): Promise<void> {
  for (const batch of batches(versions.map(String), VERSIONS)) {
    const command = new DeleteLaunchTemplateVersionsCommand({
      LaunchTemplateId: templateId,
      Versions: batch,
    });
    const { UnsuccessfullyDeletedLaunchTemplateVersions: failures = [] } = await ec2.send(command);
    const failure = failures.find(
      ({ ResponseError }) => ResponseError?.Code !== 'launchTemplateVersionDoesNotExist',
    );
    if (failure === undefined) continue;
    const { VersionNumber, ResponseError } = failure;
    throw new FailureAnswered(
      `version ${VersionNumber} of launch template ${templateId} can't be deleted: ${ResponseError?.Message}`,
    );
  }
}
