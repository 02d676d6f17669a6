import { createHash } from 'node:crypto';
import {
  CreateLaunchTemplateVersionCommand,
  type CreateLaunchTemplateVersionCommandInput,
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
import { isOver } from '../core/model/time.ts';
import { mappedDevices, withSnapshots } from './block-devices.ts';
import type { Aws } from './clients.ts';
import { FailureAnswered, hasCode, LaunchSpecRefused, StaleObservation } from './errors.ts';
import { faultOf } from './faults.ts';

/** Limit of versions in a delete call; the longest page of a list. */
const VERSIONS = 200;

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
}

/**
 * The version that a reference resolves to.
 *
 * @param version `$Latest`, `$Default` or a number
 * @returns undefined if there is no such version
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

/** What to make a version from. */
export interface NewTemplateVersion {
  readonly sourceVersion: number;
  readonly imageId: string;
  readonly requestedAt: Date;
  /** The snapshots to make its volumes from. */
  readonly snapshots: readonly VolumeSnapshot[];
  /**
   * Two groups may want the same version: if one makes it and deletes it again, the other mustn't get that
   * as its answer.
   */
  readonly groupUuid: string;
}

/** What was made this long ago shows in every answer of EC2, which may lag. */
const SHOWN_AFTER_SECONDS = 60;

/**
 * Makes a version that differs from its source only in the image. EC2 copies the rest, but drops every
 * snapshot that isn't sent, so that a data volume would come up empty: if the source names one, we send its
 * mappings whole.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateLaunchTemplateVersion.html
 *
 * A token that EC2 knows makes nothing, even if somebody has deleted what it once made. Then the next token
 * names the deleted version, so that all who ask for it still get the same one.
 * https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html
 *
 * @throws StaleObservation if the source is gone
 * @throws LaunchSpecRefused
 */
export async function createTemplateVersion(
  aws: Aws,
  templateId: string,
  version: NewTemplateVersion,
  now: Date,
): Promise<void> {
  const { sourceVersion, imageId } = version;
  const data = { ImageId: imageId, ...(await mappingsOf(aws, templateId, version)) };
  const request = {
    LaunchTemplateId: templateId,
    SourceVersion: String(sourceVersion),
    VersionDescription: versionDescription(sourceVersion, imageId),
    LaunchTemplateData: data,
  };
  const token = tokenOf(templateId, version, data);
  let made = await create(aws, { ...request, ClientToken: token });
  while (made !== undefined && (await isDeleted(aws, templateId, made, now)))
    made = await create(aws, { ...request, ClientToken: `${token}-${made.VersionNumber}` });
}

async function create(
  { ec2 }: Aws,
  request: CreateLaunchTemplateVersionCommandInput,
): Promise<LaunchTemplateVersion | undefined> {
  try {
    const { LaunchTemplateVersion: made } = await ec2.send(new CreateLaunchTemplateVersionCommand(request));
    return made;
  } catch (error) {
    // EC2 has a code for each thing that may be wrong, and models none.
    throw error instanceof Error && faultOf(error).kind === 'refused' ? new LaunchSpecRefused(error) : error;
  }
}

async function isDeleted(
  aws: Aws,
  templateId: string,
  { VersionNumber, CreateTime }: LaunchTemplateVersion,
  now: Date,
): Promise<boolean> {
  if (CreateTime === undefined || !isOver(CreateTime, SHOWN_AFTER_SECONDS, now)) return false;
  return (await findVersion(aws, templateId, String(VersionNumber))) === undefined;
}

async function mappingsOf(
  aws: Aws,
  templateId: string,
  { sourceVersion, snapshots }: NewTemplateVersion,
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
 * Makes a repeated call answer with the version that the first one made. The token belongs to the roll,
 * since a later roll may have to make the same version anew after this one is deleted. It has the time to
 * ten minutes, as two concurrent invocations may each have begun the roll. EC2 rejects a token that comes
 * with other data, so it includes their hash. At most 128 characters.
 */
function tokenOf(
  templateId: string,
  { sourceVersion, imageId, groupUuid, requestedAt }: NewTemplateVersion,
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

/** Deletes versions. One that is already gone is no error; one that can't be deleted is. */
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
