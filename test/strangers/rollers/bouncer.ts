import {
  type AutoScalingGroup,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { launchFrom, setSizes } from '../change.ts';
import { describeGroup, groupNameOf, idsOf, newestImageId, outdated, until } from '../look.ts';
import type { Job, Roller } from '../roller.ts';

const POLL_SECONDS = 15;

/** Ends one member after the other, each with the room that it had, and then has the group launch one. */
export const serial: Roller = {
  name: 'serial',
  source: 'palantir/bouncer, serial/runner.go: with the new version made here, which it expects to be there',
  roll: (job) =>
    oneByOne(job, async (group, id) => {
      await setSizes(job, group, { MinSize: Math.min(group.MinSize ?? 0, (group.DesiredCapacity ?? 0) - 1) });
      await terminate(job, id, true);
      await settle(job, group, -1);
      await setDesired(job, group, group.DesiredCapacity);
      await settle(job, group);
    }),
};

/** Ends one member after the other, which the group replaces. */
export const rolling: Roller = {
  name: 'rolling',
  source: 'palantir/bouncer, rolling/runner.go: with the new version made here, which it expects to be there',
  roll: (job) =>
    oneByOne(job, async (group, id) => {
      await terminate(job, id, false);
      await settle(job, group);
    }),
};

/**
 * Enlarges the group by one, waits until the new one is InService, and terminates an old one in its place.
 */
export const scaleOutByOne: Roller = {
  name: 'scale-out-by-one',
  source:
    'deitch/aws-asg-roller, without what it does in Kubernetes; the canary of palantir/bouncer begins so, too',
  roll: (job) =>
    oneByOne(job, async (group, id) => {
      const { DesiredCapacity = 0, MaxSize = 0 } = group;
      await setSizes(job, group, { MaxSize: Math.max(MaxSize, DesiredCapacity + 1) });
      await setDesired(job, group, DesiredCapacity + 1);
      await settle(job, group, 1);
      await terminate(job, id, true);
      await settle(job, group);
      await setSizes(job, group, { MaxSize });
    }),
};

/** Ends all members at once. */
export const terminateAll: Roller = {
  name: 'terminate-all',
  source:
    'palantir/bouncer, full/runner.go, without its pauses; runbooks that call `aws ec2 terminate-instances`',
  async roll(job) {
    const { group, old } = await begin(job);
    await job.ec2.send(new TerminateInstancesCommand({ InstanceIds: [...old] }));
    await job.sleep(2 * 60);
    await settle(job, group);
  },
};

/** The group as it was before, and its members that run an older image. */
async function begin(
  job: Job,
): Promise<{ readonly group: AutoScalingGroup; readonly old: readonly string[] }> {
  const imageId = await newestImageId(job);
  const group = await describeGroup(job, await groupNameOf(job));
  await launchFrom(job, group, imageId);
  return { group, old: await outdated(job, idsOf(group.Instances), imageId) };
}

async function oneByOne(job: Job, replace: (group: AutoScalingGroup, id: string) => Promise<void>) {
  const { group, old } = await begin(job);
  for (const id of old) await replace(group, id);
}

/** As many as the group had, and so many more, are InService: of ECS it asks nothing. */
async function settle(job: Job, group: AutoScalingGroup, more = 0): Promise<void> {
  const { AutoScalingGroupName = '', DesiredCapacity = 0 } = group;
  const isSettled = async () => {
    const { Instances = [] } = await describeGroup(job, AutoScalingGroupName);
    return (
      Instances.length === DesiredCapacity + more &&
      Instances.every(({ LifecycleState }) => LifecycleState === 'InService')
    );
  };
  await job.sleep(POLL_SECONDS);
  await until(job, 'a settled group', isSettled, { everySeconds: POLL_SECONDS });
}

async function terminate({ autoScaling }: Job, InstanceId: string, ShouldDecrementDesiredCapacity: boolean) {
  const ending = { InstanceId, ShouldDecrementDesiredCapacity };
  await autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(ending));
}

async function setDesired(
  { autoScaling }: Job,
  group: AutoScalingGroup,
  DesiredCapacity: number | undefined,
) {
  const { AutoScalingGroupName } = group;
  await autoScaling.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity }));
}
