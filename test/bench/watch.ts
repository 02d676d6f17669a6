import { boundsOf } from '../simulated-aws/world/ecs/bounds.ts';
import { isReplicaTask, type Service, type Task } from '../simulated-aws/world/ecs/model.ts';
import type { Listener } from '../simulated-aws/world/events.ts';
import type { World } from '../simulated-aws/world/world.ts';

/** What a roll costs tasks, users and the owner, as the world itself sees it. */
export interface Cost {
  /** Placements of replica tasks beyond their first. */
  readonly placements: number;
  /** Of all services together: seconds that each spent below its minimum. */
  readonly belowMinimumSeconds: number;
  /** Load-balanced tasks that ended under their users: with their instance, or forgotten by ECS. */
  readonly connectionsCut: number;
  /** Hours that instances ran, summed over all of them. */
  readonly instanceHours: number;
  /** Until the last of the instances that were there first has ended; undefined until then. */
  readonly lastOldEndedSeconds: number | undefined;
}

/** @returns what it has cost so far */
export function watchCost(world: World): () => Cost {
  const begunMs = world.clock.now();
  const parts = [
    watchPlacements(),
    watchMinimum(world),
    watchCuts(),
    watchHours(world),
    watchOld(world),
  ] as const;
  for (const { listener } of parts) world.subscribe(listener);
  const [placements, minimum, cuts, hours, old] = parts;
  return () => ({
    placements: placements.count(),
    belowMinimumSeconds: minimum.seconds(),
    connectionsCut: cuts.count(),
    instanceHours: hours.sum(),
    lastOldEndedSeconds: secondsSince(begunMs, old.endedMs()),
  });
}

const secondsSince = (begunMs: number, ms: number | undefined) =>
  ms === undefined ? ms : (ms - begunMs) / 1000;

function watchPlacements() {
  let count = 0;
  const listener: Listener = (event) => {
    if (event.kind === 'task-placed' && isReplicaTask(event.task)) count++;
  };
  return { listener, count: () => count };
}

function watchMinimum({ clock }: World) {
  const since = new Map<Service, number>();
  let totalMs = 0;
  const listener: Listener = (event) => {
    if (event.kind !== 'health-changed' || event.service.strategy !== 'REPLICA') return;
    const { service } = event;
    const isBelow = service.healthyCount < boundsOf(service).minimum;
    const begun = since.get(service);
    if (isBelow && begun === undefined) since.set(service, clock.now());
    if (isBelow || begun === undefined) return;
    totalMs += clock.now() - begun;
    since.delete(service);
  };
  const openMs = () => [...since.values()].reduce((sum, begun) => sum + clock.now() - begun, 0);
  return { listener, seconds: () => (totalMs + openMs()) / 1000 };
}

function watchCuts() {
  let count = 0;
  const note = (tasks: readonly Task[]) => {
    count += tasks.filter(servesUsers).length;
  };
  const listener: Listener = (event) => {
    if (event.kind === 'host-lost') note(event.tasks);
    if (event.kind === 'container-instance-deregistered') note(event.orphans);
  };
  return { listener, count: () => count };
}

/** Also while its load balancer waits for its last connections. */
const servesUsers = ({ service, isHealthy, lastStatus }: Task) =>
  service?.isLoadBalanced === true && (isHealthy || lastStatus === 'DEACTIVATING');

/** EC2 bills instances from running until they begin to shut down. */
function watchHours({ clock, state }: World) {
  let running = [...state.instances.values()].filter((one) => one.state === 'running').length;
  let totalMs = 0;
  let notedMs = clock.now();
  const note = () => {
    totalMs += running * (clock.now() - notedMs);
    notedMs = clock.now();
  };
  const listener: Listener = (event) => {
    if (event.kind === 'instance-running') {
      note();
      running++;
    }
    if (event.kind === 'instance-terminating') {
      note();
      running--;
    }
  };
  const sum = () => {
    note();
    return totalMs / 3_600_000;
  };
  return { listener, sum };
}

function watchOld({ clock, state }: World) {
  const left = new Set(state.instances.values());
  let endedMs: number | undefined;
  const listener: Listener = (event) => {
    if (event.kind !== 'instance-terminated' || !left.delete(event.instance)) return;
    if (left.size === 0) endedMs = clock.now();
  };
  return { listener, endedMs: () => endedMs };
}
