import type { Action, Decision } from '../actions/decision.ts';
import { servingBeside } from '../group/capacity.ts';
import { hasTakenLong } from '../group/marked.ts';
import { endsThroughGroup } from '../group/strategy.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import type { Leaving, RollAssessment } from '../model/assessment.ts';
import { idsOf } from '../model/members.ts';
import type { Settings } from '../model/settings.ts';
import type { HoldUp } from '../reasons/hold-ups.ts';
import { endMembers } from '../sizes/end-members.ts';
import { deregister } from './deregister.ts';
import { waitForEnding } from './ending.ts';
import { blockOnGivenUp, giveUpDrains, stopTasks } from './give-up-stuck-drain.ts';
import { waitForHeld } from './held.ts';
import { isMemberGone } from './may-end.ts';
import { type DrainTurns, sortTurns } from './next-to-drain.ts';
import { type Candidate, candidateOf, undrainedOf } from './phase.ts';
import { blockOnProtection, letProtectedServe } from './protection.ts';
import { type DrainRules, isFailed, UNRESTRICTED } from './rules.ts';
import { keepStrandedServing } from './stranding.ts';
import { waitForCapacity, waitForTurns } from './wait.ts';

/**
 * Ends the instances that leave a group. They take turns: each drains, and once the services have been steady
 * without it for long enough the next does. Once it is empty, too, it is deregistered and terminated.
 *
 * A turn is taken in one look, when others serve in place of the instance before, and used in a later one. If
 * two invocations choose different instances, both then see both choices and keep the earlier.
 *
 * @returns undefined if nothing leaves
 */
export function endLeaving(
  assessment: RollAssessment,
  rules: DrainRules = UNRESTRICTED,
): Decision | undefined {
  const { group, observation, settings, classified } = assessment;
  const leaving = classified.leaving.filter(({ instanceId }) => !rules.keptServing.has(instanceId));
  if (leaving.length === 0) return undefined;
  const candidates = leaving
    .filter(({ excluded }) => !excluded)
    .map((instance) => candidateOf(instance, observation, settings));
  if (candidates.length === 0) return blockOnExcluded(leaving);
  const hopeful = candidates.filter((candidate) => !isFailed(candidate, rules));
  const gaveUp = letProtectedServe(candidates) ?? giveUpDrains(assessment, hopeful);
  if (gaveUp !== undefined) return gaveUp;
  const keptServing = rules.mayBegin ? keepStrandedServing(assessment, hopeful) : undefined;
  if (keptServing !== undefined) return keptServing;
  const turns = sortTurns(assessment, candidates, rules);
  const { ending, beginning, chosen, draining, held } = turns;
  const unrecorded = draining.filter(({ instance }) => instance.mark.drainStartedAt === undefined);
  const late = beginning.filter((candidate) => hasTakenLong(candidate.instance.mark, observation, settings));
  const actions = [
    ...end(assessment, ending),
    ...stopTasks(draining, assessment),
    ...recordTurns(group.name, late, observation.now),
    ...drain(
      assessment,
      beginning,
      draining.filter((each) => !held.includes(each)),
      candidates.filter((each) => each.phase === 'next' && !beginning.includes(each)),
    ),
    ...recordTurns(group.name, [...unrecorded, ...chosen], observation.now),
  ];
  if (actions.length > 0) {
    const taken = { ending: idsOf(ending), beginning: idsOf(beginning), chosen: idsOf(chosen) };
    return { kind: 'act', reason: { code: 'turns-taken', ...taken }, actions };
  }
  // Nothing else starts to drain while hooks hold an ending member: they may take longer than a turn.
  const isFree = draining.length > 0 || !endsThroughGroup(settings);
  return (
    (isFree ? undefined : waitForEnding(assessment)) ??
    waitInTurn(assessment, candidates, turns, rules) ??
    (rules.mayBegin ? waitOutside(assessment, candidates, held, rules) : undefined)
  );
}

/**
 * Waits for instances that have a turn: for those that only say goodbye if there are no others, and none is
 * about to have one. If nothing new may begin, waits only for those that drain.
 */
