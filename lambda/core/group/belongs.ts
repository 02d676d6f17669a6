import type { ContainerInstance } from '../model/cluster.ts';
import type { Belonging, Member } from '../model/group.ts';
import { stays } from '../model/members.ts';
import { countedOn, instanceIdsOf } from '../model/registrations.ts';
import type { Belongs, BelongsElsewhere } from '../reasons/group-obstacles.ts';

/**
 * The evidence that a group belongs to a cluster; none of it is a tag that somebody else could have written.
 */
export interface Claim {
  readonly cluster: string;
  /** As Auto Scaling lists them. */
  readonly members: readonly Member[];
  /** By instance, when each could first have registered: an agent takes its time. */
  readonly launchedAt: ReadonlyMap<string, Date>;
  readonly now: Date;
  /** How long a member may take to register. */
  readonly readyTimeoutSeconds: number;
  /** Container instances of the stack's clusters, as far as known. */
  readonly registered: ReadonlyMap<string, readonly ContainerInstance[]>;
  /** Clusters that have a capacity provider for the group. */
  readonly providedIn: readonly string[];
  /** Clusters whose settings name the group. */
  readonly namedIn: readonly string[];
  /** The cluster named by our own record of a roll. */
  readonly begunFor?: string;
}

/**
 * A roll that has begun keeps its group. Otherwise the members decide; the settings count unless the members
 * contradict them, and ECS if it is borne out by one at least, or there are none.
 */
export function belonging(claim: Claim): Belonging {
  const { cluster, begunFor, providedIn, namedIn } = claim;
  if (begunFor === cluster) return { kind: 'ours' };
  if (begunFor !== undefined) return stranger(claim, { kind: 'rolled-for', cluster: begunFor });
  const major = [...claim.registered.keys()].find((each) => hasMost(claim, each));
  if (major === cluster) return { kind: 'ours' };
  if (major !== undefined) return stranger(claim, { kind: 'registered-in', cluster: major });
  const standing = providedIn.filter((each) => mayStandFor({ ...claim, cluster: each }));
  const claimants = [...new Set([...standing, ...namedIn])].sort();
  if (claimants.includes(cluster)) return claimants.length > 1 ? contested(claimants) : { kind: 'ours' };
  const { here, others, young } = countsOf(claim);
  const isProvided = providedIn.includes(cluster);
  return (here.length > 0 || isProvided) && here.length + young > others - young
    ? { kind: 'undecided', reason: { code: 'belonging-undecided', ...belongs(claim) } }
    : stranger(claim, isProvided ? { kind: 'only-provided' } : undefined);
}

/**
 * Whoever manages a cluster may give it any capacity provider of the account, so that one alone proves
 * nothing of a group whose members have all registered somewhere else, or nowhere.
 */
function mayStandFor(claim: Claim): boolean {
  const { here, others } = countsOf(claim);
  return here.length > 0 || others === 0;
}

function hasMost(claim: Claim, cluster: string): boolean {
  const { here, others } = countsOf({ ...claim, cluster });
  return here.length > others;
}

/**
 * Counts each member once, however often it is registered. If none is in service, those in Standby count. One
 * that is pending may register elsewhere.
 */
function countsOf({ cluster, members, registered, launchedAt, now, readyTimeoutSeconds }: Claim) {
  const all = members.filter(stays);
  const serves = all.some(({ lifecycleState }) => lifecycleState === 'InService');
  const counted = serves ? all.filter(({ lifecycleState }) => lifecycleState !== 'Standby') : all;
  const known = new Set(instanceIdsOf(registered.get(cluster) ?? []));
  const here = counted.filter(({ instanceId }) => known.has(instanceId));
  const isYoung = ({ instanceId, lifecycleState }: Member) =>
    lifecycleState.startsWith('Pending') ||
    now.getTime() - (launchedAt.get(instanceId)?.getTime() ?? 0) < readyTimeoutSeconds * 1000;
  const absent = counted.filter(({ instanceId }) => !known.has(instanceId));
  return {
    here: here.map(({ instanceId }) => instanceId),
    others: absent.length,
    young: absent.filter(isYoung).length,
  };
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

/** Instances that run other clusters' tasks: ending them for this cluster would lose those tasks. */
export function busyElsewhere(
  registered: ReadonlyMap<string, readonly ContainerInstance[]>,
  cluster: string,
): ReadonlyMap<string, string> {
  const others = [...registered].filter(([name]) => name !== cluster);
  return new Map(
    others.flatMap(([name, containerInstances]) =>
      containerInstances
        .filter((each) => countedOn(each) > 0)
        .map(({ instanceId }) => [instanceId, name] as const),
    ),
  );
}
