import { TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { drain, launchFrom, setSizes } from '../change.ts';
import {
  containerInstancesOf,
  describeGroup,
  groupNameOf,
  idsOf,
  newestImageId,
  outdated,
  until,
} from '../look.ts';
import type { Job, Roller } from '../roller.ts';

/**
 * Drains all members, and only then makes the group launch as many again; terminates the old ones in the
 * group once all are empty.
 */
export const allDrained: Roller = {
  name: 'all-drained',
  source: 'hellofresh/eks-rolling-update, its run mode that cordons all first, told of ECS',
  async roll(job) {
    const imageId = await newestImageId(job);
    const name = await groupNameOf(job);
    const group = await describeGroup(job, name);
    await launchFrom(job, group, imageId);
    const old = await outdated(job, idsOf(group.Instances), imageId);
    await drain(
      job,
      (await registrations(job, old)).map(({ containerInstanceArn = '' }) => containerInstanceArn),
    );
    const { DesiredCapacity = 0, MaxSize = 0 } = group;
    await setSizes(job, group, {
      DesiredCapacity: 2 * DesiredCapacity,
      MaxSize: Math.max(MaxSize, 2 * DesiredCapacity),
    });
    await until(job, 'empty instances', () => areEmpty(job, old));
    for (const id of old) await end(job, id);
    await setSizes(job, group, { MaxSize });
  },
};

async function registrations(job: Job, ids: readonly string[]) {
  return (await containerInstancesOf(job)).filter(({ ec2InstanceId = '' }) => ids.includes(ec2InstanceId));
}

async function areEmpty(job: Job, ids: readonly string[]): Promise<boolean> {
  return (await registrations(job, ids)).every(
    ({ runningTasksCount = 0, pendingTasksCount = 0 }) => runningTasksCount + pendingTasksCount === 0,
  );
}

async function end({ autoScaling }: Job, InstanceId: string): Promise<void> {
  const ending = { InstanceId, ShouldDecrementDesiredCapacity: true };
  await autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(ending));
}
