import { stage } from '../rollout/stage.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import type { Call } from '../simulated-aws/account/call.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { clientsWith, type Job } from '../strangers/roller.ts';
import { type BenchCluster, CLUSTER_NAME, furnish, hostsIn } from './clusters.ts';
import type { Contestant, Other, Ours } from './contestants.ts';
import { DELAYS, type Delayed, leastLapses, meanLapses } from './field-delays.ts';
import { limitSeconds } from './physical-limit.ts';
import { STABLE_SECONDS } from './settings.ts';
import { type Cost, watchCost } from './watch.ts';

/** One roll, as it went. */
export interface Roll extends Omit<Cost, 'lastOldEndedSeconds' | 'instanceHours'> {
  /** `completed`, or why it isn't. */
  readonly ending: string;
  /** Until the roller had ended and the last old instance had gone. */
  readonly makespanSeconds: number;
  /** Its physical limit: with the mean of every delay, and with the least of every delay. */
  readonly typicalSeconds: number;
  readonly leastSeconds: number;
  /** Replica tasks, all of which run on outdated instances. */
  readonly tasks: number;
  /** Beyond those that the cluster's own instances would have run meanwhile. */
  readonly extraInstanceHours: number;
  /** By service and operation, such as `ecs.DescribeTasks`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Of the function; 0 where there is none. */
  readonly invocations: number;
  readonly lambdaSeconds: number;
  /** Invariants that it broke, as far as they are watched: of our own rolls. */
  readonly broken: number;
}

/** What a roll is measured with, whoever rolls. */
interface Track {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly cost: () => Cost;
  readonly limits: Pick<Roll, 'typicalSeconds' | 'leastSeconds' | 'tasks'>;
}

/** What the roller alone knows. */
type Told = Pick<Roll, 'ending' | 'calls' | 'invocations' | 'lambdaSeconds' | 'broken'>;

const START = Date.parse('2026-11-21T00:00:00Z');

/** The deployment's rule continues a roll at each multiple of five minutes. */
const TICK_SECONDS = 300;

/** What is still under way when a roller ends has come to its end by then. */
const AFTERWARDS_SECONDS = 3600;

const MOST_INVOCATIONS = 2000;

/** Has a contestant roll a cluster in virtual time, in a world that is the same for the same seed. */
export function play(cluster: BenchCluster, contestant: Contestant, seed: number): Promise<Roll> {
  return contestant.kind === 'ours'
    ? playOurs(cluster, contestant, seed)
    : playOther(cluster, contestant, seed);
}

async function playOurs(cluster: BenchCluster, { environment }: Ours, seed: number): Promise<Roll> {
  const staged = stage({
    seed,
    delays: DELAYS[cluster.delays],
    environment,
    shortcut: true,
    expectations: { drainConcurrency: environment.DRAIN_CONCURRENCY === 'auto' ? Infinity : 1 },
    furnish: (world) => furnish(world, cluster, false),
  });
  const { world, clock, account, invariants } = staged;
  const track = begin(world, clock, cluster.delays);
  const run = { ending: 'no end', invocations: 0, lambdaSeconds: 0 };
  while (run.invocations < MOST_INVOCATIONS) {
    const begunMs = clock.now();
    const outcome = await staged.invoke({ action: run.invocations === 0 ? 'roll' : 'continue' });
    if (outcome.kind === 'killed') throw new Error('nobody was to be killed');
    run.invocations++;
    run.lambdaSeconds += (clock.now() - begunMs) / 1000;
    const under = outcome.groups.find(({ state }) => state === 'in-progress');
    run.ending = (under ?? outcome.groups[0])?.state ?? 'no group';
    if (under === undefined) break;
    clock.advance(TICK_SECONDS - (secondsSinceStart(clock) % TICK_SECONDS));
  }
  return finish(cluster, track, {
    ...run,
    calls: countsOf(account.calls.log),
    broken: invariants.violations.length,
  });
}

async function playOther(cluster: BenchCluster, contestant: Other, seed: number): Promise<Roll> {
  const { roller, managedDraining = false, callsAreAwsOwn } = contestant;
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed, delays: DELAYS[cluster.delays] });
  furnish(world, cluster, managedDraining);
  const account = simulateAccount({ clock, operations: world.operations });
  const track = begin(world, clock, cluster.delays);
  const session = account.session();
  const clients = clientsWith(session.clientOptions);
  shortcut(Object.values(clients), session);
  const job: Job = { ...clients, cluster: CLUSTER_NAME, sleep: clock.sleep };
  const ending = await clock.drive(roller(seed).roll(job)).then(() => 'completed', String);
  const calls = callsAreAwsOwn ? {} : countsOf(account.calls.log);
  return finish(cluster, track, { ending, calls, invocations: 0, lambdaSeconds: 0, broken: 0 });
}

const secondsSinceStart = (clock: VirtualClock) => (clock.now() - START) / 1000;

function begin(world: World, clock: VirtualClock, delays: Delayed): Track {
  const hosts = hostsIn(world);
  const cost = watchCost(world);
  const services = [...(world.state.clusters.get(CLUSTER_NAME)?.services.values() ?? [])];
  const tasks = services.reduce(
    (sum, { desiredCount, strategy }) => sum + (strategy === 'REPLICA' ? desiredCount : 0),
    0,
  );
  const limits = {
    typicalSeconds: limitSeconds({ hosts, lapses: meanLapses(delays), stableSeconds: STABLE_SECONDS }),
    leastSeconds: limitSeconds({ hosts, lapses: leastLapses(delays), stableSeconds: 0 }),
    tasks,
  };
  return { world, clock, cost, limits };
}

function finish({ instances }: BenchCluster, { clock, cost, limits }: Track, told: Told): Roll {
  const toldSeconds = secondsSinceStart(clock);
  const isOver = () => cost().lastOldEndedSeconds !== undefined;
  const untilMs = clock.now() + AFTERWARDS_SECONDS * 1000;
  while (!isOver() && clock.now() < untilMs) clock.advance(1);
  const { lastOldEndedSeconds, instanceHours, ...rest } = cost();
  const makespanSeconds = Math.max(toldSeconds, lastOldEndedSeconds ?? 0);
  return {
    ...told,
    ...rest,
    ...limits,
    ending:
      told.ending === 'completed' && lastOldEndedSeconds === undefined ? 'old instances left' : told.ending,
    makespanSeconds,
    extraInstanceHours: instanceHours - (instances * secondsSinceStart(clock)) / 3600,
  };
}

/** By service and operation. */
export function countsOf(log: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key } of log) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
