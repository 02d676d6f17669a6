import type { Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { LastInZone, Task } from '../model/cluster.ts';
import { endOfArn } from '../model/end-of-arn.ts';
import { idsOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { isOver, later } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import { isProtected } from './give-up-stuck-drain.ts';
import type { Candidate } from './phase.ts';

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
 * Whether the candidate has a turn, and may not drain yet, as it has protected tasks. AWS doesn't say whether
 * ECS spares them on an instance that drains, so they are asked for before.
 */
function isHeld(candidate: Candidate, observation: Observation): boolean {
  const hasTurn = candidate.phase === 'next' || candidate.phase === 'draining';
  return hasTurn && protectedOn(candidate, observation).length > 0;
}

function protectedOn(
  { containerInstances }: Candidate,
  { now, details: { tasksInTurn = [] } = {} }: Observation,
): Task[] {
  const arns = containerInstances.filter(({ status }) => status === 'ACTIVE').map(({ arn }) => arn);
  return tasksInTurn.filter((task) => arns.includes(task.containerInstanceArn) && isProtected(task, now));
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

/**
 * Waits for protected tasks, however long they take, and blocks once that takes longer than a drain may; or
 * for others to serve a zone.
 *
 * @returns undefined if nobody is held
 */
export function waitForHeld(
  { observation, settings: { drainTimeoutSeconds: afterSeconds } }: Assessment,
  held: readonly Candidate[],
): Decision | undefined {
  const withProtected = held.filter((each) => isHeld(each, observation));
  const forTasks = withProtected.flatMap((each) => protectedTasks(each, observation));
  const faults = forTasks.length > 0 ? forTasks : held.flatMap((each) => zonesKeptBy(each, observation));
  if (faults.length === 0) return undefined;
  const instanceIds = idsOf(forTasks.length > 0 ? withProtected : held);
  const reason = { code: 'draining', instanceIds, isNext: true, faults, failedDeployments: [] } as const;
  // Tasks come to an ACTIVE one, too, so that some leave it is no progress.
  const isOverdue = withProtected.some(
    ({ instance: { mark } }) =>
      mark.drainStartedAt !== undefined && isOver(mark.drainStartedAt, afterSeconds, observation.now),
  );
  return isOverdue ? { kind: 'blocked', reason: { ...reason, afterSeconds } } : { kind: 'wait', reason };
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

/** One fault for each service. */
function protectedTasks(candidate: Candidate, observation: Observation): Fault[] {
  const { instanceId } = candidate.instance;
  const all = protectedOn(candidate, observation);
  return [...new Set(all.map(({ group }) => group))].sort().map((group) => {
    const own = all.filter((task) => task.group === group);
    const until = own.flatMap(({ protectedUntil }) => protectedUntil ?? []).reduce(later, observation.now);
    const taskIds = own.map(({ arn }) => endOfArn(arn));
    return { kind: 'tasks-protected', instanceId, group, taskIds, until };
  });
}
