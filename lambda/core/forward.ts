import { type Decision, pausedIn } from './actions/decision.ts';
import { endLeaving } from './drain/drain.ts';
import { isGivenUp } from './drain/phase.ts';
import { type DrainRules, UNRESTRICTED } from './drain/rules.ts';
import { repair } from './drain/unmark-staying.ts';
import { stoppedByAlarms } from './group/alarms.ts';
import { crashFacts, openCrash, replacementsOf } from './group/crashes.ts';
import { strategyOf } from './group/strategy.ts';
import { silentBeside } from './group/surge.ts';
import { crashOfUnmovable } from './group/unmovable.ts';
import { waitForReadiness } from './group/wait-for-readiness.ts';
import { askFirst } from './hooks/ask-first.ts';
import { imagesOf, stepsToTargets } from './launch-spec/give-images.ts';
import type { Assessment, RollAssessment } from './model/assessment.ts';
import { detachDrifted } from './replace/detach.ts';
import { finish } from './replace/finish.ts';
import { chooseInPlace } from './replace/in-place.ts';
import { adjustProcesses, processesInTheWay } from './replace/processes.ts';
import { scaleOut } from './replace/scale-out.ts';
import { surplusOf } from './replace/surplus.ts';
import { replaceWarm } from './replace/warm-pool.ts';
import { failingAlarm, failingTasks } from './rollback/what-fails-trial-or-roll.ts';
import { keepWhole } from './sizes/min-size.ts';
import { settleSizes } from './sizes/our-sizes.ts';
import { isOnTrial, tryOut } from './trial/trial.ts';
import { untilWindow } from './wait-for-window.ts';

/** Rolls onto the new images: takes the first step that has something to do. `decideGroup` says what for. */
export function goForward(assessment: RollAssessment): Decision {
  const { group, settings, classified } = assessment;
  const isKept = strategyOf(group, settings) !== 'in-place' && replacementsOf(group, classified).length > 0;
  const onTrial = isKept && isOnTrial(assessment);
  const rules = { ...UNRESTRICTED, onTrial, keptServing: surplusOf(assessment).kept };
  return (
    adjustProcesses(group, processesInTheWay(assessment)) ??
    settleSizes(assessment) ??
    stopForPauseOrAlarm(assessment, rules) ??
    keepWhole(assessment) ??
    stopForWindow(assessment, rules) ??
    giveImages(assessment) ??
    repair(assessment) ??
    failingTasks(assessment) ??
    stopForUnmovable(assessment, rules) ??
    replaceWarm(assessment) ??
    askFirst(assessment, tryOut(assessment)) ??
    (classified.warm.length > 0 || isTrialHeld(assessment) ? undefined : askBeforeBatch(assessment, rules)) ??
    endLeaving(assessment, rules) ??
    waitForProof(assessment) ??
    finish(assessment)
  );
}

/**
 * An instance of the first batch could not be drained, or nobody knows whether it is: nothing else is
 * replaced until the replacements are tried out.
 */
function isTrialHeld(assessment: RollAssessment): boolean {
  const { group, observation, settings, classified } = assessment;
  const isUndrained = classified.leaving.some((each) => isGivenUp(each, observation, settings));
  return isOnTrial(assessment) && (isUndrained || silentBeside(group).length > 0);
}

/** Finishes what is in hand, and begins nothing new, while someone has paused the roll or an alarm is on. */
function stopForPauseOrAlarm(assessment: RollAssessment, rules: DrainRules): Decision | undefined {
  const { group, observation, settings } = assessment;
  const { pausedSince } = group;
  const failing = failingAlarm(assessment);
  if (failing !== undefined) return failing;
  const waiting = pausedSince === undefined ? stoppedByAlarms(observation, settings) : pausedIn(group);
  if (waiting === undefined) return undefined;
  return endLeaving(assessment, { ...rules, mayBegin: false }) ?? waiting;
}

/**
 * Outside its windows finishes what is in hand, and begins nothing new. Replacements prove themselves, or
 * turn the roll back, at any time: nobody would wait for the next window while tasks fail.
 */
function stopForWindow(assessment: RollAssessment, rules: DrainRules): Decision | undefined {
  const closed = untilWindow(assessment);
  if (closed === undefined) return undefined;
  return (
    repair(assessment) ??
    failingTasks(assessment) ??
    stopForUnmovable(assessment, rules) ??
    askFirst(assessment, tryOut(assessment)) ??
    endLeaving(assessment, { ...rules, mayBegin: false }) ??
    waitForReadiness(assessment) ??
    closed
  );
}

/** Waits for the last replacements to prove themselves, as nothing judges them once the roll is over. */
function waitForProof(assessment: Assessment): Decision | undefined {
  const { observation } = assessment;
  const crash = openCrash(assessment);
  if (crash === undefined) return undefined;
  return { kind: 'wait', reason: { code: 'crash-watched', crash: crashFacts(crash, observation) } };
}

/**
 * If a service starts nowhere and the image isn't to blame, draining stops its tasks for good. So we drain
 * nothing more until somebody fixes it; going back would only move the service once more.
 */
function stopForUnmovable(assessment: RollAssessment, rules: DrainRules): Decision | undefined {
  const { observation } = assessment;
  const crash = crashOfUnmovable(assessment);
  if (crash === undefined) return undefined;
  const inHand = endLeaving(assessment, { ...rules, mayBegin: false });
  const facts = crashFacts(crash, observation);
  return inHand ?? { kind: 'blocked', reason: { code: 'service-unmovable', crash: facts } };
}

/** While a hook holds, or nothing more can be replaced, what drains finishes. */
function askBeforeBatch(assessment: RollAssessment, rules: DrainRules): Decision | undefined {
  const step = replaceBatch(assessment);
  const decision = askFirst(assessment, step);
  const isBlocked = decision === step && step?.kind === 'blocked';
  if ((decision === step && !isBlocked) || decision?.kind === 'act') return decision;
  const inHand = endLeaving(assessment, { ...rules, mayBegin: false });
  return isBlocked || inHand?.kind === 'act' ? (inHand ?? decision) : decision;
}

function replaceBatch(assessment: RollAssessment): Decision | undefined {
  const { group, settings } = assessment;
  switch (strategyOf(group, settings)) {
    case 'detach':
      return detachDrifted(assessment);
    case 'scale-out':
      return scaleOut(assessment);
    case 'in-place':
      return chooseInPlace(assessment);
  }
}

function giveImages(assessment: RollAssessment): Decision | undefined {
  const { outdated } = assessment;
  if (outdated.length === 0) return undefined;
  return {
    kind: 'act',
    reason: { code: 'images-given', images: imagesOf(outdated) },
    actions: stepsToTargets(assessment),
  };
}
