import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  type Instance as Member,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import {
  type ContainerInstance,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  paginateListContainerInstances,
  paginateListServices,
  paginateListTasks,
  type Service,
} from '@aws-sdk/client-ecs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { Job } from './roller.ts';

const NEWEST_IMAGE = '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id';

const MOST_CONTAINER_INSTANCES = 100;
const MOST_SERVICES = 10;

/** The image that Amazon recommends for ECS on Amazon Linux 2023. */
export async function newestImageId({ ssm }: Job): Promise<string> {
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: NEWEST_IMAGE }));
  return demand(Parameter?.Value, 'no newest image');
}

/** The group that launched the first of the cluster's instances which one launched. */
export async function groupNameOf(job: Job): Promise<string> {
  const ids = (await containerInstancesOf(job)).map((one) => one.ec2InstanceId ?? '');
  const { Reservations = [] } = await job.ec2.send(new DescribeInstancesCommand({ InstanceIds: ids }));
  const tags = Reservations.flatMap(({ Instances = [] }) => Instances).flatMap(({ Tags = [] }) => Tags);
  return demand(tags.find(({ Key }) => Key === 'aws:autoscaling:groupName')?.Value, 'no group');
}

export async function describeGroup({ autoScaling }: Job, name: string): Promise<AutoScalingGroup> {
  const command = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] });
  const { AutoScalingGroups } = await autoScaling.send(command);
  return demand(AutoScalingGroups?.[0], `no group ${name}`);
}

/** By their ids. */
export const idsOf = (members: readonly Member[] = []) => members.map(({ InstanceId = '' }) => InstanceId);

/** Those of the ids that run another image than the given. */
export async function outdated(job: Job, ids: readonly string[], imageId: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const { Reservations = [] } = await job.ec2.send(new DescribeInstancesCommand({ InstanceIds: [...ids] }));
  return Reservations.flatMap(({ Instances = [] }) => Instances)
    .filter(({ ImageId }) => ImageId !== imageId)
    .map(({ InstanceId = '' }) => InstanceId);
}

/** All of the cluster. */
export async function containerInstancesOf({ ecs, cluster }: Job): Promise<ContainerInstance[]> {
  const found: ContainerInstance[] = [];
  for await (const page of paginateListContainerInstances({ client: ecs }, { cluster }))
    for (const containerInstances of chunks(page.containerInstanceArns ?? [], MOST_CONTAINER_INSTANCES)) {
      const command = new DescribeContainerInstancesCommand({ cluster, containerInstances });
      found.push(...((await ecs.send(command)).containerInstances ?? []));
    }
  return found;
}

/** How many tasks on a container instance have not stopped, including those that ECS has told to stop. */
export async function tasksLeftOn({ ecs, cluster }: Job, containerInstance: string): Promise<number> {
  let left = 0;
  for (const desiredStatus of ['RUNNING', 'STOPPED'] as const)
    for await (const { taskArns: tasks = [] } of paginateListTasks(
      { client: ecs },
      { cluster, containerInstance, desiredStatus },
    )) {
      if (tasks.length === 0) continue;
      const described = await ecs.send(new DescribeTasksCommand({ cluster, tasks }));
      left += (described.tasks ?? []).filter(({ lastStatus }) => lastStatus !== 'STOPPED').length;
    }
  return left;
}

export async function servicesOf({ ecs, cluster }: Job): Promise<Service[]> {
  const found: Service[] = [];
  for await (const page of paginateListServices({ client: ecs, pageSize: 100 }, { cluster }))
    for (const services of chunks(page.serviceArns ?? [], MOST_SERVICES))
      found.push(...((await ecs.send(new DescribeServicesCommand({ cluster, services }))).services ?? []));
  return found;
}

/** Polls until it is so. @throws Error when it isn't in time */
export async function until(
  { sleep }: Job,
  what: string,
  isSo: () => Promise<boolean>,
  { everySeconds = 5, timeoutSeconds = 1800 } = {},
): Promise<void> {
  for (let waited = 0; waited < timeoutSeconds; waited += everySeconds) {
    if (await isSo()) return;
    await sleep(everySeconds);
  }
  throw new Error(`gave up waiting for ${what}`);
}

export function chunks<Item>(items: readonly Item[], most: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}

export function demand<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
