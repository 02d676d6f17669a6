import { perform } from './act/perform.ts';
import type { Target } from './act/target.ts';
import { explain, isRefusedLaunchSpec } from './aws/errors.ts';
import { GROUP_TAGS } from './contract.ts';
import type { Decision } from './core/actions/decision.ts';
import { decide } from './core/decide.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { Group, Ordered } from './core/model/group.ts';
import type { Observation } from './core/model/observation.ts';
import type { Request } from './core/model/request.ts';
import { joined, type Untrusted } from './core/model/untrusted.ts';
import { planSteps } from './core/plan/plan.ts';
import {
  CLUSTER_ITSELF,
  clusterResult,
  failedResult,
  type GroupResult,
  resultOf,
  withUntrusted,
} from './core/result.ts';
import { changesOf } from './core/sizes/temporary-changes.ts';
import { listIds, subject } from './core/text/describe.ts';
import { describeDecision } from './core/text/sentence.ts';
import type { Command } from './event.ts';
import { type Invocation, MARGIN_SECONDS } from './invocation.ts';
import {
  type Begun,
  type Discovered,
  discoverBegun,
  discoverGroups,
  forgedBy,
  type Scope,
  scopesOf,
} from './look/discover.ts';
import { type Memory, newMemory } from './look/memory.ts';
import { observe } from './look/observe.ts';
import { isOrder, isOrderDone, noGroupHeard, stopsRoll } from './orders/order.ts';

/** A rollout in this invocation. What must outlast the invocation is in AWS alone. */
interface Roll extends Invocation {
  readonly command: Command;
  readonly request: Request;
  readonly memory: Memory;
  /** The groups that are still worked on, by cluster. */
  readonly open: Map<string, Scope>;
  /** By cluster and group. */
  readonly results: Map<string, GroupResult>;
  readonly lastSaid: Map<string, string>;
  /** By cluster and group, all tags that were found to count for none. */
  readonly distrusted: Map<string, readonly Untrusted[]>;
  /** Clusters of which a group was there to hear an order. */
  readonly heardIn: Set<string>;
  /** By cluster, the groups on whose tags the command's order is. */
  readonly recordedOn: Map<string, Set<string>>;
}

/**
 * Carries a command out: looks, decides and acts, again and again, until nothing is left to do or the time is up. It may
 * be killed at any moment: the next invocation goes on from what it finds.
 *
 * @returns a result for every group, however it went
 */
export async function rollOut(invocation: Invocation, command: Command): Promise<GroupResult[]> {
  const now = invocation.clock.now();
  const roll: Roll = {
    ...invocation,
    command,
    request: requestOf(command, now),
    memory: newMemory(invocation.aws, now, command.force ? now : undefined),
    open: new Map(),
    results: new Map(),
    lastSaid: new Map(),
    distrusted: new Map(),
    heardIn: new Set(),
    recordedOn: new Map(command.clusters.map((cluster) => [cluster, new Set()])),
  };
  await discover(roll);
  do {
    for (const scope of roll.open.values()) await pass(roll, scope);
  } while (changesAws(command) && roll.open.size > 0 && (await pause(invocation)));
  tellUnheard(roll);
  return inOrder([...roll.results.values()]);
}

/** An order that reached nobody would else be told as done. */
function tellUnheard(roll: Roll): void {
  const { command, heardIn, results } = roll;
  const { action, clusters } = command;
  if (!isOrder(action) || stopsRoll(action)) return;
  for (const cluster of clusters) {
    const ofCluster = [...results.values()].filter((each) => each.cluster === cluster);
    if (heardIn.has(cluster) || ofCluster.some(({ state }) => state === 'failed')) continue;
    const said = results.get(keyOf(cluster, CLUSTER_ITSELF));
    const reasons = [...(said ? [said.reason] : []), noGroupHeard(action)];
    settle(roll, failedResult(cluster, CLUSTER_ITSELF, reasons.join('; '), undefined));
  }
}

/** What is told of a whole cluster comes behind its groups. */
function inOrder(results: readonly GroupResult[]): GroupResult[] {
  const isOfWhole = ({ group }: GroupResult) => group === CLUSTER_ITSELF;
  return [...results.filter((each) => !isOfWhole(each)), ...results.filter(isOfWhole)];
}

function requestOf({ action, asked }: Command, now: Date): Request {
  const begin = action === 'roll' || action === 'plan' || action === 'status';
  const retries = asked && (action === 'roll' || action === 'resume');
  return {
    begin,
    ...(isOrder(action) && { order: action, orderedAt: now }),
    ...(retries && { retryBefore: now }),
  };
}

