import type { Stage } from '../rollout/stage.ts';
import type { Draw } from './random.ts';

/** Simulated seconds between two tasks that somebody runs, and for which each of these runs. */
const APART = { least: 20, most: 180 } as const;
const LIFETIME = { least: 5, most: 240 } as const;

/** What somebody keeps running besides the services, as with RunTask, for this many seconds. */
export function runTasks(
  { world, clock, tell }: Stage,
  draw: Draw,
  seconds: number,
  onTask: () => void,
): void {
  const until = clock.now() + seconds * 1000;
  const run = () => {
    if (clock.now() > until) return;
    const instanceId = runOne(world, draw);
    if (instanceId !== undefined) {
      onTask();
      tell('jobs', `a task is run on ${instanceId}`);
    }
    clock.schedule(draw.between(APART.least, APART.most), run);
  };
  clock.schedule(draw.between(0, APART.most), run);
}

/** On any instance that takes tasks and has room: the answer is which. */
function runOne(world: Stage['world'], draw: Draw): string | undefined {
  const [cluster] = world.state.clusters.values();
  const hosts = [...(cluster?.containerInstances.values() ?? [])].filter(
    ({ launchType, status, agentConnected, cpu, reservedCpu }) =>
      launchType === 'EC2' && status === 'ACTIVE' && agentConnected && cpu - reservedCpu >= ROOM,
  );
  const host = draw.oneOf(hosts);
  if (cluster === undefined || host === undefined) return undefined;
  const { id: instanceId } = host.instance;
  const lifetimeSeconds = draw.between(LIFETIME.least, LIFETIME.most);
  world.addStandaloneTask(cluster.name, { family: 'job', instanceId, lifetimeSeconds });
  return instanceId;
}

/** CPU units; more than a task takes. */
const ROOM = 256;
