import {
  DeleteAutoScalingGroupCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeContainerInstancesCommand, ListContainerInstancesCommand } from '@aws-sdk/client-ecs';
import { memberIds, theGroup } from '../found.ts';
import { NAME } from '../names.ts';
import { rawCode } from '../raw-code.ts';
import type { Check, Finding, Smoke } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';

const WAITS = { what: 'Terminating:Wait', seconds: 300, everySeconds: 1 };
const LET_GO = { what: 'the end of Terminating:Wait', seconds: 1800, everySeconds: 2 };

/** Managed draining holds a member that is ended until ECS has moved its task. */
export const terminationCheck: Check = {
  name: 'a member that is ended, with its task',
  minutes: 6,
  async run(smoke) {
    const id = await memberWithTask(smoke);
    await smoke.aws.autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: id,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
    const isWaiting = async () => (await stateOf(smoke, id)) === 'Terminating:Wait';
    await secondsUntil(smoke, WAITS, isWaiting);
    const busy = await busyCode(smoke);
    const seconds = await secondsUntil(smoke, LET_GO, async () => !(await isWaiting()));
    return [
      { what: 'how long Terminating:Wait lasts', passed: true, observed: `${seconds.toFixed(0)} s` },
      busy,
    ];
  },
};

async function stateOf(smoke: Smoke, id: string): Promise<string | undefined> {
  const { Instances: members = [] } = await theGroup(smoke);
  return members.find(({ InstanceId }) => InstanceId === id)?.LifecycleState;
}

/**
 * The codes that AWS documents for a busy group, on the wire; the function recognizes a busy group by these.
 */
const BUSY_CODES = ['ScalingActivityInProgress', 'ResourceInUse', 'ResourceContention'];

/** A group with members can't be deleted without force, so that nothing comes of it. */
async function busyCode({ aws }: Smoke): Promise<Finding> {
  const code = await rawCode(() =>
    aws.autoScaling.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: NAME })),
  );
  return {
    what: 'the raw error code of a busy group',
    passed: BUSY_CODES.includes(code ?? ''),
    observed: code ?? 'no error',
  };
}

async function memberWithTask(smoke: Smoke): Promise<string> {
  const members = new Set(await memberIds(smoke));
  const { containerInstanceArns = [] } = await smoke.aws.ecs.send(
    new ListContainerInstancesCommand({ cluster: NAME, status: 'ACTIVE' }),
  );
  const { containerInstances = [] } = await smoke.aws.ecs.send(
    new DescribeContainerInstancesCommand({ cluster: NAME, containerInstances: containerInstanceArns }),
  );
  const withTask = containerInstances.find(
    ({ ec2InstanceId = '', runningTasksCount = 0 }) => members.has(ec2InstanceId) && runningTasksCount > 0,
  );
  if (withTask?.ec2InstanceId === undefined) throw new Error('No member runs a task');
  return withTask.ec2InstanceId;
}
