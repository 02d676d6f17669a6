import type { Assessment, Attached, Classification } from '../model/assessment.ts';
import { derived } from '../model/derived.ts';
import type { Group, Instance, Member, TargetHealth, TrafficSource } from '../model/group.ts';
import { isStandby, weightOf } from '../model/members.ts';
import { bestOf, registrationsOf } from '../model/registrations.ts';
import { earlier, isOver } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import { agentsAreAway, areUnhealthy, areUnserved } from './alike.ts';
import { exonerationOf } from './blame.ts';
import { areOfNoImage, failuresOf, mayBeOfImage } from './launch-faults.ts';
import { freeSince, heldBy, readyLimitSeconds } from './launch-time.ts';

/** Something a group lacks before an old instance may go. */
export interface Lack {
  readonly what: Fault;
  /**
   * When the new instance that isn't ready was launched; undefined if Auto Scaling hasn't launched it yet.
   */
  readonly launchedAt?: Date;
  /** When its launch hooks let go of it, or will at the latest. */
  readonly freeSince?: Date;
  /** It is the roll's own replacement, so what the group launches now is at fault. */
  readonly failing: boolean;
  /** It would be, but what was there before fails alike. */
  readonly excused?: true;
}

/**
 * What the group still lacks to be whole without the instances that will go. Each member that stays, and each
 * replacement, must be InService and healthy in the group and in all its traffic sources, and ACTIVE in the
 * cluster with its agent connected; and there must be as many members as desired. Old members of later
 * batches, and excluded ones, count as they are.
 */
export const readiness = derived((assessment: Assessment): readonly Lack[] => {
  const { group, classified } = assessment;
  const since = replacedSince(group, classified);
  const inService = classified.drifted.filter(({ member }) => member.lifecycleState === 'InService');
  const unmarked = inService.filter(({ instance }) => instance.mark === undefined);
  const current = classified.current.filter(({ member }) => !isStandby(member));
  // Members that a rollback removes needn't get ready first.
  const others = unmarked.filter(({ reasons }) => !reasons.includes('rollback'));
  // Surplus members may drain as members.
  const ending = new Set(classified.leaving.map(({ instanceId }) => instanceId));
  const staying = current.filter(({ instance }) => !ending.has(instance.instanceId));
  const toBeReady = [...staying, ...others.filter(({ instance }) => instance.launchedAt >= since)];
  const unseen = classified.unseen.map((member) => ({ member }));
  // By Auto Scaling's word; whether it replaced another isn't known.
  const unknown = classified.unknown.filter((member) => !isStandby(member)).map((member) => ({ member }));
  const coming = unknown.filter(({ member }) => member.lifecycleState !== 'InService');
  const launched = weightOf([...current, ...inService, ...classified.skipped, ...unseen, ...unknown]);
  return [
    ...(launched < group.desiredCapacity ? [missing(group, classified, launched)] : []),
    ...classified.unseen.map(({ instanceId }) => ({
      what: { kind: 'member-unseen', instanceId } as const,
      failing: false,
    })),
    ...coming.map(({ member }) => ({ what: notInService(group, member), failing: false })),
    ...toBeReady.flatMap((attached) => lacks(attached, assessment)),
  ];
});

/** The instance that lacks something; empty if the group lacks a member. */
export function lackingInstance({ what }: Lack): string {
  return 'instanceId' in what ? (what.instanceId ?? '') : '';
}

/** Whether it isn't there yet, or was launched too lately to be ready. */
export function isInItsTime(
  { launchedAt, freeSince = launchedAt }: Lack,
  { group, settings, observation }: Assessment,
): boolean {
  return freeSince === undefined || !isOver(freeSince, readyLimitSeconds(group, settings), observation.now);
}

function missing(group: Group, { detached, detaching, drifted }: Classification, launched: number): Lack {
  const isGoingBack = group.roll?.course.kind === 'rollback';
  // Once the group goes back, it launches something else than what failed before: the newest tells of that.
  const failedLaunches = failuresOf(group).slice(0, isGoingBack ? 1 : undefined);
  const isOfNoImage = areOfNoImage(failedLaunches, group);
  const failed = failedLaunches.find((each) => isOfNoImage || mayBeOfImage(each, group));
  const goingBack = isGoingBack ? ({ goingBack: true } as const) : {};
  const isBatch =
    detached.length + detaching.length > 0 || drifted.some(({ instance }) => instance.mark !== undefined);
  return {
    what: {
      kind: 'members-lacking',
      launched,
      desired: group.desiredCapacity,
      ...(failed && { failure: { message: failed.message, ofNoImage: isOfNoImage, ...goingBack } }),
    },
    failing: !isOfNoImage && (isBatch || failed !== undefined),
  };
}

