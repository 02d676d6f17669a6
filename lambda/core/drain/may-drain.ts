import { type Drainers, idleMembers } from '../group/capacity.ts';
import { areLongDeployments } from '../group/deployments.ts';
import { markedAmong } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { spareInstances, upToSpare } from '../group/spare.ts';
import { unsettled } from '../group/steadiness.ts';
import { endsThroughGroup, strategyOf } from '../group/strategy.ts';
import type { Assessment } from '../model/assessment.ts';
import { weightOf } from '../model/members.ts';
import { secondsBetween } from '../model/time.ts';
import type { Candidate } from './phase.ts';
import { type DrainRules, isFailed } from './rules.ts';

/** When instances may begin to drain, and what those that drain wait for. */
export interface DrainConditions {
  /**
   * It may have a turn: the group is whole without it, or some may go to make room for what it lacks. One on
   * which tasks fail may whatever other failing members do.
   */
  readonly mayBegin: (candidate: Candidate) => boolean;
  /** So many may begin in one look. */
  readonly most: number;
  /** No service lacks what is stopping on the draining instances. */
  readonly served: boolean;
  /**
   * None has for long enough: it may end if it is empty, and begin to drain if it is next. One on which tasks
   * fail doesn't wait for that, as services may not be steady before it is gone.
   */
  readonly isSteadyFor: (candidate: Candidate) => boolean;
  /** All that is waited for are deployments that go on for hours. */
  readonly deploying: boolean;
}

/** When instances may drain, as the group and its services are now. */
export function conditionsOf(
  assessment: Assessment,
  candidates: readonly Candidate[],
  rules: DrainRules,
): DrainConditions {
  const { group, observation, settings, classified } = assessment;
  const { servedSince } = group.watch;
  const faults = unsettled(observation, group, classified.leaving).map(({ what }) => what);
  const seconds = servedSince === undefined ? -1 : secondsBetween(servedSince, observation.now);
  const isSteady = faults.length === 0 && seconds >= settings.stableSeconds;
  const isWhole = readiness(assessment).length === 0 && isEnlarged(assessment);
  const isWholeWithout = (drainers: Drainers) => isWhole && idleMembers(assessment, drainers).length === 0;
  const may = { failed: isWholeWithout('failed'), others: isWholeWithout('others') };
  const spare = spareInstances(assessment) ?? 0;
  return {
    mayBegin: (candidate) =>
      rules.mayBegin && (spare > 0 || may[isFailed(candidate, rules) ? 'failed' : 'others']),
    most: upToSpare(spare, candidates.length),
    served: servedSince !== undefined,
    isSteadyFor: (candidate) => isSteady || isFailed(candidate, rules),
    deploying: faults.length > 0 && areLongDeployments(faults, group, observation),
  };
}

/** The group is as much larger as the members that it will end, so each has a replacement. */
function isEnlarged({ group, settings, classified: { drifted } }: Assessment): boolean {
  const { roll } = group;
  if (roll?.course.kind !== 'forward' || !endsThroughGroup(settings)) return true;
  if (strategyOf(group, settings) === 'in-place') return true;
  const marked = markedAmong(drifted);
  return roll.changes.addedSizes.desiredCapacity >= weightOf(marked);
}
