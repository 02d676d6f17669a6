import { stage } from '../rollout/stage.ts';
import { countsOf } from './play.ts';
import { callsInAll } from './results.ts';

/** What an invocation costs that finds nothing to do, the first of its process. */
export interface Idle {
  readonly groups: number;
  readonly action: 'roll' | 'continue';
  readonly calls: number;
}

const CLUSTER = 'demo';
const GROUPS = [1, 10];

export async function measureIdle(): Promise<Idle[]> {
  const found: Idle[] = [];
  for (const action of ['continue', 'roll'] as const)
    for (const groups of GROUPS) found.push({ groups, action, calls: await callsFor(groups, action) });
  return found;
}

/** @param groups how many of the cluster run the latest image */
async function callsFor(groups: number, action: Idle['action']): Promise<number> {
  const { invoke, account } = stage({
    shortcut: true,
    furnish: (world) => {
      const image = world.release('amazon-linux-2023', { ageDays: 3 });
      world.addCluster(CLUSTER);
      for (let index = 0; index < groups; index++)
        world.addGroup({
          name: `group-${index}`,
          cluster: CLUSTER,
          image,
          instances: 2,
          launchSpec: 'launch-template',
        });
      world.addService(CLUSTER, { name: 'web', desiredCount: 2 });
    },
  });
  await invoke({ action });
  return callsInAll({ calls: countsOf(account.calls.log) });
}
