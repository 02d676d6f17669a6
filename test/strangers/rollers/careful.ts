import { DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { deregister, drain, launchFrom } from '../change.ts';
import {
  chunks,
  containerInstancesOf,
  demand,
  describeGroup,
  groupNameOf,
  idsOf,
  newestImageId,
  outdated,
  servicesOf,
  tasksLeftOn,
  until,
} from '../look.ts';
import type { Job, Roller } from '../roller.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DetachInstances.html */
const MOST_DETACHED_AT_ONCE = 20;

/** The plainest roller that hurts nobody. */
export const careful: Roller = {
  name: 'careful',
  source: 'https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html',
  roll: (job) => rollCarefully(job, { launchFrom, mark }),
};

/** The two steps that careless rollers make otherwise. */
interface Steps {
  readonly launchFrom: typeof launchFrom;
  readonly mark: typeof mark;
  /** How many instances drain at once. Default: one. */
  readonly atOnce?: number;
  /** Default: as AWS lists them. */
  readonly inOrder?: (job: Job, ids: readonly string[]) => Promise<readonly string[]>;
}

export async function rollCarefully(job: Job, steps: Steps): Promise<void> {
  const imageId = await newestImageId(job);
  const name = await groupNameOf(job);
  const group = await describeGroup(job, name);
  await steps.launchFrom(job, group, imageId);
  const old = await outdated(job, idsOf(group.Instances), imageId);
  await steps.mark(job, name, old);
  await replace(job, name, old, steps);
}

/** So that anyone who comes after a killed program knows what was detached. */
export async function mark({ ec2 }: Job, group: string, ids: readonly string[]): Promise<void> {
  const Tags = [{ Key: 'replaced-in', Value: group }];
  await ec2.send(new CreateTagsCommand({ Resources: [...ids], Tags }));
}

async function replace(job: Job, group: string, old: readonly string[], steps: Steps): Promise<void> {
  const { atOnce = 1, inOrder = async (_, ids) => ids } = steps;
  for (const InstanceIds of chunks(old, MOST_DETACHED_AT_ONCE))
    await job.autoScaling.send(
      new DetachInstancesCommand({
        AutoScalingGroupName: group,
        InstanceIds,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
  await until(job, 'replacements', () => isWhole(job, group));
  for (const ids of chunks(await inOrder(job, old), atOnce)) await end(job, ids);
}

/** As many members as are desired are InService, and all of them take tasks. */
async function isWhole(job: Job, name: string): Promise<boolean> {
  const { Instances = [], DesiredCapacity } = await describeGroup(job, name);
  const inService = idsOf(Instances.filter(({ LifecycleState }) => LifecycleState === 'InService'));
  if (inService.length !== DesiredCapacity) return false;
  const active = (await containerInstancesOf(job)).filter(
    ({ status, agentConnected }) => status === 'ACTIVE' && agentConnected,
  );
  return inService.every((id) => active.some(({ ec2InstanceId }) => ec2InstanceId === id));
}

async function end(job: Job, ids: readonly string[]): Promise<void> {
  const arns = await registrationsOf(job, ids);
  await until(job, 'steady services', () => areSteady(job));
  await drain(job, arns);
  for (const arn of arns)
    await until(job, `${arn} to be empty`, async () => (await tasksLeftOn(job, arn)) === 0);
  await until(job, 'steady services', () => areSteady(job));
  for (const arn of arns) await deregister(job, arn, false);
  await job.ec2.send(new TerminateInstancesCommand({ InstanceIds: [...ids] }));
}

/** Their ARNs. */
async function registrationsOf(job: Job, ids: readonly string[]): Promise<string[]> {
  const all = await containerInstancesOf(job);
  return ids.map((id) => {
    const found = all.find(({ ec2InstanceId }) => ec2InstanceId === id);
    return demand(found?.containerInstanceArn, `${id} is not registered`);
  });
}

async function areSteady(job: Job): Promise<boolean> {
  const services = await servicesOf(job);
  return services.every(
    ({ deployments = [], runningCount, desiredCount, pendingCount }) =>
      deployments.length === 1 && runningCount === desiredCount && pendingCount === 0,
  );
}
