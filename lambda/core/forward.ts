import { isOnTrial, tryOut } from './canary/trial.ts';
import { isHeld } from './drain/candidate.ts';
import { endLeaving } from './drain/drain.ts';
import { repair } from './drain/repair.ts';
import { FREELY, type Terms } from './drain/turns.ts';
import { finish } from './finish.ts';
import { alarmOverdue, holdByAlarms } from './group/alarms.ts';
import type { Case } from './group/case.ts';
import { crashLoop, describeCrash, openCrash, replacementsOf } from './group/crashes.ts';
import { pausedIn } from './group/paused.ts';
import type { Standing } from './group/standing.ts';
import { strategyOf } from './group/strategy.ts';
import { crashOfUnmovable, describeCrashOfOther } from './group/unmovable.ts';
import { stepsToTargets } from './launch-spec/launch-spec.ts';
import type { Decision } from './model/decision.ts';
import type { Group } from './model/group.ts';
import type { Launch, LaunchSource } from './model/launch.ts';
import type { Observation } from './model/observation.ts';
import type { Rollout } from './model/roll.ts';
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
export function goForward(all: Case, rollout: Rollout): Decision {
  const { group, launch, observation, settings, stand, outdated } = all;
  const isKept = strategyOf(group, settings) !== 'in-place' && replacementsOf(group, stand).length > 0;
  const onTrial = isKept && isOnTrial(group, rollout, settings);
  const terms = { ...FREELY, onTrial };
  return (
    adjustProcesses(group, rollout, processesInTheWay(group, stand, observation)) ??
    settleSizes(group, rollout, stand) ??
    holdUp(all, terms) ??
    keepWhole(group, rollout, stand) ??
    giveImages(group, rollout, launch, outdated) ??
    repair(group, stand, observation) ??
    failingTasks(all) ??
    holdForUnmovable(all, terms) ??
    replaceWarm(group, stand, observation) ??
    tryOut(group, rollout, stand, observation, settings) ??
    (stand.warm.length > 0 || isTrialHeld(all, rollout)
      ? undefined
      : replaceBatch(group, rollout, stand, observation, settings)) ??
    endLeaving(group, stand, observation, settings, terms) ??
    waitForProof(all) ??
    finish(group, rollout, launch, stand, observation, settings)
  );
}

/** What the first batch replaced could not be drained: nothing else is replaced before that is tried out. */
function isTrialHeld({ group, stand, observation, settings }: Case, rollout: Rollout): boolean {
  return (
    isOnTrial(group, rollout, settings) && stand.leaving.some((each) => isHeld(each, observation, settings))
  );
}

/** While somebody, or an alarm, wants nothing new begun, what is in hand is finished. */
function holdUp({ group, stand, observation, settings }: Case, terms: Terms): Decision | undefined {
  const { rollout, pausedSince } = group;
  const overdue = alarmOverdue(group, observation, settings);
  if (overdue !== undefined && pausedSince === undefined) {
    return { kind: 'blocked', reason: overdue, failing: true };
  }
  const waiting = pausedSince === undefined ? holdByAlarms(observation, settings) : pausedIn(group);
  if (rollout === undefined || waiting === undefined) return undefined;
  return endLeaving(group, stand, observation, settings, { ...terms, mayBegin: false }) ?? waiting;
}

function failingTasks({ group, stand, observation, settings }: Case): Decision | undefined {
  const reason = crashLoop(group, stand, observation, settings);
  return reason === undefined ? undefined : { kind: 'blocked', reason, failing: true };
}

/** Nothing judges the replacements any more once the roll is over. */
function waitForProof({ group, stand, observation, settings }: Case): Decision | undefined {
  const crash = openCrash(group, stand, observation, settings);
  if (crash === undefined) return undefined;
  const reason = `all are replaced, but ${describeCrash(crash, observation)}: it is waited whether that goes on`;
  return { kind: 'wait', reason };
}

/**
 * Of a service that starts nowhere, for no fault of the image, whatever is drained stops tasks for good. So nothing more is
 * drained until somebody has mended that; going back would only move it once more.
 */
function holdForUnmovable({ group, stand, observation, settings }: Case, terms: Terms): Decision | undefined {
  const crash = crashOfUnmovable(group, observation, settings);
  if (crash === undefined) return undefined;
  const reason = `nothing more is drained: ${describeCrashOfOther(crash, observation)}`;
  const inHand = endLeaving(group, stand, observation, settings, { ...terms, mayBegin: false });
  return inHand ?? { kind: 'blocked', reason };
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
      return detachDrifted(group, rollout, stand, observation, settings);
    case 'scale-out':
      return scaleOut(group, rollout, stand, observation, settings);
    case 'in-place':
      return chooseInPlace(group, stand, observation, settings);
  }
}

function giveImages(
  group: Group,
  { startedAt }: Rollout,
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
