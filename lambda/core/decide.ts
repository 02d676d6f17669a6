import { abortRoll, tellDraining } from './abort.ts';
import type { Decision } from './actions/decision.ts';
import { withinConcurrency } from './concurrency.ts';
import { dropIncredible, incredibleNotes, type Note } from './credible.ts';
import { recoverHealth } from './drain/recovery.ts';
import { retryHeld } from './drain/stranding.ts';
import { membersRun } from './finish.ts';
import { goForward } from './forward.ts';
import { stoppedByAlarms } from './group/alarms.ts';
import { assess, classificationOf, hasBegun, isConcerned } from './group/assess.ts';
import { awaitProof, blockedByUnproven, describeUnproven } from './group/detachment-proof.ts';
import { pausedIn } from './group/paused.ts';
import { describeUnsteady } from './group/steadiness.ts';
import { strategyOf } from './group/strategy.ts';
import type { GroupDecision } from './group-decision.ts';
import { tellEnded } from './launch-spec/end-of-life.ts';
import { tellMadeBefore } from './launch-spec/made-before.ts';
import { blockForOthers, bystanders, harmed } from './launch-spec/shared-templates.ts';
import type { Assessment, Classification } from './model/assessment.ts';
import type { Group } from './model/group.ts';
import type { Launch } from './model/launch.ts';
import type { Observation } from './model/observation.ts';
import type { Request } from './model/request.ts';
import type { Settings } from './model/settings.ts';
import { recordOrder } from './orders.ts';
import { preflight } from './preflight/preflight.ts';
import { tellRefused, tellRunningRefused } from './preflight/refused.ts';
import { record, recordOf } from './record.ts';
import { resumeForgotten } from './replace/processes.ts';
import { lacksRoom } from './replace/scale-out.ts';
import { turnBack } from './rollback/begin-rollback.ts';
import { leaveRejected, tellRejected } from './rollback/rejection.ts';
import { rollBack } from './rollback.ts';
import { withChanges } from './text/describe.ts';

/**
 * Decides about every group of a cluster. Few at a time are rolled, those first that began first: services move between
 * the groups of a cluster. The others are recorded at once, so that the next invocation knows of them. One that is
 * blocked doesn't keep the others waiting.
 */
export function decide(observation: Observation, settings: Settings, request: Request): GroupDecision[] {
  const decided = [...observation.groups].sort(byTurn).map((group): GroupDecision => {
    const { drifted = [], warm = [] } = classificationOf(group, observation, settings) ?? {};
    const decision = decideGroup(group, observation, settings, request);
    const warnings = warningsOf(group, observation, settings);
    const incredible = incredibleIn(group, observation, settings);
    return { group, decision, drifted: [...drifted, ...warm], warnings, incredible };
  });
  return withinConcurrency(decided, settings.groupConcurrency);
}

function incredibleIn(group: Group, observation: Observation, settings: Settings): Note[] {
  const { roll, launch } = group;
  if (roll === undefined || 'obstacle' in launch) return [];
  return incredibleNotes(assess(group, launch, observation, settings), roll);
}

