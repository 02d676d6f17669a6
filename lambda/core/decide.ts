import { abortRoll, warnOfDraining } from './abort.ts';
import { blockedBy, type Decision, pausedIn } from './actions/decision.ts';
import { recoverHealth } from './drain/health-recovery.ts';
import { retryGivenUp } from './drain/stranding.ts';
import { goForward } from './forward.ts';
import { stoppedByAlarms } from './group/alarms.ts';
import { canRoll, hasRoll, isConcerned } from './group/assess.ts';
import { doubtRollback } from './group/course-doubts.ts';
import { awaitProof, blockedByUnproven, unprovenOf } from './group/detachment-proof.ts';
import { warnOfUnsteady } from './group/ill-services.ts';
import { warnOfSequence } from './group/in-sequence.ts';
import { blockedByRefresh, goesBesideRefresh } from './group/refresh.ts';
import { strategyOf } from './group/strategy.ts';
import { blockedByUnknown } from './group/unknown.ts';
import type { GroupDecision } from './group-decision.ts';
import { withinConcurrency } from './groups-at-once.ts';
import { askAnew } from './hooks/answer.ts';
import { warnOfEndOfLife } from './launch-spec/end-of-life.ts';
import { madeBefore } from './launch-spec/made-before.ts';
import { awaitVersion } from './launch-spec/missing-version.ts';
import { leaveRejected, warnOfRejected } from './launch-spec/rejected-images.ts';
import { blockForOthers, bystanders, harmed } from './launch-spec/shared-templates.ts';
import type { Assessment, ClusterAssessment, GroupAssessment } from './model/assessment.ts';
import type { Group } from './model/group.ts';
import type { Request } from './model/request.ts';
import { awaitNotice, giveNotice, planOnly, withdrawNotice } from './notice.ts';
import { preflight } from './preflight/preflight.ts';
import { warnOfRefusal, warnOfRefused } from './preflight/refused.ts';
import type { Warning } from './reasons/warnings.ts';
import { record, recordOf } from './record.ts';
import { lacksRoom } from './replace/detach-and-shrink.ts';
import { warnOfUneven } from './replace/even-zones.ts';
import { runningImages } from './replace/finish.ts';
import { resumeForgotten, warnOfUnreplaced } from './replace/processes.ts';
import { beginRollback } from './rollback/begin-rollback.ts';
import { rollBack } from './rollback/roll-back.ts';
import { failedByWithdrawal } from './rollback/what-fails-trial-or-roll.ts';
import { dropIncredible, incredibleNotes, type Note } from './sizes/credible-sizes.ts';
import { changesOf } from './sizes/temporary-changes.ts';
import { takeOrder } from './take-order.ts';
import { beforeWindow } from './wait-for-window.ts';

/**
 * Decides about every group of a cluster. Only a few roll at a time, those that began first going first,
 * because services move between the groups of a cluster. The others are recorded at once, so that the next
 * invocation knows of them. A blocked group doesn't keep the others waiting.
 */
export function decide({ groups, settings }: ClusterAssessment, request: Request): GroupDecision[] {
  const decided = [...groups].sort(byTurn).map(
    (assessment): GroupDecision => ({
      assessment,
      decision: decideGroup(assessment, request),
      warnings: warningsOf(assessment),
      incredible: incredibleIn(assessment),
    }),
  );
  return withinConcurrency(decided, settings);
}

function incredibleIn(assessment: GroupAssessment): Note[] {
  return canRoll(assessment) && hasRoll(assessment) ? incredibleNotes(assessment) : [];
}

