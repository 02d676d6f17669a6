import { type Action, type Decision, waitForOthers } from '../actions/decision.ts';
import { waitForEnding } from '../drain/ending.ts';
import { unmark } from '../drain/unmark-staying.ts';
import { idleFirst } from '../group/capacity.ts';
import { blockedByUnproven } from '../group/detachment-proof.ts';
import { markedAmong, renewMarks, stepsToMark } from '../group/marked.ts';
import { spareMembers } from '../group/spare.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import { roomFor, surgeOf } from '../group/surge.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import { evenly } from '../group/zones.ts';
import type { Drifted, RollAssessment } from '../model/assessment.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import { idsOf, weightOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { drainingAmong, instanceIdsOf } from '../model/registrations.ts';
import { changeBy, setSizes } from '../sizes/our-sizes.ts';
import { aroundChange, recordChanges } from '../sizes/temporary-changes.ts';
import { batchSize, goodbyesBeside, splitGivenUp, surgeLeft } from './batch-size.ts';
import { detach, detachCalls, isDetachable, waitForDetachable } from './detach.ts';
import { detachAndShrink, noRoom, within } from './detach-and-shrink.ts';
import { keepZones } from './keep-zones.ts';

/**
 * Replaces members of a group that receives requests directly, for instance from a target group: a detached
 * member stops serving at once. So the group first gets larger by the batch; once the new members serve, we
 * detach the old ones, and the desired capacity drops by one with each. What others change meanwhile stays.
 *
 * @param first the members to replace before any other
 * @returns undefined if there is nothing to detach now
 */
export function scaleOut(
  assessment: RollAssessment,
  first: readonly Drifted[] = assessment.classified.drifted,
): Decision | undefined {
  const { group, settings, classified } = assessment;
  const { drifted, detaching } = classified;
  const { others } = splitGivenUp(assessment);
  const marked = markedAmong(drifted);
  const { addedSizes } = group.roll.changes;
  // In a rollback more may be marked than the surge; those beyond it are replaced in place.
  const beside = marked.slice(0, surgeOf(group, settings));
  const lacking = Math.min(weightOf(beside) - addedSizes.desiredCapacity, roomFor(group, settings));
  if (lacking > 0) return enlarge(assessment, lacking);
  // Standby members get no requests, and the group launches no replacement for them.
  const aside = marked.filter(({ member }) => member.lifecycleState === 'Standby');
  if (aside.length > 0) return detach(group, aside, renewMarks(assessment, aside));
  if (marked.length > 0) return replaceMarked(assessment, marked);
  const goodbyes = goodbyesBeside(assessment);
  if (drifted.length === 0 || others.length + detaching.length > goodbyes.length) return undefined;
  if (surgeLeft(assessment, classified.detached.length) <= 0)
    return classified.detached.length > 0 ? undefined : blockedByUnproven(group);
  return beginBatch(assessment, first);
}

/** The group is as much larger as the marked members weigh, or can't get any larger. */
function replaceMarked(assessment: RollAssessment, marked: readonly Drifted[]): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  if (group.roll.changes.addedSizes.desiredCapacity === 0 && weightOf(marked) > 0)
    return letServe(group, marked, observation) ?? noRoom(group);
  const kept = keepZones(assessment, marked);
  switch (kept?.kind) {
    case 'chosen-anew':
      return kept.decision;
    case 'held':
      return undefined;
    case 'lacking':
      return waitForReadiness(assessment) ?? enlarge(assessment, kept.weight, { first: kept.first });
  }
  // What has left may hold the room that launches lack.
  if (classified.detached.length > 0 && spareMembers(assessment) === 0) return undefined;
  if (!endsThroughGroup(settings)) return detachAndShrink(assessment, marked);
  // They drain as members, and the group gets smaller with each that ends.
  const uncovered = group.roll.course.kind === 'rollback' ? [] : uncoveredIn(assessment);
  return uncovered.length > 0
    ? unmark(group.name, uncovered, observation.containerInstances)
    : restoreMarks(assessment);
}

/**
 * Chosen members the group was never made larger for: it ends them itself, as nothing would serve in their
 * place while they drain. What drains already goes on.
 */
export function uncoveredIn({
  group,
  observation: { containerInstances },
  settings,
  classified: { drifted },
}: RollAssessment): string[] {
  if (!endsThroughGroup(settings) || strategyOf(group, settings) === 'in-place') return [];
  const marked = markedAmong(drifted);
  const draining = new Set(instanceIdsOf(drainingAmong(containerInstances, idsOf(marked))));
  const begun = marked.filter(({ instance }) => draining.has(instance.instanceId));
  const chosen = marked.filter((each) => !begun.includes(each));
  const covered = within(group.roll.changes.addedSizes.desiredCapacity - weightOf(begun), chosen);
  return idsOf(chosen.filter((each) => !covered.includes(each) && weightOf([each]) > 0));
}

