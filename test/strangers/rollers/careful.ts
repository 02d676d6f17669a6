import { DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { deregister, drain, launchFrom } from '../change.ts';
import {
  chunks,
  containerInstanceOf,
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
}

export async function rollCarefully(job: Job, steps: Steps): Promise<void> {
  const imageId = await newestImageId(job);
  const name = await groupNameOf(job);
  const group = await describeGroup(job, name);
  await steps.launchFrom(job, group, imageId);
  const old = await outdated(job, idsOf(group.Instances), imageId);
  await steps.mark(job, name, old);
  await replace(job, name, old);
}

/** So that anyone who comes after a killed program knows what was detached. */
export async function mark({ ec2 }: Job, group: string, ids: readonly string[]): Promise<void> {
  const Tags = [{ Key: 'replaced-in', Value: group }];
  await ec2.send(new CreateTagsCommand({ Resources: [...ids], Tags }));
}

async function replace(job: Job, group: string, old: readonly string[]): Promise<void> {
  for (const InstanceIds of chunks(old, MOST_DETACHED_AT_ONCE))
    await job.autoScaling.send(
      new DetachInstancesCommand({
        AutoScalingGroupName: group,
        InstanceIds,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
  await until(job, 'replacements', () => isWhole(job, group));
  for (const id of old) await end(job, id);
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

async function end(job: Job, id: string): Promise<void> {
  const { containerInstanceArn } = demand(await containerInstanceOf(job, id), `${id} is not registered`);
  const arn = demand(containerInstanceArn, `${id} has no ARN`);
  await until(job, 'steady services', () => areSteady(job));
  await drain(job, [arn]);
  await until(job, `${id} to be empty`, async () => (await tasksLeftOn(job, arn)) === 0);
  await until(job, 'steady services', () => areSteady(job));
  await deregister(job, arn, false);
  await job.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
}

async function areSteady(job: Job): Promise<boolean> {
  const services = await servicesOf(job);
  return services.every(
    ({ deployments = [], runningCount, desiredCount, pendingCount }) =>
      deployments.length === 1 && runningCount === desiredCount && pendingCount === 0,
  );
}