function byTurn({ group: a }: GroupAssessment, { group: b }: GroupAssessment): number {
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
 * Decides what to do about one group now. It is pure: the same observation gives the same decision, so two
 * invocations at once agree, and the next one continues what a killed one began.
 *
 * Each look takes the first of these steps that has something to do; `goForward` is their list. So a roll
 * goes round: a batch, its drains, after the first the trial, the next batch.
 *
 *   1. record on the group's tags what it is rolled onto, before anything changes;
 *   2. suspend processes that would get in the way, and settle sizes that have been changed;
 *   3. while it is paused or an alarm is on, only finish what is in hand;
 *   4. raise the minimum size where ECS managed scaling would scale the group in meanwhile;
 *   5. outside its windows, only finish and try out what is in hand;
 *   6. give its launch spec the image, repair what was left half done, stop if tasks fail, and end outdated
 *      instances of its warm pool;
 *   7. try out the replacements of the first batch, which is small, before the others follow;
 *   8. replace a batch of outdated members, by the strategy that the group needs;
 *   9. drain, deregister and terminate the old instances, a few at a time;
 *   10. once nothing is outdated or left to end, wait until the last replacements have proved themselves,
 *      give back sizes and processes, delete superseded launch specs, and remove the tags last of all.
 *
 * What a step did is seen by the next look. Only preparations, which change nothing that runs, follow in the
 * same look, on what they are foreseen to bring about: see `follow-up.ts`.
 *
 * If the replacements fail, or somebody asks for it, the roll goes back instead: see `rollBack`.
 */
export function decideGroup(assessment: GroupAssessment, request: Request): Decision {
  const { group, observation } = assessment;
  const kept = keepOff(group);
  if (kept !== undefined) return kept;
  const forgotten = nameAgain(group) ?? resumeForgotten(group);
  if (forgotten !== undefined) return forgotten;
  const ordered = takeOrder(group, request, observation);
  if (ordered !== undefined) return ordered;
  if (group.excluded) return leaveAlone(assessment);
  if (!canRoll(assessment))
    return awaitVersion(assessment) ?? { kind: 'blocked', reason: assessment.obstacle };
  const awaited =
    awaitProof(group, observation) ?? retryGivenUp(group, request, observation) ?? askAnew(group, request);
  if (awaited !== undefined) return awaited;
  const idle = assessment.hasBegun ? undefined : stayIdle(assessment, request);
  const held =
    reasonNotToGoOn(assessment) ??
    planOnly(assessment, request) ??
    giveNotice(assessment, request) ??
    beforeWindow(assessment) ??
    awaitNotice(assessment, request);
  return idle ?? withMeanwhile(group, whilePaused(group, held ?? takeCourse(assessment)));
}

/** Restores the tag that names the cluster: without it the role may not change the group. */
function nameAgain({ name, misnamed, excluded }: Group): Decision | undefined {
  if (!misnamed || excluded) return undefined;
  return {
    kind: 'act',
    reason: { code: 'cluster-tag-spoilt' },
    actions: [{ kind: 'record-cluster', group: name }],
  };
}

function warningsOf(assessment: GroupAssessment): readonly Warning[] {
  const { group, observation } = assessment;
  const unproven = unprovenOf(group);
  return [
    ...(group.warnings ?? []),
    ...(unproven === undefined ? [] : [{ code: 'detachment-unproven', ...unproven } as const]),
    ...(canRoll(assessment) ? warnOfRejected(assessment) : []),
    ...warnOfEndOfLife(group, observation),
    ...warnOfSequence(group),
    ...madeBefore(group).map((made) => ({ code: 'version-made-before', ...made }) as const),
    ...warnOfRefusal(group),
    ...(canRoll(assessment) ? warnOfRefused(assessment) : []),
    ...(isConcerned(assessment) ? warningsOfRoll(assessment) : []),
  ];
}

function warningsOfRoll(assessment: Assessment): readonly Warning[] {
  const { roll } = assessment.group;
  const { details: { unread = [] } = {} } = assessment.observation;
  if (roll === undefined) return [...preflight(assessment).warnings, ...unread];
  return [
    ...warnOfUnsteady(roll.unsteady),
    ...warnOfDraining(assessment),
    ...warnOfUneven(assessment),
    ...warnOfUnreplaced(assessment.group),
    ...unread,
  ];
}

/** A blocked group stays as it is, so the answer says which of its settings differ from its owner's. */
function withMeanwhile(group: Group, decision: Decision): Decision {
  const meanwhile = changesOf(group);
  return decision.kind === 'blocked' && meanwhile ? { ...decision, meanwhile } : decision;
}

/** Otherwise whoever has just paused it would find it at work, and no word of the pause. */
function whilePaused({ pausedSince }: Group, decision: Decision): Decision {
  const finishes = decision.kind === 'act' || decision.kind === 'wait';
  return pausedSince !== undefined && finishes ? { ...decision, pausedSince } : decision;
}

/** Leaves another's group alone, whoever asks. */
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

function leaveAlone({ group, hasBegun }: GroupAssessment): Decision {
  if (hasBegun) return { kind: 'blocked', reason: { code: 'left-out-in-roll' } };
  return { kind: 'skipped', reason: { code: 'left-out', isPropagated: group.propagatesExclude ?? false } };
}

function stayIdle(assessment: Assessment, request: Request): Decision | undefined {
  const { group, launch, isConcerned } = assessment;
  if (group.pausedSince !== undefined) return pausedIn(group);
  // Replacing anything else that is outdated would launch the rejected image.
  if (launch.sources.some(({ rejected, imageId }) => rejected === imageId))
    return withdrawNotice(group) ?? leaveRejected(group, launch);
  if (!isConcerned) return withdrawNotice(group) ?? leaveRejected(group, launch) ?? upToDate(assessment);
  if (request.begin || group.notice !== undefined) return undefined;
  return { kind: 'skipped', reason: { code: 'no-roll-begun' } };
}

/** Why a roll can't start or go on although there is something to do. */
function reasonNotToGoOn(assessment: Assessment): Decision | undefined {
  const { group, launch, settings, observation, outdated } = assessment;
  const refresh = goesBesideRefresh(group) ? undefined : blockedByRefresh(group);
  if (refresh !== undefined) return refresh;
  const { roll } = group;
  if (roll !== undefined && roll.course.kind !== 'forward') {
    const doubt = doubtRollback(roll, group, launch.sources, observation.now);
    return doubt && { kind: 'blocked', reason: doubt };
  }
  const others = bystanders(group, outdated).filter((user) => harmed(user, observation, settings));
  if (others.length > 0) return blockForOthers(others);
  return assessment.hasBegun ? undefined : (blockedByUnknown(group) ?? reasonNotToBegin(assessment));
}

/** Why a roll can't start. Nothing has been changed yet, and nothing is. */
function reasonNotToBegin(assessment: Assessment): Decision | undefined {
  const { group, classified, settings, observation } = assessment;
  const ringing = stoppedByAlarms(observation, settings);
  if (ringing !== undefined) return { kind: 'blocked', reason: ringing.reason };
  const { obstacles } = preflight(assessment);
  if (obstacles.length > 0) return blockedBy(obstacles);
  const needsRoom = strategyOf(group, settings) === 'scale-out' && classified.drifted.length > 0;
  return needsRoom ? lacksRoom(group, settings) : undefined;
}

function takeCourse(assessment: Assessment): Decision {
  const { group, observation } = assessment;
  const roll = recordOf(assessment);
  if (hasRoll(assessment)) {
    const withdrawn = failedByWithdrawal(assessment, roll);
    if (withdrawn !== undefined) return beginRollback(assessment.group, withdrawn, observation.now);
  }
  if (roll !== group.roll || !hasRoll(assessment)) return record(assessment, roll);
  const mended = dropIncredible(assessment) ?? recoverHealth(group, observation);
  if (mended !== undefined) return mended;
  switch (roll.course.kind) {
    case 'forward':
      return beginRollback(assessment.group, goForward(assessment), observation.now);
    case 'abort':
      return abortRoll(assessment);
    case 'rollback':
      return rollBack(assessment);
  }
}

function upToDate(assessment: Assessment): Decision {
  return (
    blockedByUnproven(assessment.group) ??
    blockedByUnknown(assessment.group) ?? { kind: 'up-to-date', reason: runningImages(assessment) }
  );
}