function byTurn(a: Group, b: Group): number {
  const [first, second] = [begunAt(a), begunAt(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function begunAt({ roll, instances }: Group): number {
  const marks = instances.flatMap(({ alive, mark }) => (alive && mark ? [mark.detachStartedAt] : []));
  const times = [...marks, ...(roll ? [roll.startedAt] : [])];
  return Math.min(...times.map((time) => time.getTime()));
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
 *   4. a batch of outdated members is replaced, by the strategy that the group needs; the first is small, and is tried out
 *      before the others follow;
 *   5. the old are drained, deregistered and terminated, few at a time;
 *   6. when none is outdated and none of ours left, sizes and processes are given back, superseded launch specs are
 *      deleted, and last of all the tags.
 *
 * Where the replacements fail, or somebody asks for it, it goes back instead: see `rollBack`.
 */
export function decideGroup(
  group: Group,
  observation: Observation,
  stackSettings: Settings,
  request: Request,
): Decision {
  const kept = keepOff(group);
  if (kept !== undefined) return kept;
  const forgotten = nameAgain(group) ?? resumeForgotten(group);
  if (forgotten !== undefined) return forgotten;
  const ordered = recordOrder(group, request, observation);
  if (ordered !== undefined) return ordered;
  const refused = refusal(group);
  if (refused !== undefined || 'obstacle' in group.launch) return refused ?? leaveAlone(group);
  const awaited = awaitProof(group, observation) ?? retryHeld(group, request, observation);
  if (awaited !== undefined) return awaited;
  const all = assess(group, group.launch, observation, stackSettings);
  const idle = hasBegun(group) ? undefined : stayIdle(all, request);
  return idle ?? tellChanges(group, reasonNotToGoOn(all) ?? takeCourse(all));
}

/** Until then the role may change nothing about the group. */
function nameAgain({ name, misnamed, excluded }: Group): Decision | undefined {
  if (!misnamed || excluded) return undefined;
  return {
    kind: 'act',
    reason: 'names the cluster of the roll again, for somebody has changed or removed that tag',
    actions: [{ kind: 'record-cluster', group: name }],
  };
}

function warningsOf(group: Group, observation: Observation, settings: Settings): readonly string[] {
  const unproven = describeUnproven(group);
  return [
    ...(group.warnings ?? []),
    ...(unproven === undefined ? [] : [unproven]),
    ...tellRejected(group, observation, settings),
    ...tellEnded(group, observation),
    ...tellMadeBefore(group),
    ...tellRefused(group),
    ...tellRunningRefused(group, observation, settings),
    ...warningsOfRoll(group, observation, settings),
  ];
}

function warningsOfRoll(group: Group, observation: Observation, stackSettings: Settings): readonly string[] {
  if (!isConcerned(group, observation, stackSettings)) return [];
  const { unread = [] } = observation;
  const classified = classificationOf(group, observation, stackSettings);
  const draining = classified === undefined ? [] : tellDraining(group, observation, classified);
  if (group.roll !== undefined) return [...describeUnsteady(group.roll.unsteady), ...draining, ...unread];
  if ('obstacle' in group.launch) return [];
  return [...preflight(assess(group, group.launch, observation, stackSettings)).warnings, ...unread];
}

/** A group that is blocked stays as it is, and who reads so must know in what way it isn't as its owner has it. */
function tellChanges(group: Group, decision: Decision): Decision {
  return decision.kind === 'blocked'
    ? { ...decision, reason: withChanges(group, decision.reason) }
    : decision;
}

/** Another's group is none of our business, whoever asks. */
function keepOff({ notOurs }: Group): Decision | undefined {
  switch (notOurs?.kind) {
    case 'stranger':
      return { kind: 'skipped', reason: notOurs.reason };
    case 'undecided':
      return { kind: 'wait', reason: notOurs.reason };
    default:
      return undefined;
  }
}

/** Why nothing may be done about a group, whatever it runs. */
function refusal(group: Group): Decision | undefined {
  if (group.excluded) return leaveAlone(group);
  return 'obstacle' in group.launch ? { kind: 'blocked', reason: group.launch.obstacle } : undefined;
}

function leaveAlone(group: Group): Decision {
  if (!hasBegun(group)) {
    const handed =
      'and each instance that it launches gets that tag too, and stays left out when the group no longer is';
    const reason = `the group is left out, as its tag has it${group.propagatesExclude ? `, ${handed}` : ''}`;
    return { kind: 'skipped', reason };
  }
  const reason =
    'the group is left out, as its tag has it, in the middle of its roll; remove that tag to end the roll';
  return { kind: 'blocked', reason };
}

function stayIdle(
  { group, launch, classified, outdated }: Assessment,
  request: Request,
): Decision | undefined {
  if (group.pausedSince !== undefined) return pausedIn(group);
  // Whatever else is outdated would be replaced by what was rejected.
  if (launch.sources.some(({ rejected, imageId }) => rejected === imageId))
    return leaveRejected(group, launch);
  if (classified.drifted.length + classified.warm.length + outdated.length === 0) {
    return leaveRejected(group, launch) ?? upToDate(group, launch, classified);
  }
  if (request.begin) return undefined;
  const reason = 'no roll has begun; the next schedule begins it, or {"action":"roll"}';
  return { kind: 'skipped', reason };
}

/** What keeps a roll from going on, or from beginning, though there is something to do. */
function reasonNotToGoOn(all: Assessment): Decision | undefined {
  const { group, settings, observation, outdated } = all;
  if (group.instanceRefresh !== undefined) {
    const reason = `an instance refresh is under way (${group.instanceRefresh}); wait for its end, or cancel it`;
    return { kind: 'blocked', reason };
  }
  if (group.roll !== undefined && group.roll.course.kind !== 'forward') return undefined;
  const others = bystanders(group, outdated).filter((user) => harmed(user, observation, settings));
  if (others.length > 0) return blockForOthers(others);
  return hasBegun(group) ? undefined : reasonNotToBegin(all);
}

/** What keeps a roll from beginning: nothing has been changed yet, and nothing is. */
function reasonNotToBegin(all: Assessment): Decision | undefined {
  const { group, classified, settings, observation } = all;
  const ringing = stoppedByAlarms(observation, settings);
  if (ringing !== undefined) return { kind: 'blocked', reason: ringing.reason };
  const { obstacles } = preflight(all);
  if (obstacles.length > 0) return { kind: 'blocked', reason: obstacles.join('; ') };
  const needsRoom = strategyOf(group, settings) === 'scale-out' && classified.drifted.length > 0;
  return needsRoom ? lacksRoom(group, settings) : undefined;
}

function takeCourse(all: Assessment): Decision {
  const { group, launch, observation, settings, classified, outdated } = all;
  const roll = recordOf(group, launch, outdated, observation, settings);
  if (roll !== group.roll) return record(group, roll, launch, classified, outdated);
  const mended = dropIncredible(all, roll) ?? recoverHealth(group, observation);
  if (mended !== undefined) return mended;
  switch (roll.course.kind) {
    case 'forward':
      return turnBack(group, roll, goForward(all, roll), observation.now);
    case 'abort':
      return abortRoll(all, roll);
    case 'rollback':
      return rollBack(all, roll);
  }
}

function upToDate(group: Group, launch: Launch, classified: Classification): Decision {
  return blockedByUnproven(group) ?? { kind: 'up-to-date', reason: membersRun(group, launch, classified) };
}
