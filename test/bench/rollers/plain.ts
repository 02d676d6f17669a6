import { createRandom } from '../../simulated-aws/world/random.ts';
import { launchFrom } from '../../strangers/change.ts';
import { containerInstancesOf } from '../../strangers/look.ts';
import type { Job, Roller } from '../../strangers/roller.ts';
import { mark, rollCarefully } from '../../strangers/rollers/careful.ts';

/**
 * The plainest roller that hurts nobody, and without any stable window: detaches all members, waits until the
 * group is whole again, and drains the old ones in turn. The next drain begins once the instances before it
 * are empty and services have all their tasks. Looking every 2 s whatever that costs, it is the oracle that
 * others are compared with.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html
 */
export const plain =
  (everySeconds: number) =>
  (seed: number): Pick<Roller, 'roll'> => ({
    roll: (job) => {
      const steps = { launchFrom, mark, inOrder: idleFirst(seed) };
      return rollCarefully({ ...job, sleep: () => job.sleep(everySeconds) }, steps);
    },
  });

/** What an instance runs that has no task but the daemon's. */
const TASKS_OF_IDLE = 1;

/**
 * Idle ones first: tasks that pack bins would move onto them. AWS lists the others in no order; the simulated
 * AWS lists those first that were packed first.
 */
function idleFirst(seed: number) {
  const random = createRandom(seed);
  return async (job: Job, ids: readonly string[]): Promise<string[]> => {
    const all = await containerInstancesOf(job);
    const idle = new Set(
      all.flatMap(({ ec2InstanceId = '', runningTasksCount = 0 }) =>
        runningTasksCount <= TASKS_OF_IDLE ? [ec2InstanceId] : [],
      ),
    );
    return ids
      .map((id) => ({ id, rank: idle.has(id) ? 0 : 1 + random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ id }) => id);
  };
}