function beginBatch(assessment: RollAssessment, chosen: readonly Drifted[]): Decision {
  const { group, observation, settings, classified } = assessment;
  const waiting = waitForReadiness(assessment) ?? waitForEnding(assessment);
  if (waiting !== undefined) return waiting;
  const added = group.roll.changes.addedSizes.desiredCapacity;
  const detachable = idleFirst(evenly(group.members, chosen.filter(isDetachable)), observation);
  const running = detachable.filter(({ instance }) => instance.alive);
  const gone = detachable.filter(({ instance }) => !instance.alive);
  const most = batchSize(assessment, classified.detached.length);
  const batch = within(added + roomFor(group, settings), running.slice(0, most));
  if (detachable.length === 0) return waitForDetachable(assessment, classified.drifted);
  // The group replaces what no longer runs once it notices: made larger by it as well, it would launch two.
  // It never notices while its health checks are suspended. So we don't wait, unless hooks must run.
  const detached = endsThroughGroup(settings) ? [] : gone;
  const outdated = [...detached, ...batch];
  if (outdated.length === 0) return running.length > 0 ? noRoom(group) : waitForOthers(gone);
  const first = [...stepsToMark(assessment, outdated), ...detachCalls(group, detached)];
  const count = outdated.length;
  const reason = { code: 'members-chosen', count, of: group.members.length, outdated } as const;
  if (weightOf(batch) <= added) return { kind: 'act', reason, actions: first };
  return { ...enlarge(assessment, weightOf(batch) - added, { toBeMarked: batch, first }), reason };
}

/** What a group is made larger for. */
interface Enlargement {
  /** A batch that `first` marks. */
  readonly toBeMarked?: readonly Drifted[];
  readonly first?: readonly Action[];
  /** Zones are evened out by it. Another batch, as of a rollback, may leave them uneven once more. */
  readonly unevenBy?: number;
}

export function enlarge(
  { group, classified, observation, settings }: RollAssessment,
  by: number,
  { toBeMarked = [], first = [], unevenBy }: Enlargement = {},
): Extract<Decision, { kind: 'act' }> {
  const above = Math.max(0, group.desiredCapacity + by - group.maxSize);
  const planned = changeBy(group, classified, { desiredCapacity: by, maxSize: above });
  const change = { ...planned, marked: planned.marked + weightOf(toBeMarked) };
  const isRunning = !group.suspendedProcesses.includes('AlarmNotification');
  const { unevenBy: _, ...changes } = group.roll.changes;
  const suspended = isRunning ? [...new Set([...changes.suspended, 'AlarmNotification'])] : changes.suspended;
  const departures = { since: observation.now, count: 0 };
  const addedSizes = { ...changes.addedSizes, change, ...(endsThroughGroup(settings) && { departures }) };
  return {
    kind: 'act',
    reason: { code: 'group-enlarged', by },
    actions: [
      ...first,
      // First, so that no scaling policy changes the sizes after we last read them.
      ...(isRunning ? stepsToQuiet(group, suspended) : []),
      ...aroundChange(
        { ...group, roll: { ...group.roll, changes: { ...group.roll.changes, suspended } } },
        { ...changes, suspended, addedSizes, ...(unevenBy && { unevenBy }) },
        [setSizes(group, change)],
      ),
    ],
  };
}

function stepsToQuiet(group: RollingGroup, suspended: readonly string[]): Action[] {
  return [
    recordChanges(group, { ...group.roll.changes, suspended }),
    { kind: 'suspend-processes', group: group.name, processes: ['AlarmNotification'] },
  ];
}

/**
 * Marks draining members again, up to the number by which the group is larger, if somebody removed or spoilt
 * their marks: without a mark we would never end them, nor drain others. If more drain than that, their owner
 * drains them.
 */
export function restoreMarks(assessment: RollAssessment): Decision | undefined {
  const { group, observation, classified } = assessment;
  const { drifted, ending } = classified;
  const { containerInstances } = observation;
  const isMarked = ({ instance }: Drifted) => instance.mark !== undefined;
  const draining = new Set(instanceIdsOf(drainingAmong(containerInstances, idsOf(drifted))));
  const lost = drifted.filter(
    (each) => !isMarked(each) && isDetachable(each) && draining.has(each.instance.instanceId),
  );
  const ours = weightOf([...drifted.filter(isMarked), ...ending.map((member) => ({ member }))]);
  const chosen = within(group.roll.changes.addedSizes.desiredCapacity - ours, lost);
  if (chosen.length === 0) return undefined;
  return {
    kind: 'act',
    reason: { code: 'marked-again', count: chosen.length, of: group.members.length },
    actions: stepsToMark(assessment, chosen),
  };
}

/** A change of the settings ended a replacement in place: what drained for it goes back to serving. */
function letServe(
  { name }: Group,
  marked: readonly Drifted[],
  { containerInstances }: Observation,
): Decision | undefined {
  const draining = drainingAmong(containerInstances, idsOf(marked));
  if (draining.length === 0) return undefined;
  return unmark(name, instanceIdsOf(draining), containerInstances);
}
