import { withinConcurrency } from './concurrency.ts';
import type { Decision, Request } from './decision.ts';
import { describeHold, describeImage } from './describe.ts';
import { detachDrifted } from './detach.ts';
import { endLeaving } from './drain.ts';
import { criteriaOf, outdatedSources } from './drift.ts';
import { finish, membersRun } from './finish.ts';
import { chooseInPlace } from './in-place.ts';
import type { Launch, LaunchSource } from './launch.ts';
import { stepsToTargets } from './launch-spec.ts';
import type { Group, Observation, Rollout } from './model.ts';
import { adjustProcesses, processesInTheWay } from './processes.ts';
import { record, recordOf } from './record.ts';
import { lacksRoom, scaleOut } from './scale-out.ts';
import { type Settings, settingsOf } from './settings.ts';
import { bystanders, harmed, spare } from './shared-templates.ts';
import { settleSizes } from './sizes.ts';
import { type Drifted, type Standing, standing } from './standing.ts';
import { strategyOf } from './strategy.ts';
import { replaceWarm } from './warm-pool.ts';

/** A group with what is to be done about it. */
export interface GroupDecision {
  readonly group: Group;
  readonly decision: Decision;
  /** The members, and instances of the warm pool, that are to be replaced, with the reasons. */
  readonly drifted: readonly Drifted[];
}

/**
 * Decides about every group of a cluster. Few at a time are rolled, those first that began first: services move between
 * the groups of a cluster. The others are recorded at once, so that the next invocation knows of them. One that is
 * blocked doesn't keep the others waiting.
 */
export function decide(observation: Observation, settings: Settings, request: Request): GroupDecision[] {
  const decided = [...observation.groups].sort(byTurn).map((group): GroupDecision => {
    const { drifted = [], warm = [] } = standingOf(group, observation, settings) ?? {};
    const decision = decideGroup(group, observation, settings, request);
    return { group, decision, drifted: [...drifted, ...warm] };
  });
  return withinConcurrency(decided, settings.groupConcurrency);
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

/** What a decision about one group is made of. */
interface Case {
  readonly group: Group;
  readonly launch: Launch;
  readonly observation: Observation;
  /** Those of the group. */
  readonly settings: Settings;
  readonly stand: Standing;
  readonly outdated: readonly LaunchSource[];
}

/**
 * Decides what to do about one group now. A pure function: the same observation gives the same decision, so that two
 * invocations at once agree, and one that was killed is continued by the next.
 *
 * The order is the order of a rollout, each step taken only when all before it are seen to be done:
 *
 *   1. the group's tags record what it is rolled onto, before anything changes;
 *   2. processes that would get in the way are suspended;
 *   3. its launch spec gets the image, and outdated instances of its warm pool are ended;
 *   4. a batch of outdated members is replaced, by the strategy that the group needs;
 *   5. the old are drained, deregistered and terminated, few at a time;
 *   6. when none is outdated and none of ours left, sizes and processes are given back, superseded launch specs are
 *      deleted, and last of all the tags.
 */
export function decideGroup(
  group: Group,
  observation: Observation,
  stackSettings: Settings,
  request: Request,
): Decision {
  const refused = refusal(group);
  if (refused !== undefined || 'obstacle' in group.launch) return refused ?? leaveAlone(group);
  const { launch } = group;
  const settings = settingsOf(group, stackSettings);
  const criteria = criteriaOf(group, launch, observation, settings);
  const outdated = outdatedSources(criteria);
  const all: Case = { group, launch, observation, settings, stand: standing(group, criteria), outdated };
  const idle = hasBegun(group) ? undefined : stayIdle(all, request);
  return idle ?? tellHold(group, hold(all) ?? roll(all));
}

/** A group that is blocked stays as it is, and who reads so must know in what way it isn't as its owner has it. */
function tellHold({ rollout }: Group, decision: Decision): Decision {
  if (decision.kind !== 'blocked' || rollout === undefined) return decision;
  const { suspended, held } = rollout.hold;
  if (suspended.length + held.desiredCapacity + held.maxSize === 0) return decision;
  return { ...decision, reason: `${decision.reason}; meanwhile: ${describeHold(rollout.hold)}` };
}

/** Why nothing may be done about a group, whatever it runs. */
function refusal(group: Group): Decision | undefined {
  if (group.excluded) return leaveAlone(group);
  return 'obstacle' in group.launch ? { kind: 'blocked', reason: group.launch.obstacle } : undefined;
}

function leaveAlone(group: Group): Decision {
  if (!hasBegun(group)) return { kind: 'skipped', reason: 'the group is left out, as its tag has it' };
  const reason =
    'the group is left out, as its tag has it, in the middle of its roll; remove that tag to end the roll';
  return { kind: 'blocked', reason };
}

function stayIdle({ group, launch, stand, outdated }: Case, request: Request): Decision | undefined {
  if (stand.drifted.length + stand.warm.length + outdated.length === 0) return upToDate(group, launch, stand);
  return request.begin ? undefined : { kind: 'up-to-date', reason: 'no roll has begun' };
}

/** What keeps a roll from going on, or from beginning, though there is something to do. */
function hold({ group, stand, settings, observation, outdated }: Case): Decision | undefined {
  if (group.instanceRefresh !== undefined) {
    const reason = `an instance refresh is under way (${group.instanceRefresh}); wait for its end, or cancel it`;
    return { kind: 'blocked', reason };
  }
  const others = bystanders(group, outdated).filter((user) => harmed(user, observation, settings));
  if (others.length > 0) return spare(others);
  const needsRoom = strategyOf(group, settings) === 'scale-out' && stand.drifted.length > 0;
  return needsRoom && !hasBegun(group) ? lacksRoom(group, settings) : undefined;
}

function roll({ group, launch, observation, settings, stand, outdated }: Case): Decision {
  const rollout = recordOf(group, launch, observation, settings);
  if (rollout !== group.rollout) return record(group, rollout, launch, stand);
  return (
    adjustProcesses(group, rollout, processesInTheWay(group, stand, observation)) ??
    settleSizes(group, rollout, stand) ??
    giveImages(group, launch, outdated, observation) ??
    repair(group, stand) ??
    replaceWarm(group, stand, observation) ??
    (stand.warm.length > 0 ? undefined : replaceBatch(group, rollout, stand, observation, settings)) ??
    endLeaving(group, stand, observation, settings) ??
    finish(group, rollout, launch, stand, observation, settings)
  );
}

function replaceBatch(
  group: Group,
  rollout: Rollout,
  stand: Standing,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  switch (strategyOf(group, settings)) {
    case 'detach':
      return detachDrifted(group, stand, observation, settings);
    case 'scale-out':
      return scaleOut(group, rollout, stand, observation, settings);
    case 'in-place':
      return chooseInPlace(group, stand, observation, settings);
  }
}

/** A roll has begun as soon as a tag of ours stands on the group or on one of its instances. */
export function hasBegun(group: Group): boolean {
  return group.rollout !== undefined || group.instances.some(({ alive, mark }) => alive && mark);
}

/** Where the instances of a group stand; undefined for a group that can't be rolled. */
export function standingOf(group: Group, observation: Observation, settings: Settings): Standing | undefined {
  if ('obstacle' in group.launch) return undefined;
  return standing(group, criteriaOf(group, group.launch, observation, settingsOf(group, settings)));
}

/** Whether a roll of the group is under way or would begin: then more of it must be known. */
export function isConcerned(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.excluded || 'obstacle' in group.launch) return false;
  const criteria = criteriaOf(group, group.launch, observation, settingsOf(group, settings));
  const { drifted, warm } = standing(group, criteria);
  return hasBegun(group) || drifted.length + warm.length + outdatedSources(criteria).length > 0;
}

