import { DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { UpdateServiceCommand } from '@aws-sdk/client-ecs';
import { findService, memberIds, theGroup } from '../found.ts';
import { isSteady } from '../make/service.ts';
import { MEMBERS, NAME, TASKS } from '../names.ts';
import type { Check, Smoke } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';

const DETACHED = { what: 'the end of Detaching', seconds: 900, everySeconds: 1 };
const FILLED = { what: 'a member in place of the detached one', seconds: 600, everySeconds: 5 };
const STOPPED = { what: 'the end of both tasks', seconds: 600, everySeconds: 5 };
const STARTED = { ...STOPPED, what: 'both tasks' };
const WATCHED_MINUTES = 25;

/**
 * A detached instance keeps its task, and the member in its place has none. If ECS counts instances that were
 * detached, two of three are needed, and the group stays at two; if it doesn't, one of two is, and the group
 * shrinks to one.
 */
export const managedScalingCheck: Check = {
  name: 'managed scaling, with a detached instance',
  minutes: 30,
  async run(smoke) {
    await spreadTasks(smoke);
    const [id = ''] = await memberIds(smoke);
    const detaching = await detach(smoke, id);
    await secondsUntil(smoke, FILLED, async () => (await memberIds(smoke)).length === MEMBERS);
    const sizes = await watchDesired(smoke);
    await smoke.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    return [
      {
        what: 'how long Detaching lasts',
        passed: true,
        observed: `${detaching.toFixed(0)} s, without a load balancer`,
        answers: 'detach-takes',
      },
      {
        what: 'managed scaling, and instances that are detached',
        ...readingOf(sizes),
        answers: 'scaling-counts-detached',
      },
    ];
  },
};

/** One on each member: after rolls both may be on one. */
async function spreadTasks(smoke: Smoke) {
  const setCount = (desiredCount: number) =>
    smoke.aws.ecs.send(new UpdateServiceCommand({ cluster: NAME, service: NAME, desiredCount }));
  await setCount(0);
  await secondsUntil(smoke, STOPPED, async () => (await findService(smoke))?.runningCount === 0);
  await setCount(TASKS);
  await secondsUntil(smoke, STARTED, () => isSteady(smoke));
}

async function detach(smoke: Smoke, id: string): Promise<number> {
  await smoke.aws.autoScaling.send(
    new DetachInstancesCommand({
      AutoScalingGroupName: NAME,
      InstanceIds: [id],
      ShouldDecrementDesiredCapacity: false,
    }),
  );
  return secondsUntil(smoke, DETACHED, async () => {
    const { Instances: members = [] } = await theGroup(smoke);
    return !members.some(({ InstanceId }) => InstanceId === id);
  });
}

/** A figure a minute. */
async function watchDesired(smoke: Smoke): Promise<number[]> {
  const sizes: number[] = [];
  for (let minute = 0; minute < WATCHED_MINUTES; minute++) {
    sizes.push((await theGroup(smoke)).DesiredCapacity ?? Number.NaN);
    await smoke.clock.sleep(60);
  }
  return sizes;
}

/** Either is good, for the function goes by neither. */
function readingOf(sizes: readonly number[]): { passed: boolean; observed: string } {
  const changed = sizes.findIndex((size) => size !== MEMBERS);
  const at = changed < 0 ? `for ${WATCHED_MINUTES} min` : `until minute ${changed}, then ${sizes[changed]}`;
  const told = `desired capacity ${MEMBERS} ${at}`;
  if (changed < 0) return { passed: true, observed: `${told}: they count` };
  const shrank = sizes[changed] === MEMBERS - 1;
  return { passed: shrank, observed: `${told}: ${shrank ? "they don't count" : 'neither reading'}` };
}
