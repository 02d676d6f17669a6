import { describeCurrentTerminations } from './aws/autoscaling-activities.ts';
import type { Aws } from './aws/clients.ts';
import { drain } from './aws/ecs-changes.ts';
import { explain, StaleObservation } from './aws/errors.ts';
import { describeServices } from './aws/services.ts';
import { keepUp, release } from './aws/termination-changes.ts';
import { describeHeld, describeRegistrations, describeRunning, isSpotInstance } from './aws/terminations.ts';
import type { Service, Task } from './core/model/cluster.ts';
import type { Observation } from './core/model/observation.ts';
import { isHost, registrationsOf } from './core/model/registrations.ts';
import { serviceIn } from './core/model/task-group.ts';
import { isOver } from './core/model/time.ts';
import {
  describeStep,
  type EndedInstance,
  type EndingInstance,
  type EndingsSeen,
  nextStep,
  type TerminationStep,
} from './core/terminations.ts';
import { type Invocation, MARGIN_SECONDS } from './invocation.ts';
import { type Memory, newMemory } from './look/memory.ts';
import { noteBeforeDrain, tasksLeftOn, withProtection } from './look/tasks.ts';

export interface TerminationsInvocation
  extends Pick<Invocation, 'aws' | 'settings' | 'clock' | 'remainingSeconds'> {
  /** Names of the groups that have our hook. */
  readonly groups: readonly string[];
  /** How long an instance may take from when its group began to end it. */
  readonly timeoutSeconds: number;
  /** Those that are over, kept between invocations: another's hook may hold them for hours yet. */
  readonly over: Set<string>;
  /** Hears what is done, and of what fails; that is tried again. */
  readonly said: (text: string, instance: Pick<EndingInstance, 'group' | 'instanceId'>) => void;
  /** Hears of those of a cluster that our hook lets go of, before it does. */
  readonly ended: (ended: EndedInstance) => Promise<void>;
}

/** How often our hook's time is restarted: as often as the function is called by the clock. */
const BEAT_SECONDS = 300;

interface Watching extends TerminationsInvocation {
  readonly memory: Memory;
  readonly awaySince: Map<string, Date>;
  readonly beatAt: Map<string, Date>;
  /** Those of which it has been said that no activity tells since when they end. */
  readonly undated: Set<string>;
  /** Those of which the last has been told. */
  readonly told: Set<string>;
  /** Those that our hook holds no more; another's may. */
  readonly released: Set<string>;
  readonly faults: unknown[];
}

/**
 * Drains what Auto Scaling ends in these groups, and lets go of it once that is done. All it goes by is what
 * AWS shows, so it may be killed at any moment, and two at once do no harm.
 *
 * @throws the first of the faults that kept it from something, after all else is done
 */
export async function drainTerminations(invocation: TerminationsInvocation): Promise<void> {
  const { aws, clock, settings, remainingSeconds } = invocation;
  const watching: Watching = {
    ...invocation,
    memory: newMemory(aws, clock.now()),
    awaySince: new Map(),
    beatAt: new Map(),
    undated: new Set(),
    told: new Set(),
    released: new Set(invocation.over),
    faults: [],
  };
  while (await pass(watching)) {
    if (remainingSeconds() - settings.pollSeconds < MARGIN_SECONDS) break;
    await clock.sleep(settings.pollSeconds);
  }
  const [fault] = watching.faults;
  if (fault !== undefined) throw fault;
}

/** @returns whether something may be due soon */
async function pass(watching: Watching): Promise<boolean> {
  const { aws, groups, released, timeoutSeconds, faults } = watching;
  const all = await describeHeld(aws, groups, (error) => void faults.push(error));
  const held = all.filter(({ instanceId }) => !released.has(instanceId));
  if (held.length === 0) return false;
  const { endings, seen } = await look(watching, held);
  const steps = endings.map((ending) => ({ ending, step: nextStep(ending, seen, timeoutSeconds) }));
  await drainAll(watching, seen, steps);
  for (const each of steps) await tryOn(watching, each.ending, () => settle(watching, seen, each));
  return steps.some(({ ending, step }) => {
    if (released.has(ending.instanceId)) return false;
    return step.kind !== 'keep' || step.isSoon;
  });
}

