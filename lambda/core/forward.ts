import type { Decision } from './actions/decision.ts';
import { isOnTrial, tryOut } from './canary/trial.ts';
import { isGivenUp } from './drain/candidate.ts';
import { endLeaving } from './drain/drain.ts';
import { repair } from './drain/repair.ts';
import { type DrainRules, UNRESTRICTED } from './drain/turns.ts';
import { finish } from './finish.ts';
import { alarmOverdue, stoppedByAlarms } from './group/alarms.ts';
import { crashLoop, describeCrash, openCrash, replacementsOf } from './group/crashes.ts';
import { pausedIn } from './group/paused.ts';
import { strategyOf } from './group/strategy.ts';
import { crashOfUnmovable, describeCrashOfOther } from './group/unmovable.ts';
import { stepsToTargets } from './launch-spec/launch-spec.ts';
import type { Assessment, Classification } from './model/assessment.ts';
import type { Group } from './model/group.ts';
import type { Launch, LaunchSource } from './model/launch.ts';
import type { Observation } from './model/observation.ts';
import type { Roll } from './model/roll.ts';
import type { Settings } from './model/settings.ts';
import { detachDrifted } from './replace/detach.ts';
import { chooseInPlace } from './replace/in-place.ts';
import { adjustProcesses, processesInTheWay } from './replace/processes.ts';
import { scaleOut } from './replace/scale-out.ts';
import { replaceWarm } from './replace/warm-pool.ts';
import { keepWhole } from './sizes/min-size.ts';
import { settleSizes } from './sizes/sizes.ts';
import { describeImage } from './text/describe.ts';

/** A roll onto the new images, each step only when all before it are seen to be done. */
export function goForward(all: Assessment, roll: Roll): Decision {
  const { group, launch, observation, settings, classified, outdated } = all;
  const isKept = strategyOf(group, settings) !== 'in-place' && replacementsOf(group, classified).length > 0;
  const onTrial = isKept && isOnTrial(group, roll, settings);
  const rules = { ...UNRESTRICTED, onTrial };
  return (
    adjustProcesses(group, roll, processesInTheWay(group, classified, observation)) ??
    settleSizes(group, roll, classified) ??
    stopForPauseOrAlarm(all, rules) ??
    keepWhole(group, roll, classified) ??
    giveImages(group, roll, launch, outdated) ??
    repair(group, classified, observation) ??
    failingTasks(all) ??
    stopForUnmovable(all, rules) ??
    replaceWarm(group, classified, observation) ??
    tryOut(group, roll, classified, observation, settings) ??
    (classified.warm.length > 0 || isTrialHeld(all, roll)
      ? undefined
      : replaceBatch(group, roll, classified, observation, settings)) ??
    endLeaving(group, classified, observation, settings, rules) ??
    waitForProof(all) ??
    finish(group, roll, launch, classified, observation, settings)
  );
}

/** What the first batch replaced could not be drained: nothing else is replaced before that is tried out. */
function isTrialHeld({ group, classified, observation, settings }: Assessment, roll: Roll): boolean {
  return (
    isOnTrial(group, roll, settings) &&
    classified.leaving.some((each) => isGivenUp(each, observation, settings))
  );
}

/** While somebody, or an alarm, wants nothing new begun, what is in hand is finished. */
function stopForPauseOrAlarm(
  { group, classified, observation, settings }: Assessment,
  rules: DrainRules,
): Decision | undefined {
  const { roll, pausedSince } = group;
  const overdue = alarmOverdue(group, observation, settings);
  if (overdue !== undefined && pausedSince === undefined) {
    return { kind: 'blocked', reason: overdue, failing: true };
  }
  const waiting = pausedSince === undefined ? stoppedByAlarms(observation, settings) : pausedIn(group);
  if (roll === undefined || waiting === undefined) return undefined;
  return endLeaving(group, classified, observation, settings, { ...rules, mayBegin: false }) ?? waiting;
}

function failingTasks({ group, classified, observation, settings }: Assessment): Decision | undefined {
  const reason = crashLoop(group, classified, observation, settings);
  return reason === undefined ? undefined : { kind: 'blocked', reason, failing: true };
}

/** Nothing judges the replacements any more once the roll is over. */
function waitForProof({ group, classified, observation, settings }: Assessment): Decision | undefined {
  const crash = openCrash(group, classified, observation, settings);
  if (crash === undefined) return undefined;
  const reason = `all are replaced, but ${describeCrash(crash, observation)}: it is waited whether that goes on`;
  return { kind: 'wait', reason };
}

/**
 * Of a service that starts nowhere, for no fault of the image, whatever is drained stops tasks for good. So nothing more is
 * drained until somebody has mended that; going back would only move it once more.
 */
function stopForUnmovable(
  { group, classified, observation, settings }: Assessment,
  rules: DrainRules,
): Decision | undefined {
  const crash = crashOfUnmovable(group, observation, settings);
  if (crash === undefined) return undefined;
  const reason = `nothing more is drained: ${describeCrashOfOther(crash, observation)}`;
  const inHand = endLeaving(group, classified, observation, settings, { ...rules, mayBegin: false });
  return inHand ?? { kind: 'blocked', reason };
}

function replaceBatch(
  group: Group,
  roll: Roll,
  classified: Classification,
  observation: Observation,
  settings: Settings,
): Decision | undefined {
  switch (strategyOf(group, settings)) {
    case 'detach':
      return detachDrifted(group, roll, classified, observation, settings);
    case 'scale-out':
      return scaleOut(group, roll, classified, observation, settings);
    case 'in-place':
      return chooseInPlace(group, classified, observation, settings);
  }
}

function giveImages(
  group: Group,
  { startedAt }: Roll,
  launch: Launch,
  outdated: readonly LaunchSource[],
): Decision | undefined {
  if (outdated.length === 0) return undefined;
  const targets = new Map(outdated.map(({ target }) => [target.imageId, target]));
  return {
    kind: 'act',
    reason: `lets the group launch ${[...targets.values()].map(describeImage).join(', ')}`,
    actions: stepsToTargets(group, launch, outdated, startedAt),
  };
}
