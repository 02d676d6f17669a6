import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand as DeleteGroupTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, DeleteTagsCommand, DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { memberIds } from '../found.ts';
import { NAME } from '../names.ts';
import type { Check, Finding, Smoke } from '../smoke.ts';
import { secondsUntil, TookTooLong } from '../wait.ts';

const KEY = 'ecs-ami-deploy-smoke-lag';
const TIMES = 5;
/** What the function waits for at most before it believes that a tag is gone: `lambda/look/tag-lag.ts`. */
const MOST_SECONDS = 60;

/** Which reads with a filter see a tag that was just written, and how late. */
export const tagLagCheck: Check = {
  name: 'lag of a new tag',
  minutes: 1,
  run: async (smoke) => [
    {
      ...(await finding('a tag of the group, read by filter', () => groupLag(smoke))),
      answers: 'describe-groups-consistency',
    },
    await finding('a tag of an instance, read by filter', () => instanceLag(smoke)),
  ],
};

async function finding(what: string, lag: () => Promise<number>): Promise<Finding> {
  let worst = 0;
  try {
    for (let time = 0; time < TIMES; time++) worst = Math.max(worst, await lag());
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return { what, passed: false, observed: `not seen within ${MOST_SECONDS} s` };
  }
  return { what, passed: true, observed: `after ${worst.toFixed(1)} s at most, of ${TIMES} times` };
}

const patience = { what: 'the tag', seconds: MOST_SECONDS, everySeconds: 0.2 };

async function groupLag(smoke: Smoke): Promise<number> {
  const { autoScaling } = smoke.aws;
  const tag = { ResourceId: NAME, ResourceType: 'auto-scaling-group', Key: KEY };
  await autoScaling.send(
    new CreateOrUpdateTagsCommand({ Tags: [{ ...tag, Value: 'true', PropagateAtLaunch: false }] }),
  );
  const byTag = new DescribeAutoScalingGroupsCommand({ Filters: [{ Name: 'tag-key', Values: [KEY] }] });
  const seconds = await secondsUntil(smoke, patience, async () => {
    const { AutoScalingGroups: groups = [] } = await autoScaling.send(byTag);
    return groups.length > 0;
  });
  await autoScaling.send(new DeleteGroupTagsCommand({ Tags: [tag] }));
  return seconds;
}

async function instanceLag(smoke: Smoke): Promise<number> {
  const { ec2 } = smoke.aws;
  const [id = ''] = await memberIds(smoke);
  // Another value each time, so that what is seen is not an earlier one.
  const Value = String(smoke.clock.now());
  await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: KEY, Value }] }));
  const byTag = new DescribeInstancesCommand({ Filters: [{ Name: `tag:${KEY}`, Values: [Value] }] });
  const seconds = await secondsUntil(smoke, patience, async () => {
    const { Reservations = [] } = await ec2.send(byTag);
    return Reservations.length > 0;
  });
  await ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: [{ Key: KEY }] }));
  return seconds;
}
