import type { ContainerInstance } from '../model/cluster.ts';
import type { Belonging, Member } from '../model/group.ts';
import { stays } from '../model/members.ts';
import type { Belongs, BelongsElsewhere } from '../model/obstacle.ts';
import { instanceIdsOf } from '../model/registrations.ts';

/** What tells whether a group is one of a cluster: nothing of it is a tag that somebody else could have written. */
export interface Claim {
  readonly cluster: string;
  /** As Auto Scaling has them. */
  readonly members: readonly Member[];
  /** Since when each of them may have registered, by instance: an agent takes its time. */
  readonly launchedAt: ReadonlyMap<string, Date>;
  readonly now: Date;
  /** So long a member may take to be registered. */
  readonly readyTimeoutSeconds: number;
  /** Container instances of the stack's clusters, as far as they are known. */
  readonly registered: ReadonlyMap<string, readonly ContainerInstance[]>;
  /** Clusters of which a capacity provider stands for the group. */
  readonly providedIn: readonly string[];
  /** Clusters for which the settings name it. */
  readonly namedIn: readonly string[];
  /** The cluster that our own record of a roll is for. */
  readonly begunFor?: string;
}

/** A roll keeps its group, and else the members tell; what the stack and ECS say holds where these don't contradict it. */
export function belonging(claim: Claim): Belonging {
  const { cluster, begunFor, providedIn, namedIn } = claim;
  if (begunFor === cluster) return { kind: 'ours' };
  if (begunFor !== undefined) return stranger(claim, { kind: 'rolled-for', cluster: begunFor });
  const major = [...claim.registered.keys()].find((each) => hasMost(claim, each));
  if (major === cluster) return { kind: 'ours' };
  if (major !== undefined) return stranger(claim, { kind: 'registered-in', cluster: major });
  const claimants = [...new Set([...providedIn, ...namedIn])].sort();
  if (claimants.includes(cluster)) return claimants.length > 1 ? contested(claimants) : { kind: 'ours' };
  const { here, others, young } = countsOf(claim);
  return here.length > 0 && here.length + young > others - young
    ? { kind: 'undecided', reason: { code: 'belonging-undecided', ...belongs(claim) } }
    : stranger(claim);
}

function hasMost(claim: Claim, cluster: string): boolean {
  const { here, others } = countsOf({ ...claim, cluster });
  return here.length > others;
}

/** Each member counts once, whatever it is registered as; where none is in service, those that are put aside do. */
function countsOf({ cluster, members, registered, launchedAt, now, readyTimeoutSeconds }: Claim) {
  const all = members.filter(stays);
  const serving = all.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const ids = (serving.length > 0 ? serving : all).map(({ instanceId }) => instanceId);
  const known = new Set(instanceIdsOf(registered.get(cluster) ?? []));
  const here = ids.filter((id) => known.has(id));
  const isYoung = (id: string) =>
    now.getTime() - (launchedAt.get(id)?.getTime() ?? 0) < readyTimeoutSeconds * 1000;
  const absent = ids.filter((id) => !known.has(id));
  return { here, others: absent.length, young: absent.filter(isYoung).length };
}

function belongs(claim: Claim): Belongs {
  const { here, others } = countsOf(claim);
  return { cluster: claim.cluster, registered: here, members: here.length + others };
}

function stranger(claim: Claim, because: BelongsElsewhere = { kind: 'not-named' }) {
  const reason = { code: 'belongs-elsewhere', ...belongs(claim), because } as const;
  return { kind: 'stranger', reason } as const;
}

function contested(clusters: readonly string[]) {
  return { kind: 'contested', reason: { code: 'belonging-contested', clusters } } as const;
}

/** Instances that other clusters have tasks on: ended for this one, these would be lost. */
export function busyElsewhere(
  registered: ReadonlyMap<string, readonly ContainerInstance[]>,
  cluster: string,
): ReadonlyMap<string, string> {
  const others = [...registered].filter(([name]) => name !== cluster);
  return new Map(
    others.flatMap(([name, containerInstances]) =>
      containerInstances
        .filter(({ runningTasksCount, pendingTasksCount }) => runningTasksCount + pendingTasksCount > 0)
        .map(({ instanceId }) => [instanceId, name] as const),
    ),
  );
}