function waitInTurn(
  assessment: RollAssessment,
  candidates: readonly Candidate[],
  { draining, goodbyes, next, held, kept }: DrainTurns,
  rules: DrainRules,
): Decision | undefined {
  const free = draining.filter((candidate) => !held.includes(candidate));
  const moving = [...free.filter((candidate) => !goodbyes.includes(candidate)), ...next];
  const inTurn = moving.length > 0 ? moving : free;
  const isHeldUp = !rules.mayBegin && draining.every((candidate) => kept.includes(candidate));
  if (inTurn.length === 0 || isHeldUp) return undefined;
  const areToCome = rules.mayBegin && candidates.some(({ phase }) => phase === 'waiting');
  const isUpToOthers = kept.length > 0 || (moving.length === 0 && areToCome);
  const unready = isUpToOthers ? waitForReadiness(assessment) : undefined;
  const drainers = inTurn.some((candidate) => isFailed(candidate, rules)) ? 'failed' : 'others';
  const isKeptForOne = kept.length > 0 && isMemberGone(assessment);
  const short = isKeptForOne ? waitForCapacity(assessment, drainers) : undefined;
  return unready ?? short ?? waitForTurns(assessment, inTurn, drainers);
}

/** Waits for instances without a turn, or blocks when every one left couldn't be drained. */
function waitOutside(
  assessment: RollAssessment,
  candidates: readonly Candidate[],
  held: readonly Candidate[],
  rules: DrainRules,
): Decision {
  const { settings } = assessment;
  const drainers = candidates.every((candidate) => isFailed(candidate, rules)) ? 'failed' : 'others';
  const givenUp = candidates.filter(({ phase }) => phase === 'given-up');
  const unending = candidates.filter(({ phase }) => phase === 'protected');
  if (givenUp.length + unending.length === candidates.length)
    return unending.length > 0 ? blockOnProtection(idsOf(unending)) : blockOnGivenUp(assessment, givenUp);
  return (
    waitForReadiness(assessment) ??
    waitForCapacity(assessment, drainers) ??
    waitForHeld(assessment, held) ?? {
      kind: 'wait',
      reason: waitingFor(candidates, settings),
    }
  );
}

/** The owner excluded it after it was detached, so only the owner can say what happens to it. */
function blockOnExcluded(leftOut: readonly Leaving[]): Decision {
  const instanceIds = leftOut.map(({ instanceId }) => instanceId);
  return { kind: 'blocked', reason: { code: 'left-out-while-leaving', instanceIds } };
}

function end(assessment: RollAssessment, candidates: readonly Candidate[]): Action[] {
  const { observation } = assessment;
  const deregistered = candidates.flatMap((candidate) => deregister(candidate, observation));
  const members = idsOf(candidates.filter(({ instance }) => instance.attached));
  const others = idsOf(candidates.filter(({ instance }) => !instance.attached));
  return [
    ...deregistered,
    ...endMembers(assessment, members),
    ...(others.length > 0 ? [{ kind: 'terminate', instanceIds: others } as const] : []),
  ];
}

/** One call for all that were detached at the same time, as they share a mark. */
function recordTurns(group: string, candidates: readonly Candidate[], drainStartedAt: Date): Action[] {
  const times = new Set(candidates.map(({ instance }) => instance.mark.detachStartedAt.getTime()));
  return [...times].map((time) => {
    const batch = candidates.filter(({ instance }) => instance.mark.detachStartedAt.getTime() === time);
    const mark = { group, detachStartedAt: new Date(time), drainStartedAt };
    return { kind: 'mark-instances', instanceIds: idsOf(batch), mark };
  });
}

/** Drains all registrations of an instance, also one that turns ACTIVE while the others already drain. */
function drain(
  assessment: RollAssessment,
  beginning: readonly Candidate[],
  draining: readonly Candidate[],
  others: readonly Candidate[],
): Action[] {
  const containerInstances = [
    ...beginning.flatMap((each) => each.containerInstances.filter(({ status }) => status === 'ACTIVE')),
    ...draining.flatMap(undrainedOf),
  ];
  if (containerInstances.length === 0) return [];
  const next = beginning.length === 0 ? [] : others.flatMap((each) => each.containerInstances);
  return [{ kind: 'drain', containerInstances, beside: servingBeside(assessment), next }];
}

function waitingFor(candidates: readonly Candidate[], { readyTimeoutSeconds }: Settings): HoldUp {
  const [first] = candidates;
  if (first === undefined) throw new Error('there is nobody to wait for');
  const { instanceId } = first.instance;
  const status = first.containerInstances[0]?.status;
  if (status === undefined) return { code: 'registration-awaited', instanceId };
  const ends = first.phase === 'registering' && { endsAfterSeconds: readyTimeoutSeconds };
  return { code: 'instance-status', instanceId, status, ...ends };
}
