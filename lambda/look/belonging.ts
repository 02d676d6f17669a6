import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import type { DescribedInstance } from '../aws/ec2.ts';
import { describeContainerInstances, describeProviders, type InstanceProvider } from '../aws/ecs.ts';
import { ClusterNotFound, explain } from '../aws/errors.ts';
import { INSTANCE_TAGS } from '../contract.ts';
import { belonging, type Claim } from '../core/group/belongs.ts';
import type { Belonging } from '../core/model/group.ts';
import type { Settings } from '../core/model/settings.ts';
import type { Warning } from '../core/reasons/warnings.ts';
import { readRoll } from '../tags/roll-tags.ts';
import type { Memory } from './memory.ts';

/** What an invocation knows about all clusters of the stack. */
export type KnownClusters = Pick<Memory, 'registered' | 'providers'>;

/** Which cluster a group is looked at for, and when. */
interface BelongingQuery {
  readonly cluster: string;
  readonly settings: Settings;
  readonly now: Date;
}

/** The instances of a group that have been looked at. */
interface SeenInstances {
  readonly instances: readonly DescribedInstance[];
  /** Those with a mark proven to be ours. */
  readonly marked: readonly DescribedInstance[];
}

/** Before any have been looked at. */
export const NONE_SEEN: SeenInstances = { instances: [], marked: [] };

/**
 * Whether a group belongs to the cluster; one that a service manages is only that service's to change. Reads
 * the cluster's capacity providers only if nothing else settles it, once per invocation.
 */
export async function belongingOf(
  aws: Aws,
  record: DescribedGroup,
  asked: BelongingQuery,
  seen: SeenInstances,
  known: KnownClusters,
): Promise<Belonging> {
  const { operator } = record;
  if (operator !== undefined) return { kind: 'stranger', reason: { code: 'group-managed', operator } };
  const without = belonging(claimOf(record, asked, seen, known));
  if (without.kind === 'ours' || known.providers.has(asked.cluster)) return without;
  await providersOf(aws, asked.cluster, known);
  return belonging(claimOf(record, asked, seen, known));
}

/** Read once per invocation: a group's capacity provider hardly ever changes. */
export async function providersOf(
  aws: Aws,
  cluster: string,
  { providers }: KnownClusters,
): Promise<readonly InstanceProvider[]> {
  const all = providers.get(cluster) ?? (await describeProviders(aws, cluster));
  providers.set(cluster, all);
  return all;
}

/**
 * Learns which instances are registered in the stack's other clusters, once per invocation: a group may have
 * members in several.
 *
 * @returns a warning for each cluster that can't be read, which stops no group of this one
 */
export async function learnOthers(
  aws: Aws,
  { cluster, settings }: Pick<BelongingQuery, 'cluster' | 'settings'>,
  { registered }: KnownClusters,
): Promise<Warning[]> {
  const unread: Warning[] = [];
  for (const other of settings.clusters) {
    if (other === cluster || registered.has(other)) continue;
    try {
      registered.set(other, await describeContainerInstances(aws, other));
    } catch (error) {
      if (error instanceof ClusterNotFound) registered.set(other, []);
      else unread.push({ code: 'other-cluster-unread', cluster: other, because: explain(error) });
    }
  }
  return unread;
}

function claimOf(
  record: DescribedGroup,
  { cluster, settings, now }: BelongingQuery,
  { instances, marked }: SeenInstances,
  { registered, providers }: KnownClusters,
): Claim {
  const { name, members, tags } = record;
  const standFor = [...providers].filter(([, all]) => all.some(({ group }) => group === name));
  const begun = settings.clusters.find((each) => readRoll(tags, each, now) !== undefined);
  const isMarked = marked.some((each) => each.tags[INSTANCE_TAGS.cluster] === cluster);
  return {
    cluster,
    members,
    now,
    registered,
    launchedAt: new Map(instances.map(({ instanceId, launchedAt }) => [instanceId, launchedAt])),
    readyTimeoutSeconds: settings.readyTimeoutSeconds,
    providedIn: standFor.map(([each]) => each),
    namedIn: settings.groups.flatMap((each) => (each.group === name ? [each.cluster] : [])),
    begunFor: begun ?? (isMarked ? cluster : undefined),
  };
}
