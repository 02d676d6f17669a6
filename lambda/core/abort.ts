import { type Decision, pausedIn } from './actions/decision.ts';
import { endLeaving } from './drain/drain.ts';
import { UNRESTRICTED } from './drain/rules.ts';
import { repair, unmark } from './drain/unmark-staying.ts';
import { markedAmong } from './group/marked.ts';
import { endsThroughGroup } from './group/strategy.ts';
import { sparingZones } from './group/zones.ts';
import type { Assessment, RollAssessment } from './model/assessment.ts';
import { idSetOf, idsOf, isStandby } from './model/members.ts';
import { drainingAmong, instanceIdsOf } from './model/registrations.ts';
import type { Roll } from './model/roll.ts';
import type { Warning } from './reasons/warnings.ts';
import { finish } from './replace/finish.ts';
import { keepZones, servingApart } from './replace/keep-zones.ts';
import { adjustProcesses, processesInTheWay } from './replace/processes.ts';
import { restoreMarks, uncoveredIn } from './replace/scale-out.ts';
import { surplusOf } from './replace/surplus.ts';
import { keepWhole } from './sizes/min-size.ts';
import { settleSizes } from './sizes/our-sizes.ts';

/** Stops a roll half-way: finishes what has begun and leaves everything else as it is. */
export function abortRoll(assessment: RollAssessment): Decision {
  const { group, settings } = assessment;
  const mayBegin = group.pausedSince === undefined;
  const rules = { ...UNRESTRICTED, mayBegin, keptServing: surplusOf(assessment).kept };
  return adviseRollback(
    group.roll,
    adjustProcesses(group, processesInTheWay(assessment)) ??
      settleSizes(assessment) ??
      keepWhole(assessment) ??
      repair(assessment) ??
      letStay(assessment) ??
      (endsThroughGroup(settings) ? (chosenAnew(assessment) ?? restoreMarks(assessment)) : undefined) ??
      endLeaving(assessment, rules) ??
      (rules.mayBegin ? finish(assessment, 'aborted') : pausedIn(group)),
  );
}

/** Removes our tags from instances that stay. One that already drains goes on draining. */
function letStay(assessment: RollAssessment): Decision | undefined {
  const { group, observation } = assessment;
  const notBegun = notBegunIn(assessment);
  const staying = notBegun.length > 0 ? notBegun : uncoveredIn(assessment);
  return staying.length === 0 ? undefined : unmark(group.name, staying, observation.containerInstances);
}

/** Instances the roll has chosen but not started on. */
function notBegunIn({ classified: { drifted, warm, leaving } }: Assessment): string[] {
  const ids = idSetOf(leaving);
  const marked = markedAmong([...drifted, ...warm]);
  return marked
    .map(({ instance }) => instance.instanceId)
    .filter((id) => !ids.has(id))
    .sort();
}

/**
 * Others leave than those without which a zone would serve nobody. If there are none to replace, these stay,
 * and what the group has too many leaves instead, where it can.
 */
function chosenAnew(assessment: RollAssessment): Decision | undefined {
  const { group, observation, classified } = assessment;
  const marked = markedAmong(classified.drifted);
  const kept = keepZones(assessment, marked);
  if (kept?.kind === 'chosen-anew') return kept.decision;
  const mayLeave = sparingZones(group, servingApart(group), [], classified.current);
  if (kept?.kind !== 'lacking' || mayLeave.length === 0) return undefined;
  return unmark(group.name, idsOf(kept.open), observation.containerInstances);
}

/**
 * Warns of unmarked draining instances: they may not be ours, so they stay as they are and nothing else
 * reports them.
 */
export function warnOfDraining({ group, observation, classified }: Assessment): Warning[] {
  if (group.roll?.course.kind !== 'abort') return [];
  const members = classified.drifted.filter(
    ({ member, instance }) => !isStandby(member) && instance.mark === undefined,
  );
  const draining = instanceIdsOf(drainingAmong(observation.containerInstances, idsOf(members)));
  return draining.length === 0 ? [] : [{ code: 'draining-unmarked', instanceIds: draining }];
}

/** If the new image is what fails, only a rollback ends an aborted roll. */
function adviseRollback({ previous }: Roll, decision: Decision): Decision {
  if (decision.kind !== 'blocked' || previous.length === 0) return decision;
  return { ...decision, rollbackHelps: true };
}
