import type { Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Task } from '../model/cluster.ts';
import { idsOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import { isOver, later } from '../model/time.ts';
import type { Fault } from '../reasons/faults.ts';
import { isProtected } from './give-up.ts';
import type { Candidate } from './phase.ts';

/**
 * Whether the candidate has a turn, and may not drain yet, as it has protected tasks. AWS doesn't say whether
 * ECS spares them on an instance that drains, so they are asked for before.
 */
export function isHeld(candidate: Candidate, observation: Observation): boolean {
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

/** Waits for protected tasks, however long they take, and blocks once that takes longer than a drain may. */
export function waitForProtected(
  { observation, settings }: Assessment,
  held: readonly Candidate[],
): Decision | undefined {
  if (held.length === 0) return undefined;
  const faults = held.flatMap((candidate) => protectedTasks(candidate, observation));
  const reason = {
    code: 'draining',
    instanceIds: idsOf(held),
    isNext: true,
    faults,
    failedDeployments: [],
  } as const;
  // Tasks come to an ACTIVE one, too, so that some leave it is no progress.
  const overdue = held.some(
    ({ instance: { mark } }) =>
      mark.drainStartedAt !== undefined &&
      isOver(mark.drainStartedAt, settings.drainTimeoutSeconds, observation.now),
  );
  if (!overdue) return { kind: 'wait', reason };
  return { kind: 'blocked', reason: { ...reason, afterSeconds: settings.drainTimeoutSeconds } };
}

/** One fault for each service. */
function protectedTasks(candidate: Candidate, observation: Observation): Fault[] {
  const { instanceId } = candidate.instance;
  const all = protectedOn(candidate, observation);
  return [...new Set(all.map(({ group }) => group))].sort().map((group) => {
    const own = all.filter((task) => task.group === group);
    const until = own.flatMap(({ protectedUntil }) => protectedUntil ?? []).reduce(later, observation.now);
    const taskIds = own.map(({ arn }) => arn.split('/').at(-1) ?? arn);
    return { kind: 'tasks-protected', instanceId, group, taskIds, until };
  });
}