interface EndingStep {
  readonly ending: EndingInstance;
  readonly step: TerminationStep;
}

async function look(watching: Watching, held: readonly Pick<EndingInstance, 'instanceId' | 'group'>[]) {
  const { aws, clock, settings, memory, awaySince, faults } = watching;
  const now = clock.now();
  memory.tasksRead.described.clear();
  memory.tasksRead.stopped.clear();
  const ids = held.map(({ instanceId }) => instanceId);
  const clusters: Observation[] = [];
  const before = faults.length;
  for (const cluster of settings.clusters) {
    const observation = await unlessRefused(watching, () => observe(watching, cluster, ids, now));
    if (observation) clusters.push(observation);
  }
  const isAway = (id: string) => {
    const hosts = clusters.flatMap((each) => registrationsOf(each, id).filter(isHost));
    return hosts.length > 0 && hosts.every(({ agentConnected }) => !agentConnected);
  };
  const away = ids.filter(isAway);
  for (const id of ids)
    if (!away.includes(id)) awaySince.delete(id);
    else if (!awaySince.has(id)) awaySince.set(id, now);
  const isPartial = faults.length > before;
  const running =
    away.length === 0 ? undefined : await unlessRefused(watching, () => describeRunning(aws, away));
  await learnTimes(watching, held, now);
  const endings = held.map((each): EndingInstance => {
    const since = memory.endingSince.get(each.instanceId);
    const away = awaySince.get(each.instanceId);
    return {
      ...each,
      gone: away !== undefined && running !== undefined && !running.has(each.instanceId),
      ...(since && { since }),
      ...(away && { awaySince: away }),
    };
  });
  const seen: EndingsSeen = { now, clusters, isPartial };
  return { endings, seen };
}

/** What can't be read of one keeps nobody from being drained. */
async function unlessRefused<T>({ faults }: Watching, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    faults.push(error);
    return undefined;
  }
}

/** The container instances of those that end, their tasks, and which of these are daemons'. */
async function observe(
  watching: Watching,
  cluster: string,
  ids: readonly string[],
  now: Date,
): Promise<Observation | undefined> {
  const { aws, memory } = watching;
  const containerInstances = await describeRegistrations(aws, cluster, ids);
  if (containerInstances.length === 0) return undefined;
  const observation: Observation = { now, cluster, containerInstances, images: new Map(), groups: [] };
  const left = await tasksLeftOn(aws, observation, containerInstances, memory);
  // What drains is past being spared.
  const mayDrain = containerInstances.some(({ status }) => status === 'ACTIVE');
  const tasks = mayDrain ? await withProtection(aws, cluster, left) : left;
  return { ...observation, details: { tasks, services: await servicesOf(watching, cluster, tasks) } };
}

/** Asked for once: a service stays what it is, a daemon or not. */
async function servicesOf(
  { aws, memory: { services } }: Watching,
  cluster: string,
  tasks: readonly Task[],
): Promise<Service[]> {
  const known = services.get(cluster) ?? [];
  const names = new Set(tasks.flatMap(({ group }) => serviceIn(group) ?? []));
  const unknown = [...names].filter((name) => known.every((each) => each.name !== name));
  const all = [...known, ...(await describeServices(aws, cluster, unknown))];
  services.set(cluster, all);
  return all;
}

/** When the groups began to end them, as their activities tell. */
async function learnTimes(
  watching: Watching,
  held: readonly Pick<EndingInstance, 'instanceId' | 'group'>[],
  now: Date,
): Promise<void> {
  const { endingSince } = watching.memory;
  const unknown = held.filter(({ instanceId }) => !endingSince.has(instanceId));
  for (const group of new Set(unknown.map((each) => each.group))) {
    const ids = unknown.filter((each) => each.group === group).map(({ instanceId }) => instanceId);
    const read = () => describeCurrentTerminations(watching.aws, group, ids, now);
    const times = await unlessRefused(watching, read);
    for (const [id, at] of times ?? []) endingSince.set(id, at);
  }
}

