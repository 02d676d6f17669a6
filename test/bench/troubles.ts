import { stage } from '../rollout/stage.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock/clock.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { clientsWith, type Job } from '../strangers/roller.ts';
import { type BenchCluster, CLUSTER_NAME, furnish } from './clusters.ts';
import { type Contestant, isChosen, type Other, type Ours } from './contestants.ts';
import { DELAYS } from './field-delays.ts';
import { median } from './median.ts';
import type { Coped } from './results.ts';
import { watchCost } from './watch.ts';

/** Something that goes wrong in a roll. */
interface Trouble {
  readonly name: string;
  /** Brings it about in a world that is to be rolled. */
  readonly befall?: (world: World) => unknown;
  /** Who rolls dies in the middle, and begins anew at the next tick. */
  readonly kills?: true;
}

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'Tasks crash on the new image',
    befall: (world) => world.faults.crashTasksOn({ imageId: newest(world) }),
  },
  {
    name: 'Agents never register on the new image',
    befall: (world) => world.faults.spoilImage(newest(world)),
  },
  { name: 'A task is protected from scale-in for two days', befall: protectOne },
  {
    name: 'A service at 100/100: no task may stop first, none may start first',
    befall: (world) =>
      world.addService(CLUSTER_NAME, {
        name: 'fixed',
        desiredCount: 2,
        minimumHealthyPercent: 100,
        maximumPercent: 100,
      }),
  },
  { name: 'Whoever rolls is killed halfway', kills: true },
];

/** How it stands so long after the roll began. */
const AFTER_SECONDS = 4 * 3600;
const TICK_SECONDS = 300;
/** In the middle of what it does first, after instances were detached. */
const KILLED_AT_CALL = 150;
const KILLED_AFTER_SECONDS = 300;

/** Every way of the README's table in each trouble. */
export async function copeAll(
  cluster: BenchCluster,
  contestants: readonly Contestant[],
  seeds: readonly number[],
): Promise<Coped[]> {
  const found: Coped[] = [];
  for (const trouble of TROUBLES)
    for (const contestant of contestants.filter(isChosen)) {
      const each: Stood[] = [];
      for (const seed of seeds) each.push(await cope(cluster, contestant, trouble, seed));
      const of = (figure: (one: Stood) => number) => median(each.map(figure));
      found.push({
        trouble: trouble.name,
        contestant: contestant.name,
        belowMinimumSeconds: of((one) => one.belowMinimumSeconds),
        connectionsCut: of((one) => one.connectionsCut),
        onNewImage: of((one) => one.onNewImage),
        onOldImage: of((one) => one.onOldImage),
      });
    }
  return found;
}

type Stood = Omit<Coped, 'trouble' | 'contestant'>;

function cope(cluster: BenchCluster, contestant: Contestant, trouble: Trouble, seed: number): Promise<Stood> {
  return contestant.kind === 'ours'
    ? copeOurs(cluster, contestant, trouble, seed)
    : copeOther(cluster, contestant, trouble, seed);
}

async function copeOurs(cluster: BenchCluster, { environment }: Ours, trouble: Trouble, seed: number) {
  const staged = stage({
    seed,
    delays: DELAYS[cluster.delays],
    environment,
    shortcut: true,
    furnish: (world) => befall(world, cluster, trouble, false),
  });
  const { clock, world } = staged;
  const [startMs, stood] = [clock.now(), standing(world)];
  let action = 'roll';
  while (clock.now() < startMs + AFTER_SECONDS * 1000) {
    const kill = trouble.kills && action === 'roll' ? [killAfter(KILLED_AT_CALL)] : [];
    await staged.invoke({ action }, kill);
    action = 'continue';
    clock.advance(TICK_SECONDS - (((clock.now() - startMs) / 1000) % TICK_SECONDS));
  }
  return stood();
}

async function copeOther(cluster: BenchCluster, contestant: Other, trouble: Trouble, seed: number) {
  const { roller, managedDraining = false, callsAreAwsOwn } = contestant;
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'));
  const world = createWorld({ clock, seed, delays: DELAYS[cluster.delays] });
  befall(world, cluster, trouble, managedDraining);
  const [startMs, stood] = [clock.now(), standing(world)];
  const session = simulateAccount({ clock, operations: world.operations }).session();
  const clients = clientsWith(session.clientOptions);
  shortcut(Object.values(clients), session);
  const roll = (seconds: number) => {
    const job: Job = { ...clients, cluster: CLUSTER_NAME, sleep: sleepFor(clock, startMs, seconds) };
    return clock.drive(roller(seed).roll(job)).catch(isOver);
  };
  // What AWS does by itself isn't killed.
  if (trouble.kills && !callsAreAwsOwn) {
    await roll(KILLED_AFTER_SECONDS);
    clock.advance(TICK_SECONDS);
  }
  await roll(AFTER_SECONDS);
  clock.advance(Math.max(0, AFTER_SECONDS - (clock.now() - startMs) / 1000));
  return stood();
}

/** It gives up, or has no more time: how it stands then is what is measured. */
function isOver(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}

function sleepFor(clock: VirtualClock, startMs: number, mostSeconds: number): Job['sleep'] {
  return async (seconds) => {
    if (clock.now() + seconds * 1000 > startMs + mostSeconds * 1000) throw new Error('out of time');
    await clock.sleep(seconds);
  };
}

function befall(world: World, cluster: BenchCluster, trouble: Trouble, managedDraining: boolean): void {
  furnish(world, cluster, managedDraining);
  trouble.befall?.(world);
}

function standing(world: World): () => Stood {
  const cost = watchCost(world);
  const image = newest(world);
  return () => {
    const running = [...world.state.instances.values()].filter(({ state }) => state === 'running');
    const onNewImage = running.filter(({ imageId }) => imageId === image).length;
    const { belowMinimumSeconds, connectionsCut } = cost();
    return { belowMinimumSeconds, connectionsCut, onNewImage, onOldImage: running.length - onNewImage };
  };
}

function newest({ state }: World): string {
  const [image] = [...state.images.values()].toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  if (image === undefined) throw new Error('no image');
  return image.id;
}

/** On an instance in the middle of the list. */
function protectOne(world: World): void {
  const hosts = [...(world.state.clusters.get(CLUSTER_NAME)?.containerInstances.values() ?? [])];
  const tasks = [...(hosts[hosts.length >> 1]?.tasks ?? [])];
  const task = tasks.find(({ service }) => service?.strategy === 'REPLICA');
  if (task === undefined) throw new Error('no task');
  world.owner.protectTask(task.arn, 2880);
}
