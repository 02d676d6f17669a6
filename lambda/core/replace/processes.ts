import type { Decision } from '../actions/decision.ts';
import { recovering } from '../drain/recovery.ts';
import { readiness } from '../group/readiness.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { AddedSizes, Roll } from '../model/roll.ts';
import type { SuspendableProcess } from '../model/step.ts';
import { recordChanges } from '../sizes/temporary-changes.ts';

/**
 * Processes of a group that would get in the way. They are suspended only as long as they would, and a process
 * that its owner has suspended is left to him.
 *
 * `ScheduledActions` is not among them: an action that is skipped is never made up for, and a roll adapts to it.
 */
const SUSPENDABLE: readonly string[] = [
  'AZRebalance',
  'InstanceRefresh',
  'AlarmNotification',
  'Launch',
  'ReplaceUnhealthy',
] satisfies readonly SuspendableProcess[];

/** Whatever else a tag tells of was suspended by somebody else, and is his to resume. */
export function isSuspendable(name: string): name is SuspendableProcess {
  return SUSPENDABLE.includes(name);
}

export function processesInTheWay(assessment: Assessment): SuspendableProcess[] {
  const { group, observation, classified } = assessment;
  const { drifted, detached, detaching, leaving, warm } = classified;
  const { addedSizes, suspended = [] } = group.roll?.changes ?? {};
  // An aborted roll replaces nothing more than it has begun with.
  const isAborted = group.roll?.course.kind === 'abort';
  const chosen = isAborted ? leaving.length : drifted.length + warm.length;
  const isReplacing =
    chosen + detached.length + detaching.length > 0 ||
    // Not before the last replacement is ready, either.
    (suspended.length > 0 && readiness(assessment).length > 0) ||
    (addedSizes?.desiredCapacity ?? 0) > 0;
  const isLarger = addedSizes !== undefined && (addedSizes.desiredCapacity > 0 || changesDesired(addedSizes));
  return [
    ...(isReplacing ? (['AZRebalance', 'InstanceRefresh'] as const) : []),
    ...(isLarger ? (['AlarmNotification'] as const) : []),
    ...(drainsInService(group) || recovering(group, observation).length > 0
      ? (['ReplaceUnhealthy'] as const)
      : []),
  ];
}

function changesDesired({ change }: AddedSizes): boolean {
  return change !== undefined && change.from.desiredCapacity !== change.to.desiredCapacity;
}

/**
 * Whether a member drains that its group might end for it. Where another member fails, the group is to replace that one,
 * unless the one that drains would go with it.
 */
function drainsInService({ members, instances, trafficSources }: Group): boolean {
  if (trafficSources.length === 0) return false;
  const serving = members.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const drains = new Set(
    instances.flatMap(({ instanceId, alive, mark }) =>
      alive && mark?.drainStartedAt !== undefined && mark.drainGivenUpAt === undefined ? [instanceId] : [],
    ),
  );
  const failing = members.filter(({ healthy }) => !healthy);
  return (
    serving.some(({ instanceId }) => drains.has(instanceId)) &&
    (failing.length === 0 || failing.some(({ instanceId }) => drains.has(instanceId)))
  );
}

/**
 * Another invocation has ended the roll while this one suspended something for it: nobody else would know that it was us.
 */
export function resumeForgotten({ name, roll, suspendedProcesses, suspendedHere = [] }: Group) {
  const noted = roll?.changes.suspended ?? [];
  const processes = suspendedHere.filter(
    (each) => suspendedProcesses.includes(each) && !noted.includes(each),
  );
  if (processes.length === 0) return undefined;
  const reason = { code: 'processes-forgotten', processes } as const;
  return { kind: 'act', reason, actions: [{ kind: 'resume-processes', group: name, processes }] } as const;
}

/** Suspends what gets in the way and resumes what no longer does; undefined when all is as it should be. */
export function adjustProcesses(
  group: Group,
  roll: Roll,
  inTheWay: readonly SuspendableProcess[],
): Decision | undefined {
  return suspend(group, roll, inTheWay) ?? resume(group, roll, inTheWay);
}

function suspend(group: Group, roll: Roll, inTheWay: readonly SuspendableProcess[]): Decision | undefined {
  const running = inTheWay.filter((name) => !group.suspendedProcesses.includes(name));
  if (running.length === 0) return undefined;
  const { changes } = roll;
  const suspended = [...new Set([...changes.suspended, ...running])];
  return {
    kind: 'act',
    reason: { code: 'processes-suspended', processes: running },
    actions: [
      // The tags say which are ours before any is suspended, so that none is left suspended. Where they say so already,
      // they are but looked at once more: another invocation may just have ended the roll.
      recordChanges(group, roll, { ...changes, suspended }),
      { kind: 'suspend-processes', group: group.name, processes: running },
    ],
  };
}

function resume(group: Group, roll: Roll, inTheWay: readonly string[]): Decision | undefined {
  const over = roll.changes.suspended.filter((name) => isSuspendable(name) && !inTheWay.includes(name));
  if (over.length === 0) return undefined;
  const suspended = roll.changes.suspended.filter((name) => !over.includes(name));
  return {
    kind: 'act',
    reason: { code: 'processes-resumed', processes: over },
    actions: [
      // Those too that don't look suspended: AWS may not show yet that they are.
      { kind: 'resume-processes', group: group.name, processes: over },
      recordChanges(group, roll, { ...roll.changes, suspended }),
    ],
  };
}
