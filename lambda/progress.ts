import { explain } from './aws/errors.ts';
import { GROUP_TAGS } from './contract.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { Request } from './core/model/request.ts';
import { joined, type Untrusted } from './core/model/untrusted.ts';
import { CLUSTER_ITSELF, failedResult, type GroupResult, withUntrusted } from './core/result.ts';
import { describeUnheard } from './core/text/clusters.ts';
import { describeDecision } from './core/text/sentence.ts';
import type { Command } from './event.ts';
import type { Invocation } from './invocation.ts';
import type { Scope } from './look/discover.ts';
import type { Memory } from './look/memory.ts';
import { isOrder, stopsRoll } from './orders/order.ts';

/** How far one invocation has come. What must outlast it is in AWS alone. */
export interface Progress extends Invocation {
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

/** An order that reached nobody would else be told as done. */
export function tellUnheard(progress: Progress): void {
  const { command, heardIn, results } = progress;
  const { action, clusters } = command;
  if (!isOrder(action) || stopsRoll(action)) return;
  for (const cluster of clusters) {
    const ofCluster = [...results.values()].filter((each) => each.cluster === cluster);
    if (heardIn.has(cluster) || ofCluster.some(({ state }) => state === 'failed')) continue;
    const said = results.get(keyOf(cluster, CLUSTER_ITSELF));
    const reasons = [...(said ? [said.reason] : []), describeUnheard(action)];
    settle(progress, failedResult(cluster, CLUSTER_ITSELF, reasons.join('; '), undefined));
  }
}

/** What is told of a whole cluster comes behind its groups. */
export function inOrder(results: readonly GroupResult[]): GroupResult[] {
  const isOfWhole = ({ group }: GroupResult) => group === CLUSTER_ITSELF;
  return [...results.filter((each) => !isOfWhole(each)), ...results.filter(isOfWhole)];
}

/** Tells a decision once, and again when its reason changes. */
export function say({ journal, lastSaid }: Progress, cluster: string, decided: GroupDecision): void {
  const key = keyOf(cluster, decided.assessment.group.name);
  const said = describeDecision(decided.decision);
  if (lastSaid.get(key) === said) return;
  lastSaid.set(key, said);
  journal.decided(cluster, decided);
}

export function fail(progress: Progress, cluster: string, group: string, error: unknown): void {
  progress.journal.failed(cluster, group, error);
  settle(progress, failedResult(cluster, group, explain(error), progress.results.get(keyOf(cluster, group))));
  close(progress, cluster, group);
}

export function settle({ results, distrusted }: Progress, result: GroupResult): void {
  const key = keyOf(result.cluster, result.group);
  results.set(key, withUntrusted(result, distrusted.get(key)));
}

/** What is told in the end is what was found at any look: it may be overwritten since. */
export function distrust(
  { distrusted }: Progress,
  cluster: string,
  group: string,
  untrusted: readonly Untrusted[],
): void {
  const key = keyOf(cluster, group);
  distrusted.set(key, joined(distrusted.get(key) ?? [], untrusted));
}

export function untrustedIn({ assessment: { group }, incredible }: GroupDecision): Untrusted[] {
  const keys = incredible.map((note) => GROUP_TAGS[note]);
  return joined(group.untrusted ?? [], [{ kind: 'group', resource: group.name, keys }]);
}

/** This invocation has no more to do with the group. */
export function close({ open }: Progress, cluster: string, group: string): void {
  const scope = open.get(cluster);
  if (scope === undefined) return;
  const groups = scope.groups.filter((name) => name !== group);
  if (groups.length > 0) open.set(cluster, { ...scope, groups });
  else open.delete(cluster);
}

export function keyOf(cluster: string, group: string): string {
  return `${cluster}/${group}`;
}
