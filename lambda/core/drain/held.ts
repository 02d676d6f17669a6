import type { Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { LastInZone } from '../model/cluster.ts';
import { idsOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { isOver } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import type { Candidate } from './phase.ts';
import { isHeld, waitForProtected } from './task-protection.ts';

/** For so long ECS may take to even a service out across zones: AWS names no time. */
const EVEN_OUT_SECONDS = 600;

/**
 * Those that have a turn, and may not use it yet. They hold up nobody else.
 *
 * @param failed ids of instances on which tasks fail: these don't wait for others, which wait for them
 */
export function heldAmong(
  candidates: readonly Candidate[],
  observation: Observation,
  failed: ReadonlySet<string>,
): Candidate[] {
  const withProtected = candidates.filter((each) => isHeld(each, observation));
  const free = candidates.filter((each) => !withProtected.includes(each));
  const isFailed = ({ instance }: Candidate) => failed.has(instance.instanceId);
  return [
    ...withProtected,
    ...heldForZones(free.filter(isFailed), observation),
    ...heldForZones(
      free.filter((each) => !isFailed(each)),
      observation,
    ),
  ];
}

/**
 * Without them a zone would have no healthy target of a service: others go first, whose tasks may come there,
 * or ECS is about to start one there by itself. Nobody can have ECS place a task in a zone: once neither is
 * to be expected, they drain all the same.
 */
function heldForZones(candidates: readonly Candidate[], observation: Observation): Candidate[] {
  const last = candidates.filter((each) => each.phase === 'next' && lastOn(each, observation).length > 0);
  const othersMayGo = candidates.some(
    (each) => each.phase === 'waiting' || (each.phase === 'next' && !last.includes(each)),
  );
  return othersMayGo ? last : last.filter((each) => isAnotherComing(each, observation));
}

function lastOn({ instance }: Candidate, { details }: Observation): readonly LastInZone[] {
  return details?.lastInZone?.get(instance.instanceId) ?? [];
}

function isAnotherComing(candidate: Candidate, observation: Observation): boolean {
  const { drainStartedAt } = candidate.instance.mark;
  if (drainStartedAt === undefined || isOver(drainStartedAt, EVEN_OUT_SECONDS, observation.now)) return false;
  return lastOn(candidate, observation).some(({ comes }) => comes);
}

/** @returns undefined if nobody is held */
export function waitForHeld(assessment: Assessment, held: readonly Candidate[]): Decision | undefined {
  const { observation } = assessment;
  const forTasks = waitForProtected(
    assessment,
    held.filter((each) => isHeld(each, observation)),
  );
  const faults = held.flatMap((each) => zonesKeptBy(each, observation));
  if (forTasks !== undefined || faults.length === 0) return forTasks;
  const instanceIds = idsOf(held);
  return {
    kind: 'wait',
    reason: { code: 'draining', instanceIds, isNext: true, faults, failedDeployments: [] },
  };
}

function zonesKeptBy(candidate: Candidate, observation: Observation): Fault[] {
  const { instanceId } = candidate.instance;
  return lastOn(candidate, observation).map(({ service, zone }) => ({
    kind: 'last-in-zone',
    instanceId,
    service,
    zone,
  }));
}
