import { readiness } from '../group/readiness.ts';
import { spareMembers } from '../group/spare.ts';
import { strategyOf } from '../group/strategy.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Observation } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { isOver } from '../model/time.ts';
import { isForced } from './give-up-stuck-drain.ts';
import type { DrainConditions } from './may-drain.ts';
import { byTurn, type Candidate, comingSince, isCutOff, isEmpty, saysGoodbye } from './phase.ts';
import { type DrainRules, isFailed } from './rules.ts';

/** Which candidates end now, and which could but are kept. */
export function endingAmong(
  candidates: readonly Candidate[],
  conditions: DrainConditions,
  rules: DrainRules,
  assessment: Assessment,
): { readonly ending: readonly Candidate[]; readonly kept: readonly Candidate[] } {
  const drained = candidates.filter((each) => mayEnd(each, conditions, assessment));
  const needed = drained.filter((each) => !isFailed(each, rules) && isNeeded(each, assessment));
  const last = rules.onTrial ? lastToDrain(candidates, assessment) : [];
  const kept = [...new Set([...last, ...needed])];
  return { ending: drained.filter((each) => !kept.includes(each)), kept };
}

/**
 * An instance that never registered gets as much time as a replacement: its agent might register and receive
 * tasks just as we terminate it. After that, ECS has nothing to lose with it.
 */
function mayEnd(candidate: Candidate, conditions: DrainConditions, assessment: Assessment): boolean {
  const { observation, settings } = assessment;
  const { instance, phase } = candidate;
  switch (phase) {
    case 'deregistered':
    case 'unusable':
      return true;
    case 'unregistered':
      return isOver(instance.launchedAt, settings.readyTimeoutSeconds, observation.now);
    case 'registering':
      return hasWaited(candidate, observation, settings);
    case 'draining':
      return (
        hasWaited(candidate, observation, settings) &&
        (conditions.isSteadyFor(candidate) ||
          conditions.deploying ||
          saysGoodbye(candidate, assessment) ||
          isForced(candidate, observation, settings)) &&
        isEmpty(candidate, observation, settings) &&
        !isCutOff(candidate, observation)
      );
    default:
      return false;
  }
}

/** None of its registrations is on its way, or we have waited long enough for it. */
function hasWaited(candidate: Candidate, { now }: Observation, { readyTimeoutSeconds }: Settings): boolean {
  const since = comingSince(candidate);
  return since === undefined || isOver(since, readyTimeoutSeconds, now);
}

/**
 * Members behind a load balancer serve until others do: a replacement may have died since this one's turn, or
 * an old member.
 */
function isNeeded({ instance: { instanceId, attached } }: Candidate, assessment: Assessment): boolean {
  const { group, settings } = assessment;
  const { targetHealth = [] } = group.details ?? {};
  return (
    attached &&
    strategyOf(group, settings) === 'scale-out' &&
    targetHealth.some(({ byInstance }) => byInstance.get(instanceId)?.healthy) &&
    (readiness(assessment).length > 0 || isMemberGone(assessment)) &&
    (spareMembers(assessment) ?? -1) < 0
  );
}

/** Whether an old member of a later batch no longer runs: its group has yet to notice, or to end it. */
export function isMemberGone({ classified: { drifted } }: Assessment): boolean {
  return drifted.some(({ instance: { alive, mark } }) => !alive && mark === undefined);
}

/** The candidate with the latest turn, once all have had theirs, and none of the batch is yet to leave. */
function lastToDrain(candidates: readonly Candidate[], { classified }: Assessment): Candidate[] {
  const leaving = new Set(candidates.map(({ instance }) => instance.instanceId));
  const isOpen =
    candidates.some(({ phase }) => ['next', 'waiting', 'registering'].includes(phase)) ||
    classified.drifted.some(({ instance }) => instance.mark && !leaving.has(instance.instanceId));
  if (isOpen) return [];
  return candidates
    .filter(({ phase }) => phase === 'draining')
    .sort(byTurn)
    .slice(-1);
}