/** Whether the decision will ask what launch specs of ours there are, and whose: to make one, and to clear up. */
export function needsLaunchHistory(group: Group, observation: Observation, settings: Settings): boolean {
  if (group.excluded || 'obstacle' in group.launch) return false;
  const criteria = criteriaOf(group, group.launch, observation, settingsOf(group, settings));
  const outdated = outdatedSources(criteria);
  // A launch configuration of ours needs no finding: its name tells all.
  if (outdated.length > 0) return outdated.some(({ place }) => place.kind === 'launch-template');
  const { drifted, leaving } = standing(group, criteria);
  return group.rollout !== undefined && drifted.length + leaving.length === 0;
}

function upToDate(group: Group, launch: Launch, stand: Standing): Decision {
  return { kind: 'up-to-date', reason: membersRun(group, launch, stand) };
}

function giveImages(
  group: Group,
  launch: Launch,
  outdated: readonly LaunchSource[],
  { now }: Observation,
): Decision | undefined {
  if (outdated.length === 0) return undefined;
  const targets = new Map(outdated.map(({ target }) => [target.imageId, target]));
  return {
    kind: 'act',
    reason: `lets the group launch ${[...targets.values()].map(describeImage).join(', ')}`,
    actions: stepsToTargets(group, launch, outdated, now),
  };
}

/** Takes our tags from members that aren't outdated (any more), so that they are never taken for candidates. */
function repair({ warmPool, instances }: Group, { current, skipped, warm }: Standing): Decision | undefined {
  const pooled = new Set(warmPool.map(({ instanceId }) => instanceId));
  for (const { instance } of warm) pooled.delete(instance.instanceId);
  const staying = instances.filter(({ instanceId, alive }) => alive && pooled.has(instanceId));
  const members = [...current, ...skipped].map(({ instance }) => instance);
  const mistaken = [...members, ...staying].filter(({ mark }) => mark !== undefined);
  const instanceIds = mistaken.map(({ instanceId }) => instanceId).sort();
  if (instanceIds.length === 0) return undefined;
  return {
    kind: 'act',
    reason: 'takes the tags from what is to stay',
    actions: [{ kind: 'unmark-instances', instanceIds }],
  };
}
