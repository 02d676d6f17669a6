import { explain } from './aws/errors.ts';
import { GROUP_TAGS } from './contract.ts';
import type { GroupDecision } from './core/group-decision.ts';
import type { Request } from './core/model/request.ts';
import { joined, type Untrusted } from './core/model/untrusted.ts';
import { describeUnheard } from './core/reasons/clusters.ts';
import { CLUSTER_ITSELF, failedResult, type GroupResult, withUntrusted } from './core/result.ts';
import { describeDecision } from './core/text/decision.ts';
import type { Command } from './event.ts';
import type { Invocation } from './invocation.ts';
import type { Scope } from './look/look.ts';
import type { Memory } from './look/memory.ts';
import { concernsRolls, isOrder } from './orders/order.ts';
import type { Pace } from './pace.ts';

/** How far one invocation has come. Whatever must outlast it is stored only in AWS. */
export interface Progress extends Invocation {
  readonly command: Command;
  readonly request: Request;
  readonly memory: Memory;
  /** The groups still in progress, by cluster. */
  readonly open: Map<string, Scope>;
  /** When and how each cluster is looked at next. */
  readonly paces: Map<string, Pace>;
  /** By cluster and group. */
  readonly results: Map<string, GroupResult>;
  readonly lastSaid: Map<string, string>;
  /** All tags found to be ignored, by cluster and group. */
  readonly distrusted: Map<string, readonly Untrusted[]>;
  /** Clusters in which at least one group got the order. */
  readonly heardIn: Set<string>;
  /** Groups whose tags record the command's order, by cluster. */
  readonly recordedOn: Map<string, Set<string>>;
}

/** Otherwise an order that reached no group would look done. */
export function reportUnheard(progress: Progress): void {
  const { command, heardIn, results } = progress;
  const { action, clusters } = command;
  if (!isOrder(action) || concernsRolls(action)) return;
  for (const cluster of clusters) {
    const ofCluster = [...results.values()].filter((each) => each.cluster === cluster);
    if (heardIn.has(cluster) || ofCluster.some(({ state }) => state === 'failed')) continue;
    const said = results.get(keyOf(cluster, CLUSTER_ITSELF));
    const reasons = [...(said ? [said.reason] : []), describeUnheard(action)];
    settle(progress, failedResult(cluster, CLUSTER_ITSELF, reasons.join('; '), undefined));
  }
}

/** Puts results about a whole cluster after its groups. */
export function inOrder(results: readonly GroupResult[]): GroupResult[] {
  const isOfWhole = ({ group }: GroupResult) => group === CLUSTER_ITSELF;
  return [...results.filter((each) => !isOfWhole(each)), ...results.filter(isOfWhole)];
}

/** Logs a decision once, and again whenever its reason changes. */
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

/** The result lists what any look has found, as it may have been overwritten since. */
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

/** This invocation is done with the group. */
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
