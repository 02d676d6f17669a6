import { TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { launchFrom, setSizes } from '../../strangers/change.ts';
import {
  chunks,
  describeGroup,
  groupNameOf,
  idsOf,
  newestImageId,
  outdated,
  until,
} from '../../strangers/look.ts';
import type { Job, Roller } from '../../strangers/roller.ts';

const MAX_HEALTHY_PERCENT = 110;

/**
 * Instance refresh, played by calls because the simulated AWS has none: it does what AWS's text says of
 * `MinHealthyPercentage` 100 and `MaxHealthyPercentage` 110. Up to a tenth more are launched; once they are
 * InService as many old ones are ended in the group, and held by ECS's managed draining until they are empty.
 * Meanwhile the next ones launch. What the text leaves open is read in its favour: no warm-up, and new
 * instances count as ready before their ECS agents are there. The calls are Auto Scaling's own work.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-instance-draining.html
 */
export const instanceRefresh: Pick<Roller, 'roll'> = {
  async roll(job) {
    const imageId = await newestImageId(job);
    const name = await groupNameOf(job);
    const group = await describeGroup(job, name);
    const { DesiredCapacity = 0, MaxSize = 0 } = group;
    await launchFrom(job, group, imageId);
    const old = await outdated(job, idsOf(group.Instances), imageId);
    const atOnce = Math.max(1, Math.floor((DesiredCapacity * MAX_HEALTHY_PERCENT) / 100) - DesiredCapacity);
    await setSizes(job, group, { MaxSize: Math.max(MaxSize, DesiredCapacity + atOnce) });
    for (const ids of chunks(old, atOnce)) {
      const more = DesiredCapacity + ids.length;
      await setSizes(job, group, { DesiredCapacity: more });
      await until(job, 'replacements', async () => (await inService(job, name)) >= more);
      for (const id of ids) await end(job, id);
    }
    await setSizes(job, group, { MaxSize });
    await until(job, 'the old ones to end', async () => (await stillMembers(job, name, old)) === 0);
  },
};

async function inService(job: Job, name: string): Promise<number> {
  const { Instances = [] } = await describeGroup(job, name);
  return Instances.filter(({ LifecycleState }) => LifecycleState === 'InService').length;
}

async function stillMembers(job: Job, name: string, old: readonly string[]): Promise<number> {
  const { Instances } = await describeGroup(job, name);
  return idsOf(Instances).filter((id) => old.includes(id)).length;
}

async function end({ autoScaling }: Job, InstanceId: string): Promise<void> {
  const ending = { InstanceId, ShouldDecrementDesiredCapacity: true };
  await autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(ending));
}
