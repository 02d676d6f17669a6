import { type AutoScalingGroup, DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateTagsCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type RequestLaunchTemplateData,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { DescribeClustersCommand } from '@aws-sdk/client-ecs';
import { addVersion, deregister, launchVersion, makeDefault, templateOf } from '../change.ts';
import {
  containerInstancesOf,
  demand,
  describeGroup,
  groupNameOf,
  idsOf,
  servicesOf,
  until,
} from '../look.ts';
import type { Job, Roller } from '../roller.ts';

const IMAGE_NAMES = 'al2023-ami-ecs-hvm-*-x86_64';
const POLL_SECONDS = 5;
const POLLS_FOR_STABLE = 6;

/**
 * Detaches all members at once, and cuts each old instance off by force: what ECS doesn't know any more runs
 * on until its instance ends, and no service is asked what it can spare.
 */
export const ancestor: Roller = {
  name: 'ancestor',
  source:
    'silinternational/ecs-ami-deploy v3, upgrader.go, UpgradeCluster: without its search for orphans of earlier runs and its clean-up of old templates',
  async roll(job) {
    const name = await groupNameOf(job);
    const group = await describeGroup(job, name);
    const old = await containerInstancesOf(job);
    await launchNewest(job, group);
    await detachAll(job, group);
    const { DesiredCapacity = 0 } = group;
    await until(job, 'twice as many', async () => (await counts(job)).registered === 2 * DesiredCapacity);
    for (const { containerInstanceArn = '', ec2InstanceId = '' } of old) {
      await deregister(job, containerInstanceArn, true);
      await untilStable(job);
      await job.ec2.send(new TerminateInstancesCommand({ InstanceIds: [ec2InstanceId] }));
      await untilStable(job);
    }
  },
};

/** It promotes what is `$Latest`, reviewed or not, and makes it every other user's default. */
async function launchNewest(job: Job, group: AutoScalingGroup): Promise<void> {
  const { LaunchTemplateId } = templateOf(group);
  const command = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: ['$Latest'] });
  const { LaunchTemplateVersions } = await job.ec2.send(command);
  const { LaunchTemplateData } = demand(LaunchTemplateVersions?.[0], 'no version');
  const data = { ...LaunchTemplateData, ImageId: await newestByName(job) };
  // The program also takes an answer for a request: they only differ in what may be left out.
  const version = await addVersion(job, group, data as RequestLaunchTemplateData);
  await launchVersion(job, group, '$Latest');
  await makeDefault(job, group, version);
}

async function newestByName({ ec2 }: Job): Promise<string> {
  const Filters = [{ Name: 'name', Values: [IMAGE_NAMES] }];
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters, Owners: ['amazon'] }));
  const newestFirst = Images.sort((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''));
  return demand(newestFirst[0]?.ImageId, 'no image');
}

async function detachAll(job: Job, group: AutoScalingGroup): Promise<void> {
  const { AutoScalingGroupName = '' } = group;
  const InstanceIds = idsOf(group.Instances);
  const Tags = [
    { Key: 'ecs-ami-deploy-asg', Value: AutoScalingGroupName },
    { Key: 'ecs-ami-deploy-terminate', Value: 'true' },
  ];
  await job.ec2.send(new CreateTagsCommand({ Resources: InstanceIds, Tags }));
  const detachment = { AutoScalingGroupName, InstanceIds, ShouldDecrementDesiredCapacity: false };
  await job.autoScaling.send(new DetachInstancesCommand(detachment));
  await until(job, 'the least of the group', async () => {
    const { Instances = [], MinSize = 0 } = await describeGroup(job, AutoScalingGroupName);
    return Instances.filter(({ LifecycleState }) => LifecycleState === 'InService').length >= MinSize;
  });
}

/** No task is pending at six polls in a row, and each deployment has as many tasks as it wants. */
async function untilStable(job: Job): Promise<void> {
  let polls = 0;
  const isQuiet = async () => {
    polls = (await counts(job)).pending === 0 ? polls + 1 : 0;
    return polls >= POLLS_FOR_STABLE;
  };
  await job.sleep(POLL_SECONDS);
  await until(job, 'a stable cluster', isQuiet);
  await job.sleep(POLL_SECONDS);
  await until(job, 'complete deployments', () => areDeployed(job));
}

async function counts({ ecs, cluster }: Job) {
  const { clusters } = await ecs.send(new DescribeClustersCommand({ clusters: [cluster] }));
  const { registeredContainerInstancesCount, pendingTasksCount } = demand(clusters?.[0], `no ${cluster}`);
  return { registered: registeredContainerInstancesCount, pending: pendingTasksCount };
}

async function areDeployed(job: Job): Promise<boolean> {
  const services = await servicesOf(job);
  return services.every(
    ({ desiredCount, deployments = [] }) =>
      desiredCount === 0 ||
      (deployments.some((one) => one.status === 'PRIMARY' && one.desiredCount === one.runningCount) &&
        !deployments.some(({ status, runningCount = 0 }) => status === 'ACTIVE' && runningCount > 0)),
  );
}
