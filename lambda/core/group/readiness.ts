import type { Assessment, Attached, Classification } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Group, TrafficSource } from '../model/group.ts';
import { isStandby, weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { bestOf, registrationsOf } from '../model/registrations.ts';
import { earlier } from '../model/time.ts';
import { areOfNoImage } from './launch-faults.ts';
import { freeSince, heldBy } from './launch-time.ts';

/** Something that a group lacks before an old instance may go. */
export interface Lack {
  /** A clause for a person, such as `i-1 is Pending`. */
  readonly what: string;
  /** The new instance that isn't ready; undefined where Auto Scaling has not launched one yet. */
  readonly launchedAt?: Date;
  /** Since when no launch hook holds it any more, or when that will be at the latest. */
  readonly freeSince?: Date;
  /** It is the roll's own replacement that lacks, and so what the group launches now. */
  readonly failing: boolean;
}

/**
 * What keeps the group from being whole without the instances that are to go. Each member that stays, and each that was
 * launched as a replacement, must be InService and healthy in the group and to all that sends it requests, ACTIVE in the
 * cluster with its agent connected; and there must be as many members as desired. An old member whose batch is to come,
 * and one that is left alone, counts as it is.
 */
export function readiness({ group, observation, classified }: Assessment): Lack[] {
  const since = replacedSince(group, classified);
  const inService = classified.drifted.filter(({ member }) => member.lifecycleState === 'InService');
  const unmarked = inService.filter(({ instance }) => instance.mark === undefined);
  const current = classified.current.filter(({ member }) => !isStandby(member));
  const skipped = classified.skipped.filter(({ member }) => !isStandby(member));
  // Those that a rollback takes away are not to get ready first.
  const others = unmarked.filter(({ reasons }) => !reasons.includes('rollback'));
  // What the group is larger by may drain as a member.
  const ending = new Set(classified.leaving.map(({ instanceId }) => instanceId));
  const staying = current.filter(({ instance }) => !ending.has(instance.instanceId));
  const toBeReady = [...staying, ...others.filter(({ instance }) => instance.launchedAt >= since)];
  const unseen = classified.unseen.map((member) => ({ member }));
  const launched = weightOf([...current, ...inService, ...skipped, ...unseen]);
  return [
    ...(launched < group.desiredCapacity ? [missing(group, classified, launched)] : []),
    ...classified.unseen.map(({ instanceId }) => ({
      what: `EC2 does not show member ${instanceId}`,
      failing: false,
    })),
    ...toBeReady.flatMap((attached) => lacks(attached, group, observation)),
  ];
}

function missing(group: Group, { detached, detaching, drifted }: Classification, launched: number): Lack {
  const { failedLaunches = [] } = group.details ?? {};
  const [failed] = failedLaunches;
  const isOfNoImage = areOfNoImage(failedLaunches);
  const advice = isOfNoImage ? `; it goes on once launches succeed, or back by {"action":"rollback"}` : '';
  const why = failed === undefined ? '' : ` (${failed.message}${advice})`;
  const isBatch =
    detached.length + detaching.length > 0 || drifted.some(({ instance }) => instance.mark !== undefined);
  return {
    what: `Auto Scaling has launched ${launched} of ${group.desiredCapacity} instances${why}`,
    failing: !isOfNoImage && (isBatch || failed !== undefined),
  };
}

/** Members launched since then are replacements, even where they are to be replaced in their turn. */
function replacedSince(group: Group, { detached }: Classification): Date {
  const starts = detached.map(({ mark }) => mark.detachStartedAt);
  return starts.reduce(earlier, group.roll?.startedAt ?? new Date(8.64e15));
}

function lacks({ member, instance }: Attached, group: Group, observation: Observation): Lack[] {
  const { instanceId, launchedAt } = instance;
  const registered = bestOf(registrationsOf(observation, instanceId));
  const { roll } = group;
  const failing = roll !== undefined && launchedAt >= roll.startedAt;
  const times = { launchedAt, freeSince: freeSince(group, member, instance) };
  const lack = (what: string): Lack[] => [{ what: `${instanceId} ${what}`, ...times, failing }];
  if (member.lifecycleState !== 'InService')
    return lack(`is ${member.lifecycleState} in the group${heldBy(group, member)}`);
  if (!member.healthy) return lack('is unhealthy in the group');
  if (registered === undefined) return lack('is InService but not registered in the cluster');
  // What stays is never drained by us: an operator, or the agent of an interrupted spot instance, has done it.
  if (registered.status === 'DRAINING')
    return lack('is DRAINING in the cluster, set so by somebody else').map((each) => ({
      ...each,
      failing: false,
    }));
  if (registered.status !== 'ACTIVE') return lack(`is ${registered.status} in the cluster${why(registered)}`);
  if (!registered.agentConnected) return lack('is registered but its agent is not connected');
  return unserved(instanceId, group).flatMap(lack);
}

function why({ statusReason }: ContainerInstance): string {
  return statusReason === undefined ? '' : ` (${statusReason})`;
}

/** What doesn't send it requests yet, or no more. */
function unserved(instanceId: string, { details: { targetHealth = [] } = {} }: Group): string[] {
  return targetHealth.flatMap(({ source, byInstance }) => {
    const health = byInstance.get(instanceId);
    if (health?.healthy) return [];
    const state = health === undefined ? 'not registered' : health.state;
    const why = health?.description === undefined ? '' : ` (${health.description})`;
    return [`is ${state} in ${nameOf(source)}${why}`];
  });
}

/** A traffic source as a sentence takes it. */
export function nameOf(source: TrafficSource): string {
  if (source.kind === 'load-balancer') return `load balancer ${source.name}`;
  return `target group ${source.arn.split('/')[1] ?? source.arn}`;
}