/** All of a cluster at once: ten in a call. */
async function drainAll(watching: Watching, seen: EndingsSeen, steps: readonly EndingStep[]): Promise<void> {
  const { aws, memory, said, timeoutSeconds } = watching;
  const draining = steps.flatMap(({ step }) => (step.kind === 'drain' ? step.containerInstances : []));
  for (const { cluster, containerInstances, details } of seen.clusters) {
    const own = containerInstances.filter((each) => draining.includes(each));
    if (own.length === 0) continue;
    noteBeforeDrain(memory, own, details?.tasks ?? []);
    for (const { ending, step } of steps)
      if (step.kind === 'drain') said(describeStep(ending, step, seen, timeoutSeconds), ending);
    try {
      await drainUnlessStale(aws, cluster, own);
    } catch (error) {
      watching.faults.push(error);
    }
  }
}

/**
 * Lets go of it, or keeps it. "No active lifecycle action" is no fault: it means done. What our hook holds is
 * told of before it lets go: killed in between, the next invocation tells it again, by the same id.
 */
async function settle(watching: Watching, seen: EndingsSeen, { ending, step }: EndingStep): Promise<void> {
  const { aws, beatAt, undated, told, timeoutSeconds, said, ended } = watching;
  const { instanceId, since } = ending;
  const last = beatAt.get(instanceId);
  const isDue = last === undefined || (step.kind !== 'release' && isOver(last, BEAT_SECONDS, seen.now));
  // Once its time is over, or where nobody knows when that is, the hook's own time is the last limit.
  const mayBeat = since !== undefined && !isOver(since, timeoutSeconds, seen.now);
  if (isDue && mayBeat) {
    if (!(await keepUp(aws, ending))) return void letGo(watching, { ending, step });
    beatAt.set(instanceId, seen.now);
    if (step.kind === 'keep') said(describeStep(ending, step, seen, timeoutSeconds), ending);
  }
  if (step.kind === 'keep' && since === undefined && !undated.has(instanceId)) {
    said(describeStep(ending, step, seen, timeoutSeconds), ending);
    undated.add(instanceId);
  }
  if (step.kind !== 'release') return;
  const tell = async () => {
    if (told.has(instanceId)) return;
    const says = describeStep(ending, step, seen, timeoutSeconds);
    said(says, ending);
    const cluster = seen.clusters.find((each) => registrationsOf(each, instanceId).length > 0)?.cluster;
    if (cluster !== undefined) await ended({ ...ending, step, at: seen.now, cluster, says });
    told.add(instanceId);
  };
  if (beatAt.has(instanceId)) await tell();
  if (await release(aws, ending)) await tell();
  letGo(watching, { ending, step });
}

/** Whose root volume is replaced doesn't end: that may be replaced again. */
function letGo({ released, over }: Watching, { ending, step }: EndingStep): void {
  released.add(ending.instanceId);
  if (step.kind === 'release' && !ending.replacesRootVolume) over.add(ending.instanceId);
}

async function tryOn(watching: Watching, ending: EndingInstance, does: () => Promise<void>): Promise<void> {
  try {
    await does();
  } catch (error) {
    watching.said(explain(error), ending);
    watching.faults.push(error);
  }
}

/**
 * What Spot reclaims has two minutes, and its hook may not even be reached: it drains at once. Who it is, the
 * event says; that it is a Spot Instance in one of the clusters is looked up.
 */
export async function drainInterrupted(
  aws: Aws,
  clusters: readonly string[],
  instanceId: string,
): Promise<'drained' | 'not ours'> {
  if (!(await isSpotInstance(aws, instanceId))) return 'not ours';
  const drained = clusters.map(async (cluster) => {
    const found = await describeRegistrations(aws, cluster, [instanceId]);
    const active = found.filter(({ status }) => status === 'ACTIVE');
    await drainUnlessStale(aws, cluster, active);
    return found.length > 0;
  });
  // A cluster that can't be read keeps no other from being drained.
  await Promise.allSettled(drained);
  const isOurs = (await Promise.all(drained)).includes(true);
  return isOurs ? 'drained' : 'not ours';
}

/** ECS, its agent or another invocation may be first: what there is then, the next look tells. */
async function drainUnlessStale(...asked: Parameters<typeof drain>): Promise<void> {
  try {
    await drain(...asked);
  } catch (error) {
    if (error instanceof StaleObservation) return;
    throw error;
  }
}
