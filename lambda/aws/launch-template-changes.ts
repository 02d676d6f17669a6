import {
  CreateLaunchTemplateVersionCommand,
  type CreateLaunchTemplateVersionCommandInput,
  DeleteLaunchTemplateVersionsCommand,
  type LaunchTemplateVersion,
  ModifyLaunchTemplateCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import type { ActionData } from '../core/actions/decision.ts';
import { versionDescription } from '../core/launch-spec/own-launch-specs.ts';
import { piecesOf } from '../core/model/pieces.ts';
import { EC2_LAG_SECONDS, isOver } from '../core/model/time.ts';
import type { Seal } from '../tags/trusted-tags.ts';
import { withVolumes } from './block-devices.ts';
import type { Aws } from './clients.ts';
import { FailureAnswered, orNotYet, StaleObservation } from './errors.ts';
import { faultOf } from './faults.ts';
import { findVersion, VERSION_UNKNOWN, VERSIONS } from './launch-templates.ts';
import { LaunchSpecRefused } from './refused.ts';

/** What to make a version from. */
type NewTemplateVersion = ActionData['create-launch-template-version'];

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
 * @returns its number: nothing else proves a version to be ours, as anybody may give theirs the words of ours
 * @throws StaleObservation if the source is gone, or not there yet
 * @throws LaunchSpecRefused also for what EC2 only warns of: "parameters or parameter combinations that are
 *   not valid"
 */
export async function createTemplateVersion(
  aws: Aws,
  version: NewTemplateVersion,
  now: Date,
): Promise<number | undefined> {
  const { templateId, sourceVersion, imageId } = version;
  const data = { ImageId: imageId, ...(await mappingsOf(aws, version)) };
  const request = {
    LaunchTemplateId: templateId,
    SourceVersion: String(sourceVersion),
    VersionDescription: versionDescription(sourceVersion, imageId),
    LaunchTemplateData: data,
  };
  let made: LaunchTemplateVersion | undefined;
  // One of ours that EC2 finds at fault mustn't stay: a group on `$Latest` would launch from it.
  const takeBack = (version: number) => deleteTemplateVersions(aws, templateId, [version]);
  do {
    const token = tokenOf(await aws.seal(), request, version, made?.VersionNumber);
    made = await create(aws, { ...request, ClientToken: token }, takeBack);
  } while (made !== undefined && (await isDeleted(aws, templateId, made, now)));
  return made?.VersionNumber;
}

async function create(
  { ec2 }: Aws,
  request: CreateLaunchTemplateVersionCommandInput,
  takeBack: (version: number) => Promise<void>,
): Promise<LaunchTemplateVersion | undefined> {
  const { LaunchTemplateVersion: made, Warning } = await orRefused(
    ec2.send(new CreateLaunchTemplateVersionCommand(request)),
  );
  const [fault] = Warning?.Errors ?? [];
  if (fault === undefined) return made;
  if (made?.VersionNumber !== undefined) await takeBack(made.VersionNumber);
  throw new LaunchSpecRefused(Object.assign(new Error(fault.Message), { name: fault.Code ?? 'Warning' }));
}

/** EC2 has a code for each thing that may be wrong, and models none. */
async function orRefused<Answer>(change: Promise<Answer>): Promise<Answer> {
  try {
    return await orNotYet(change, VERSION_UNKNOWN);
  } catch (error) {
    if (error instanceof StaleObservation || !(error instanceof Error)) throw error;
    throw faultOf(error).kind === 'refused' ? new LaunchSpecRefused(error) : error;
  }
}

async function isDeleted(
  aws: Aws,
  templateId: string,
  { VersionNumber, CreateTime }: LaunchTemplateVersion,
  now: Date,
): Promise<boolean> {
  if (CreateTime === undefined || !isOver(CreateTime, EC2_LAG_SECONDS, now)) return false;
  return (await findVersion(aws, templateId, String(VersionNumber))) === undefined;
}

async function mappingsOf(
  aws: Aws,
  { templateId, sourceVersion, volumes }: NewTemplateVersion,
): Promise<Pick<RequestLaunchTemplateData, 'BlockDeviceMappings'>> {
  const source = await findVersion(aws, templateId, String(sourceVersion));
  if (source === undefined) {
    throw new StaleObservation(`version ${sourceVersion} of launch template ${templateId} is gone`);
  }
  const mappings = source.LaunchTemplateData?.BlockDeviceMappings ?? [];
  const namesSnapshot = mappings.some(({ Ebs }) => Ebs?.SnapshotId);
  return namesSnapshot ? { BlockDeviceMappings: withVolumes(mappings, volumes) } : {};
}

/**
 * Makes a repeated call answer with the version that the first one made. The token belongs to the roll,
 * since a later roll may have to make the same version anew after this one is deleted. It has the time to
 * ten minutes, as two concurrent invocations may each have begun the roll. EC2 rejects a token that comes
 * with other data, so these are part of it, and nobody else can foresee it.
 *
 * @param deleted the number of the version that EC2 answers an earlier token with, and that is gone
 */
function tokenOf(
  seal: Seal,
  request: CreateLaunchTemplateVersionCommandInput,
  { groupUuid, requestedAt }: NewTemplateVersion,
  deleted?: number,
): string {
  const begun = requestedAt.toISOString().slice(0, 15);
  const asked = JSON.stringify([request, groupUuid, begun, deleted]);
  return seal.seal(asked, ['launch-template-version']).slice(asked.length + 1);
}

/** @throws StaleObservation if there is no such version, or not yet */
export async function setDefaultTemplateVersion(
  { ec2 }: Aws,
  templateId: string,
  version: number,
): Promise<void> {
  const input = { LaunchTemplateId: templateId, DefaultVersion: String(version) };
  await orNotYet(ec2.send(new ModifyLaunchTemplateCommand(input)), VERSION_UNKNOWN);
}

/** Deletes versions. One that is already gone is no error; one that can't be deleted is. */
export async function deleteTemplateVersions(
  { ec2 }: Aws,
  templateId: string,
  versions: readonly number[],
): Promise<void> {
  for (const batch of piecesOf(versions.map(String), VERSIONS)) {
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
