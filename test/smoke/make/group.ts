import { CreateAutoScalingGroupCommand, DeleteAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { findGroup, taggedInstances } from '../found.ts';
import { NAME, TAG, TAG_VALUE } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';
import { alreadyThere } from './already-there.ts';
import { findDefaultSubnets } from './subnets.ts';

const ENDED = { what: 'the end of the instances', seconds: 900, everySeconds: 10 };

/** At zero: instances that come before the capacity provider might not be counted to it. */
export const groupStep: Step = {
  name: 'group',
  makes: `the Auto Scaling group ${NAME}, of two t3.small instances, up to four while it rolls`,
  cents: 25,
  minutes: 0,
  async lacks(smoke) {
    if ((await findDefaultSubnets(smoke)).length === 0)
      return 'There is no default VPC in this Region, and the smoke test makes none: aws ec2 create-default-vpc';
    return (await findGroup(smoke)) && alreadyThere(`group ${NAME}`);
  },
  async make(smoke) {
    const subnets = await findDefaultSubnets(smoke);
    await smoke.aws.autoScaling.send(
      new CreateAutoScalingGroupCommand({
        AutoScalingGroupName: NAME,
        // By number, so that a roll has to change it.
        LaunchTemplate: { LaunchTemplateName: NAME, Version: '1' },
        MinSize: 0,
        MaxSize: 4,
        DesiredCapacity: 0,
        VPCZoneIdentifier: subnets.map(({ SubnetId }) => SubnetId).join(','),
        Tags: [{ Key: TAG, Value: TAG_VALUE, PropagateAtLaunch: true }],
      }),
    );
  },
  async remove(smoke) {
    const removed = await removeGroup(smoke);
    return [...removed, ...(await removeInstances(smoke))];
  },
};

async function removeGroup(smoke: Smoke): Promise<string[]> {
  const group = await findGroup(smoke);
  if (group === undefined) return [];
  if (!group.Tags?.some(({ Key }) => Key === TAG)) throw new Error(`The group ${NAME} lacks the tag ${TAG}`);
  await smoke.aws.autoScaling.send(
    new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: NAME, ForceDelete: true }),
  );
  return [`Auto Scaling group ${NAME}`];
}

/** Detached ones are in no group any more, and end for nobody else. */
async function removeInstances(smoke: Smoke): Promise<string[]> {
  const ids = (await taggedInstances(smoke)).map(({ InstanceId = '' }) => InstanceId);
  if (ids.length > 0) await smoke.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: ids }));
  await secondsUntil(smoke, ENDED, async () => (await taggedInstances(smoke)).length === 0);
  return ids.map((id) => `instance ${id}`);
}
