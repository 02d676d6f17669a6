import { type AutoScalingGroup, UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateVersionCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplateVersionsCommand,
  ModifyLaunchTemplateCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import {
  DeregisterContainerInstanceCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { chunks, demand } from './look.ts';
import type { Job } from './roller.ts';

const MOST_DRAINED_AT_ONCE = 10;

/**
 * A version like the one that the group launches but for the image and for the snapshot of its root volume,
 * which is the old image's. SourceVersion alone would lose the snapshots of the other volumes, too:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateLaunchTemplateVersion.html
 */
export async function launchFrom(job: Job, group: AutoScalingGroup, ImageId: string): Promise<void> {
  const { LaunchTemplateId, Version = '$Default' } = templateOf(group);
  const command = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: [Version] });
  const { LaunchTemplateVersions = [] } = await job.ec2.send(command);
  const { BlockDeviceMappings = [] } = LaunchTemplateVersions[0]?.LaunchTemplateData ?? {};
  const root = await rootDeviceOf(job, ImageId);
  const mappings = BlockDeviceMappings.map(({ Ebs, ...rest }) =>
    rest.DeviceName === root ? { ...rest, Ebs: { ...Ebs, SnapshotId: undefined } } : { ...rest, Ebs },
  );
  const data = { ImageId, ...(mappings.length > 0 && { BlockDeviceMappings: mappings }) };
  await follow(job, group, await addVersion(job, group, data, Version));
}

async function rootDeviceOf({ ec2 }: Job, imageId: string): Promise<string | undefined> {
  const { Images } = await ec2.send(new DescribeImagesCommand({ ImageIds: [imageId] }));
  return Images?.[0]?.RootDeviceName;
}

/**
 * @param sourceVersion of which the new one has what isn't given. Default: of none. The answer is its number
 */
export async function addVersion(
  { ec2 }: Job,
  group: AutoScalingGroup,
  data: RequestLaunchTemplateData,
  sourceVersion?: string,
): Promise<string> {
  const { LaunchTemplateId } = templateOf(group);
  const made = await ec2.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateId,
      LaunchTemplateData: data,
      ...(sourceVersion !== undefined && { SourceVersion: sourceVersion }),
    }),
  );
  return String(demand(made.LaunchTemplateVersion?.VersionNumber, 'no version was made'));
}

/** Makes the group launch the version, through whichever kind of reference it uses. */
export async function follow(job: Job, group: AutoScalingGroup, version: string): Promise<void> {
  const { Version = '$Default' } = templateOf(group);
  if (Version === '$Latest') return;
  if (Version === '$Default') await makeDefault(job, group, version);
  else await launchVersion(job, group, version);
}

export async function makeDefault({ ec2 }: Job, group: AutoScalingGroup, version: string): Promise<void> {
  const { LaunchTemplateId } = templateOf(group);
  await ec2.send(new ModifyLaunchTemplateCommand({ LaunchTemplateId, DefaultVersion: version }));
}

export async function launchVersion(job: Job, group: AutoScalingGroup, version: string): Promise<void> {
  const { AutoScalingGroupName } = group;
  const { LaunchTemplateId } = templateOf(group);
  const LaunchTemplate = { LaunchTemplateId, Version: version };
  await job.autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, LaunchTemplate }));
}

export const templateOf = ({ LaunchTemplate, AutoScalingGroupName }: AutoScalingGroup) =>
  demand(LaunchTemplate, `${AutoScalingGroupName} has no launch template`);

export async function setSizes(
  { autoScaling }: Job,
  { AutoScalingGroupName }: AutoScalingGroup,
  sizes: Partial<Pick<AutoScalingGroup, 'MinSize' | 'DesiredCapacity' | 'MaxSize'>>,
): Promise<void> {
  await autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...sizes }));
}

export async function drain({ ecs, cluster }: Job, arns: readonly string[]): Promise<void> {
  for (const containerInstances of chunks(arns, MOST_DRAINED_AT_ONCE))
    await ecs.send(
      new UpdateContainerInstancesStateCommand({ cluster, containerInstances, status: 'DRAINING' }),
    );
}

export async function deregister({ ecs, cluster }: Job, containerInstance: string, force: boolean) {
  await ecs.send(new DeregisterContainerInstanceCommand({ cluster, containerInstance, force }));
}