/** Whether a command is more than a look. */
export function changesAws({ action }: Command): boolean {
  return action !== 'plan' && action !== 'status';
}

/** What concerns begun rolls alone needs no look at what else there is. */
function concernsBegun({ action }: Command): boolean {
  return action === 'continue' || action === 'abort' || action === 'rollback';
}

/** Sleeps until the next look, unless the time left wouldn't be enough for it. */
async function pause({ clock, settings, remainingSeconds }: Invocation): Promise<boolean> {
  if (remainingSeconds() - settings.pollSeconds < MARGIN_SECONDS) return false;
  await clock.sleep(settings.pollSeconds);
  return true;
}

async function discover(roll: Roll): Promise<void> {
  const { aws, command, settings, memory } = roll;
  const begun = await discoverBegun(aws, command.clusters);
  const groups = new Map(begun.groups);
  if (!concernsBegun(command)) {
    for (const cluster of command.clusters) {
      try {
        const found = await discoverGroups(aws, cluster);
        memory.providers.set(cluster, found.providers);
        memory.registered.set(cluster, found.registered);
        const named = settings.groups.flatMap((each) => (each.cluster === cluster ? [each.group] : []));
        const all = new Set([...(groups.get(cluster) ?? []), ...found.groups, ...named]);
        groups.set(cluster, all);
        tellOfCluster(roll, cluster, all.size, found);
      } catch (error) {
        groups.delete(cluster);
        fail(roll, cluster, CLUSTER_ITSELF, error);
      }
    }
  }
  for (const cluster of command.clusters)
    if (isOrder(command.action) && concernsBegun(command) && !groups.get(cluster)?.size)
      settle(roll, clusterResult(cluster, 'up-to-date', 'no-roll-begun', 'no roll has begun'));
  await tellForged(roll, begun, groups);
  for (const scope of scopesOf(groups)) roll.open.set(scope.cluster, scope);
}

/** Marks that others have written on what is in none of the groups: nobody's result would tell of them. */
async function tellForged(roll: Roll, { forged }: Begun, groups: Begun['groups']): Promise<void> {
  const { aws, command, results } = roll;
  const names = new Set([...groups.values()].flatMap((each) => [...each]));
  for (const [cluster, untrusted] of await forgedBy(aws, command.clusters, forged, names)) {
    if (untrusted.length === 0) continue;
    distrust(roll, cluster, CLUSTER_ITSELF, untrusted);
    const bear = subject(untrusted.map(({ resource }) => resource).sort(), 'bears', 'bear');
    const reason = `${bear} tags that only look like ours: left alone`;
    const said = results.get(keyOf(cluster, CLUSTER_ITSELF));
    settle(roll, said ?? clusterResult(cluster, 'skipped', 'tags-forged', reason));
  }
}

/** What no group's result would tell of. */
function tellOfCluster(roll: Roll, cluster: string, groups: number, { strays, ghosts }: Discovered): void {
  const reasons = [
    ...(strays.length > 0 ? [`${listIds(strays)} is in no Auto Scaling group, and is left alone`] : []),
    ...(ghosts.length > 0 ? [tellGhosts(ghosts)] : []),
  ];
  // What is gone wants nothing more of a roll; what is in no group isn't rolled.
  const state = strays.length > 0 ? 'skipped' : 'up-to-date';
  if (reasons.length > 0) settle(roll, clusterResult(cluster, state, 'instances-astray', reasons.join('; ')));
  else if (groups === 0) {
    const reason = 'no Auto Scaling group belongs to the cluster';
    settle(roll, clusterResult(cluster, 'up-to-date', 'no-group', reason));
  }
}

function tellGhosts(ghosts: readonly string[]): string {
  const [what, whose] = ghosts.length === 1 ? ['instance is', 'it'] : ['instances are', 'they'];
  return (
    `${ghosts.length} ${what} gone and registered still (${listIds(ghosts)}); deregister what ${whose} left in the cluster ` +
    '(aws ecs deregister-container-instance, with --force where ECS believes in tasks there)'
  );
}

/** One look at a cluster, and what follows from it for each of its groups. */
async function pass(roll: Roll, scope: Scope): Promise<void> {
  const { aws, settings, memory, clock } = roll;
  const { cluster } = scope;
  const request = { ...roll.request, recordedOn: roll.recordedOn.get(cluster) };
  let looked: Awaited<ReturnType<typeof observe>>;
  try {
    looked = await observe(aws, { scope, settings, now: clock.now() }, memory);
  } catch (error) {
    for (const group of scope.groups) fail(roll, cluster, group, error);
    return;
  }
  for (const [group, error] of looked.faults) fail(roll, cluster, group, error);
  for (const decided of decide(looked.assessed, request)) await carryOut(roll, decided);
}