/** Members launched since then are replacements, even if they are to be replaced in turn. */
function replacedSince(group: Group, { detached }: Classification): Date {
  const starts = detached.map(({ mark }) => mark.detachStartedAt);
  return starts.reduce(earlier, group.roll?.startedAt ?? new Date(8.64e15));
}

function lacks({ member, instance }: Attached, assessment: Assessment): Lack[] {
  const { group, observation } = assessment;
  const { instanceId, launchedAt } = instance;
  const registered = bestOf(registrationsOf(observation, instanceId));
  const { roll } = group;
  const ofRoll = roll !== undefined && launchedAt >= roll.startedAt;
  const lack = (what: Fault, isExcused = false): Lack[] => [
    {
      what,
      launchedAt,
      freeSince: freeSince(group, member, instance),
      failing: ofRoll && !isExcused,
      ...(ofRoll && isExcused && { excused: true }),
    },
  ];
  // What ended it nobody knows. Its group replaces it, unless its owner keeps it from that.
  if (!instance.alive) return lack({ kind: 'member-gone', instanceId }).map(ofNobody);
  if (member.lifecycleState !== 'InService') return lack(notInService(group, member));
  if (!member.healthy)
    return lack({ kind: 'member-unhealthy', instanceId }, areUnhealthy(member, assessment));
  const isAway = () => agentsAreAway(member, assessment);
  if (registered === undefined) return lack({ kind: 'member-unregistered', instanceId }, isAway());
  // We never drain what stays: an operator did, or the agent of an interrupted spot instance.
  if (registered.status === 'DRAINING')
    return lack({ kind: 'member-drained-by-others', instanceId }).map(ofNobody);
  const { status, statusReason: reason = '' } = registered;
  if (status !== 'ACTIVE') {
    const why = reason && { statusReason: reason };
    const lacking = lack({ kind: 'member-not-active', instanceId, status, ...why });
    return exonerationOf({ reason }) ? lacking.map(ofNobody) : lacking;
  }
  if (!registered.agentConnected) return lack({ kind: 'member-disconnected', instanceId }, isAway());
  // Where all are, it may as well be what says so.
  if (registered.isImpaired && !isAway())
    return lack({ kind: 'member-not-active', instanceId, status: 'IMPAIRED' });
  const isLeftIll = mayBeLeftIll(instance, assessment);
  return unserved(instanceId, group).flatMap(({ what, ofNoImage, isIll, byInstance }) => {
    if (isIll && isLeftIll) return [];
    const lacking = lack(what, isIll && areUnserved(member, byInstance, assessment));
    return ofNoImage ? lacking.map(ofNobody) : lacking;
  });
}

function ofNobody({ excused: _, ...lack }: Lack): Lack {
  return { ...lack, failing: false };
}

/**
 * In a rollback, an old member that fails a traffic source's checks may have failed them before the roll, and
 * then does so for ever. It gets the time of a replacement.
 */
function mayBeLeftIll({ launchedAt }: Instance, { group: { roll }, observation, settings }: Assessment) {
  if (roll?.course.kind !== 'rollback' || launchedAt >= roll.startedAt) return false;
  return isOver(roll.course.since, settings.readyTimeoutSeconds, observation.now);
}

function notInService(group: Group, member: Member): Fault {
  const { instanceId, lifecycleState } = member;
  const hooks = heldBy(group, member);
  return { kind: 'member-not-in-service', instanceId, lifecycleState, ...(hooks && { heldBy: hooks }) };
}

interface Unserved {
  readonly what: Fault;
  /**
   * Nobody knows whether they do, or they don't whatever runs there: what isn't registered is for Auto
   * Scaling to register, which a quota of targets may keep it from.
   */
  readonly ofNoImage: boolean;
  /** It is registered, and its checks have failed. */
  readonly isIll: boolean;
  readonly byInstance: ReadonlyMap<string, TargetHealth>;
}

/** Traffic sources that don't send it requests, or no longer do. */
function unserved(instanceId: string, { details: { targetHealth = [] } = {} }: Group): Unserved[] {
  return targetHealth.flatMap(({ source, byInstance }): Unserved[] => {
    const health = byInstance.get(instanceId);
    if (health?.healthy) return [];
    const { state, description, unknown = false, barred = false, shifted = false } = health ?? {};
    const what: Fault = {
      kind: 'member-unserved',
      instanceId,
      source: { kind: source.kind, name: nameOfSource(source) },
      ...(state !== undefined && { state }),
      ...(description !== undefined && { description }),
    };
    const isIll = health !== undefined && !health.starting;
    const ofNoImage = health === undefined || unknown || barred || shifted;
    return [{ what, ofNoImage, isIll, byInstance }];
  });
}

export function nameOfSource(source: TrafficSource): string {
  if (source.kind === 'load-balancer') return source.name;
  return source.arn.split('/')[1] ?? source.arn;
}
