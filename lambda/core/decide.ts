import { describeImage } from './describe.ts';
import { detachDrifted } from './detach.ts';
import { endDetached } from './drain.ts';
import { type DriftCriteria, isOutdated, type Standing, standing } from './drift.ts';
import { stepsToImage, stepsToPrune } from './launch-spec.ts';
import type { Decision, Group, Image, LaunchSpec, Observation, Request, Rollout, Settings } from './model.ts';
import { waitForReadiness } from './wait.ts';

/** A group with what is to be done about it. */
export interface GroupDecision {
  readonly group: Group;
  readonly decision: Decision;
}

/**
 * Decides about every group of a cluster. One at a time is rolled, those first that have begun: services move between
 * the groups of a cluster. One that is blocked doesn't keep the others waiting.
 */
export function decide(observation: Observation, settings: Settings, request: Request): GroupDecision[] {
  let rolling: string | undefined;
  return [...observation.groups].sort(byTurn).map((group) => {
    const decision = decideGroup(group, observation, settings, request);
    if (decision.kind === 'up-to-date' || decision.kind === 'blocked') return { group, decision };
    if (rolling !== undefined) {
      return { group, decision: { kind: 'wait', reason: `waits for its turn after group ${rolling}` } };
    }
    rolling = group.name;
    return { group, decision };
  });
}

function byTurn(a: Group, b: Group): number {
  return Number(hasBegun(b)) - Number(hasBegun(a)) || (a.name < b.name ? -1 : 1);
}

/**
 * Decides what to do about one group now. A pure function: the same observation gives the same decision, so that two
 * invocations at once agree, and one that was killed is continued by the next.
 *
 * The order is the order of a rollout, each step taken only when all before it are seen to be done:
 *
 *   1. the group's tags record what it is rolled onto, before anything changes;
 *   2. its launch spec gets the image;
 *   3. a batch of outdated members is marked by tags, then detached, so that Auto Scaling launches replacements;
 *   4. once every replacement is ready, the detached are drained, deregistered and terminated, few at a time;
 *   5. when no member is outdated and none of ours detached: superseded launch specs are deleted, then the tags.
 */
export function decideGroup(
  group: Group,
  observation: Observation,
  settings: Settings,
  request: Request,
): Decision {
  if ('obstacle' in group.launch) return { kind: 'blocked', reason: group.launch.obstacle };
  const { spec, target } = group.launch;
  const criteria = criteriaOf(group, target, observation, settings);
  const stand = standing(group, criteria);
  const specOutdated = isOutdated(spec.imageId, criteria);
  if (!hasBegun(group)) {
    if (stand.drifted.length === 0 && !specOutdated) return upToDate(group, spec, target);
    if (!request.begin) return { kind: 'up-to-date', reason: 'no roll has begun' };
  }
  const rollout = recordOf(group, target, observation);
  if (rollout !== group.rollout) return record(group, rollout, target);
  if (specOutdated) return giveImage(group, spec, target);
  return (
    repair(stand) ??
    detachDrifted(group, stand, observation, settings) ??
    endDetached(group, stand, observation, settings) ??
    finish(group, stand, spec, observation, settings)
  );
}

/** A roll has begun as soon as a tag of ours stands on the group or on one of its instances. */
export function hasBegun(group: Group): boolean {
  return group.rollout !== undefined || group.instances.some(({ alive, mark }) => alive && mark);
}

/** Where the instances of a group stand; undefined for a group that can't be rolled. */
export function standingOf(group: Group, observation: Observation, settings: Settings): Standing | undefined {
  if ('obstacle' in group.launch) return undefined;
  return standing(group, criteriaOf(group, group.launch.target, observation, settings));
}

/** Whether the decision will ask what launch specs of ours there are: to find one made before, and to clear up. */
export function needsOwnLaunchSpecs(group: Group, observation: Observation, settings: Settings): boolean {
  if ('obstacle' in group.launch || group.rollout === undefined) return false;
  const { spec, target } = group.launch;
  const criteria = criteriaOf(group, target, observation, settings);
  const { drifted, detached } = standing(group, criteria);
  // A launch configuration of ours needs no finding: its name tells all.
  if (isOutdated(spec.imageId, criteria)) return spec.kind === 'launch-template';
  return drifted.length + detached.length === 0;
}

function criteriaOf(
  group: Group,
  target: Image,
  { images }: Observation,
  { image: selector }: Settings,
): DriftCriteria {
  // A time on the group's tags stands until the roll is over.
  return { target, images, selector, forceBefore: group.rollout?.forceBefore ?? group.forceRequestedAt };
}

function upToDate(group: Group, spec: LaunchSpec, target: Image): Decision {
  const newer = spec.imageId === target.imageId ? '' : ', or a newer image';
  return {
    kind: 'up-to-date',
    reason: `${group.members.length} members run ${describeImage(target)}${newer}`,
  };
}

/** What the group's tags are to say. A request to force is kept by its time, and repeating it changes nothing. */
function recordOf({ rollout, forceRequestedAt }: Group, target: Image, { now }: Observation): Rollout {
  if (rollout !== undefined && (forceRequestedAt === undefined || rollout.forceBefore !== undefined)) {
    return rollout;
  }
  const { imageId, startedAt } = rollout ?? { imageId: target.imageId, startedAt: now };
  return { imageId, startedAt, ...(forceRequestedAt && { forceBefore: forceRequestedAt }) };
}

function record(group: Group, rollout: Rollout, target: Image): Decision {
  return {
    kind: 'act',
    reason: `begins to roll onto ${describeImage(target)}`,
    actions: [{ kind: 'record-rollout', group: group.name, rollout }],
  };
}

function giveImage(group: Group, spec: LaunchSpec, target: Image): Decision {
  return {
    kind: 'act',
    reason: `lets the group launch ${describeImage(target)}`,
    actions: stepsToImage(group, spec, target),
  };
}

/** Takes our tags from members that aren't outdated (any more), so that they are never taken for candidates. */
function repair({ current }: Standing): Decision | undefined {
  const mistaken = current.filter(({ instance }) => instance.mark !== undefined);
  if (mistaken.length === 0) return undefined;
  const instanceIds = mistaken.map(({ instance }) => instance.instanceId);
  return {
    kind: 'act',
    reason: 'takes the tags from members that are to stay',
    actions: [{ kind: 'unmark-instances', instanceIds }],
  };
}

/** Once nothing is left to replace and the group is whole, what we no longer need goes, and our tags last of all. */
function finish(
  group: Group,
  stand: Standing,
  spec: LaunchSpec,
  observation: Observation,
  settings: Settings,
): Decision {
  const waiting = waitForReadiness(group, stand, observation, settings);
  if (waiting !== undefined) return waiting;
  return {
    kind: 'finish',
    reason: `all ${group.members.length} members run ${spec.imageId}`,
    actions: [
      ...stepsToPrune(spec, group.ownLaunchSpecs ?? [], settings.keepLaunchSpecs),
      { kind: 'clear-rollout', group: group.name },
    ],
  };
}