/** Does for one group what was decided. Its faults are its own: the other groups go on. */
async function carryOut(roll: Roll, decided: GroupDecision): Promise<void> {
  const { assessment, decision } = decided;
  const { group, observation } = assessment;
  const { cluster } = observation;
  const result = resultOf(decided);
  distrust(roll, cluster, group.name, untrustedIn(decided));
  if (isOfCluster(group)) roll.heardIn.add(cluster);
  say(roll, cluster, decided);
  if (roll.command.action === 'plan') {
    const steps = planSteps(assessment, roll.request);
    return settle(roll, { ...result, steps });
  }
  settle(roll, result);
  noteOrder(roll, observation, group);
  if (isAtRest(decision)) return close(roll, cluster, group.name);
  if (!('actions' in decision) || !changesAws(roll.command)) return;
  try {
    const done = await perform(roll, roll.memory, targetOf(group, cluster), decision.actions);
    if (done) noteOrder(roll, observation, group, decision);
    if (!done || decision.kind !== 'finish') return;
    settle(roll, { ...result, state: decision.ending });
    close(roll, cluster, group.name);
  } catch (error) {
    if (!isRefusedLaunchSpec(error)) return fail(roll, cluster, group.name, error);
    const refused = { code: 'launch-spec-refused', says: explain(error) } as const;
    const reason = describeDecision({ reason: refused, meanwhile: changesOf(group) });
    settle(roll, { ...result, state: 'blocked', code: refused.code, reason });
    close(roll, cluster, group.name);
  }
}

/** Of two clusters that have the same right to a group, each may give it orders. */
function isOfCluster({ notOurs }: Group): boolean {
  return notOurs === undefined || notOurs.kind === 'contested';
}

function targetOf({ name, uuid }: Group, cluster: string): Target {
  return { cluster, group: name, uuid };
}

function noteOrder(roll: Roll, observation: Observation, group: Ordered, done?: Decision): void {
  if (isOrderDone(group, roll.request, observation.now, done))
    roll.recordedOn.get(observation.cluster)?.add(group.name);
}

/** This invocation has nothing more to do about the group. */
function isAtRest({ kind }: Decision): boolean {
  return kind === 'up-to-date' || kind === 'skipped' || kind === 'blocked' || kind === 'paused';
}

/** Tells a decision once, and again when its reason changes. */
function say({ journal, lastSaid }: Roll, cluster: string, decided: GroupDecision): void {
  const key = keyOf(cluster, decided.assessment.group.name);
  const said = describeDecision(decided.decision);
  if (lastSaid.get(key) === said) return;
  lastSaid.set(key, said);
  journal.decided(cluster, decided);
}

function fail(roll: Roll, cluster: string, group: string, error: unknown): void {
  roll.journal.failed(cluster, group, error);
  settle(roll, failedResult(cluster, group, explain(error), roll.results.get(keyOf(cluster, group))));
  close(roll, cluster, group);
}

function settle({ results, distrusted }: Roll, result: GroupResult): void {
  const key = keyOf(result.cluster, result.group);
  results.set(key, withUntrusted(result, distrusted.get(key)));
}

/** What is told in the end is what was found at any look: it may be overwritten since. */
function distrust(
  { distrusted }: Roll,
  cluster: string,
  group: string,
  untrusted: readonly Untrusted[],
): void {
  const key = keyOf(cluster, group);
  distrusted.set(key, joined(distrusted.get(key) ?? [], untrusted));
}

function untrustedIn({ assessment: { group }, incredible }: GroupDecision): Untrusted[] {
  const keys = incredible.map((note) => GROUP_TAGS[note]);
  return joined(group.untrusted ?? [], [{ kind: 'group', resource: group.name, keys }]);
}

/** This invocation has no more to do with the group. */
function close({ open }: Roll, cluster: string, group: string): void {
  const scope = open.get(cluster);
  if (scope === undefined) return;
  const groups = scope.groups.filter((name) => name !== group);
  if (groups.length > 0) open.set(cluster, { ...scope, groups });
  else open.delete(cluster);
}

function keyOf(cluster: string, group: string): string {
  return `${cluster}/${group}`;
}
