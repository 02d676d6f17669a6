import type { Decision, Request } from './decision.ts';
import { describeImage, listIds } from './describe.ts';
import { detachDrifted } from './detach.ts';
import { endDetached } from './drain.ts';
import { type DriftCriteria, isOutdated, type Standing, standing } from './drift.ts';
import { bystanders, stepsToImage, stepsToPrune } from './launch-spec.ts';
import type { Group, Image, LaunchSpec, Observation, Rollout, TemplateUser } from './model.ts';
import type { Settings } from './settings.ts';
import { waitForReadiness } from './wait.ts';

/** A group with what is to be done about it. */
export interface GroupDecision {
  readonly group: Group;
  readonly decision: Decision;
}

/**
 * Decides about every group of a cluster. One at a time is rolled, those first that began first: services move between
 * the groups of a cluster. The others are recorded at once, so that the next invocation knows of them. One that is
 * blocked doesn't keep the others waiting.
 */
export function decide(observation: Observation, settings: Settings, request: Request): GroupDecision[] {
  let rolling: string | undefined;
  return [...observation.groups].sort(byTurn).map((group) => {
    const decision = decideGroup(group, observation, settings, request);
    if (decision.kind === 'up-to-date' || decision.kind === 'blocked' || isRecord(decision)) {
      return { group, decision };
    }
    if (rolling !== undefined) {
      return { group, decision: { kind: 'wait', reason: `waits for its turn after group ${rolling}` } };
    }
    rolling = group.name;
    return { group, decision };
  });
}

function byTurn(a: Group, b: Group): number {
  const [first, second] = [begunAt(a), begunAt(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function begunAt({ rollout, instances }: Group): number {
  const marks = instances.flatMap(({ alive, mark }) => (alive && mark ? [mark.detachStartedAt] : []));
  const times = [...marks, ...(rollout ? [rollout.startedAt] : [])];
  return Math.min(...times.map((time) => time.getTime()));
}

function isRecord(decision: Decision): boolean {
  return decision.kind === 'act' && decision.actions.every(({ kind }) => kind === 'record-rollout');
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
    if (stand.drifted.length === 0 && !specOutdated) return upToDate(group, target);
    if (!request.begin) return { kind: 'up-to-date', reason: 'no roll has begun' };
  }
  const others = specOutdated ? bystanders(group, spec, target, rolledGroups(observation)) : [];
  if (others.length > 0) return spare(others, target);
  const rollout = recordOf(group, target, observation, settings);
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

/** Whether the decision will ask what launch specs of ours there are, and whose: to make one, and to clear up. */
export function needsLaunchHistory(group: Group, observation: Observation, settings: Settings): boolean {
  if ('obstacle' in group.launch) return false;
  const { spec, target } = group.launch;
  const criteria = criteriaOf(group, target, observation, settings);
  // A launch configuration of ours needs no finding: its name tells all.
  if (isOutdated(spec.imageId, criteria)) return spec.kind === 'launch-template';
  const { drifted, detached } = standing(group, criteria);
  return group.rollout !== undefined && drifted.length + detached.length === 0;
}

function criteriaOf(
  group: Group,
  target: Image,
  { images }: Observation,
  { image }: Settings,
): DriftCriteria {
  // What the group's tags say stands until the roll is over, whatever is configured or requested meanwhile.
  const exact = group.rollout?.exact ?? image.kind === 'id';
  return { target, images, exact, forceBefore: group.rollout?.forceBefore ?? group.forceRequestedAt };
}

function upToDate(group: Group, target: Image): Decision {
  return { kind: 'up-to-date', reason: membersRun(group, target.imageId, describeImage(target)) };
}

function membersRun({ members, instances }: Group, imageId: string, image: string): string {
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const others = instances.some((each) => each.imageId !== imageId && ids.has(each.instanceId));
  return `${members.length} members run ${image}${others ? ', or a newer image' : ''}`;
}

/** What the group's tags are to say. A request to force is kept by its time, and repeating it changes nothing. */
function recordOf(
  { rollout, forceRequestedAt }: Group,
  { imageId }: Image,
  { now }: Observation,
  { image }: Settings,
): Rollout {
  if (rollout !== undefined && (forceRequestedAt === undefined || rollout.forceBefore !== undefined)) {
    return rollout;
  }
  const begun = rollout ?? { imageId, startedAt: now, exact: image.kind === 'id' };
  return { ...begun, ...(forceRequestedAt && { forceBefore: forceRequestedAt }) };
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

function rolledGroups({ groups }: Observation): ReadonlySet<string> {
  return new Set(groups.filter(({ launch }) => 'spec' in launch).map(({ name }) => name));
}

/** Changes nothing for groups that nobody asked to change. */
function spare(others: readonly TemplateUser[], target: Image): Decision {
  const named = others.map(({ group, reference }) => `${group} (on ${reference})`).join(', ');
  return {
    kind: 'blocked',
    reason:
      `a version with ${target.imageId} would change what other groups launch from the same template: ${named}; ` +
      'let those name a version by its number, or give this group a template of its own',
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
  const leaving = stand.detaching.map(({ instanceId }) => instanceId);
  if (leaving.length > 0) return { kind: 'wait', reason: `${listIds(leaving)} is being detached` };
  const waiting = waitForReadiness(group, stand, observation, settings);
  if (waiting !== undefined) return waiting;
  return {
    kind: 'finish',
    reason: membersRun(group, spec.imageId, spec.imageId),
    actions: [
      ...stepsToPrune(spec, group.ownLaunchSpecs ?? [], settings.keepLaunchSpecs),
      { kind: 'clear-rollout', group: group.name },
    ],
  };
}
