import type { Decision } from '../actions/decision.ts';
import { recovering } from '../drain/health-recovery.ts';
import { hasTakenLong } from '../group/marked.ts';
import { readiness } from '../group/readiness.ts';
import { holdsRefresh } from '../group/refresh.ts';
import type { RollAssessment } from '../model/assessment.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import { isStandby, stays } from '../model/members.ts';
import { drainingAmong, instanceIdsOf } from '../model/registrations.ts';
import type { AddedSizes } from '../model/roll.ts';
import type { SuspendableProcess } from '../reasons/steps.ts';
import type { Warning } from '../reasons/warnings.ts';
import { isSuspendable, recordChanges } from '../sizes/temporary-changes.ts';
import { toEvenZones } from './even-zones.ts';

/** @param grows the group is about to be larger than necessary for a while */
export function processesInTheWay(assessment: RollAssessment, grows = false): SuspendableProcess[] {
  const { group, observation, classified } = assessment;
  const { drifted, detached, detaching, leaving, warm } = classified;
  const { addedSizes, suspended } = group.roll.changes;
  // An aborted roll only finishes what it has begun to replace.
  const isAborted = group.roll.course.kind === 'abort';
  const chosen = isAborted ? leaving.length : drifted.length + warm.length;
  const isLarger = grows || addedSizes.desiredCapacity > 0 || changesDesired(addedSizes);
  const isReplacing =
    chosen + detached.length + detaching.length > 0 ||
    // Processes stay suspended until the last replacement is ready, and the zones are even.
    (suspended.length > 0 && (readiness(assessment).length > 0 || toEvenZones(assessment) > 0)) ||
    isLarger;
  // Whether a member drains isn't known while EC2 doesn't answer for it.
  const mayDrainUnseen = group.unknown !== undefined && suspended.includes('ReplaceUnhealthy');
  return [
    ...(isReplacing ? (['AZRebalance', 'InstanceRefresh'] as const) : []),
    ...(isLarger ? (['AlarmNotification'] as const) : []),
    ...(drainsInService(assessment) || recovering(group, observation).length > 0 || mayDrainUnseen
      ? (['ReplaceUnhealthy'] as const)
      : []),
  ];
}

function changesDesired({ change }: AddedSizes): boolean {
  return change !== undefined && change.from.desiredCapacity !== change.to.desiredCapacity;
}

/**
 * Whether the group might end a draining member as unhealthy: one whose application stops may fail the
 * checks of a load balancer, or EC2's application status checks, which need no setting of the group. If
 * another member fails, the group should replace that one, unless a member that drains already fails with it:
 * none begins to drain before the other is replaced.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/use-application-status-checks-auto-scaling-group.html
 */
function drainsInService({ group, observation, settings }: RollAssessment): boolean {
  const { members, instances } = group;
  const serving = members.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const drains = new Set(
    instances.flatMap(({ instanceId, alive, mark }) =>
      alive &&
      mark?.drainStartedAt !== undefined &&
      mark.drainGivenUpAt === undefined &&
      // Held by a pause, a window or a block, one that has its turn may serve for days before it drains.
      (!hasTakenLong(mark, observation, settings) ||
        drainingAmong(observation.containerInstances, [instanceId]).length > 0)
        ? [instanceId]
        : [],
    ),
  );
  // What leaves already needs the process no more; what dies before it is in service does.
  const failing = instanceIdsOf(members.filter((each) => !each.healthy && stays(each) && !isStandby(each)));
  const ours = failing.filter((instanceId) => drains.has(instanceId));
  return (
    serving.some(({ instanceId }) => drains.has(instanceId)) &&
    (ours.length === failing.length || drainingAmong(observation.containerInstances, ours).length > 0)
  );
}

/**
 * What died or fails stays a member while the process is suspended, by its owner, or by us if our tag is
 * lost.
 */
export function warnOfUnreplaced({ members, roll, suspendedProcesses }: Group): Warning[] {
  const isOurs = roll?.changes.suspended.includes('ReplaceUnhealthy') ?? false;
  const unhealthy = members.filter(
    ({ healthy, lifecycleState }) => !healthy && lifecycleState === 'InService',
  );
  if (isOurs || !suspendedProcesses.includes('ReplaceUnhealthy') || unhealthy.length === 0) return [];
  return [{ code: 'none-replaced', instanceIds: unhealthy.map(({ instanceId }) => instanceId) }];
}

/**
 * Resumes what this invocation suspended while another one ended the roll: nobody else knows that it was us.
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

/**
 * Suspends what gets in the way and resumes what no longer does.
 *
 * @returns undefined if nothing needs to change
 */
export function adjustProcesses(
  group: RollingGroup,
  inTheWay: readonly SuspendableProcess[],
): Decision | undefined {
  return suspend(group, inTheWay) ?? resume(group, inTheWay);
}

function suspend(group: RollingGroup, inTheWay: readonly SuspendableProcess[]): Decision | undefined {
  const running = inTheWay.filter((name) => !group.suspendedProcesses.includes(name));
  if (running.length === 0) return undefined;
  const { changes } = group.roll;
  const suspended = [...new Set([...changes.suspended, ...running])];
  return {
    kind: 'act',
    reason: { code: 'processes-suspended', processes: running },
    actions: [
      // We tag which are ours before we suspend any, so that none stays suspended. If the tags say so
      // already, this only checks them again: another invocation may just have ended the roll.
      recordChanges(group, { ...changes, suspended }),
      { kind: 'suspend-processes', group: group.name, processes: running },
    ],
  };
}

function resume(group: RollingGroup, inTheWay: readonly string[]): Decision | undefined {
  const stays = holdsRefresh(group) ? [...inTheWay, 'InstanceRefresh'] : inTheWay;
  const over = group.roll.changes.suspended.filter((name) => isSuspendable(name) && !stays.includes(name));
  if (over.length === 0) return undefined;
  const suspended = group.roll.changes.suspended.filter((name) => !over.includes(name));
  return {
    kind: 'act',
    reason: { code: 'processes-resumed', processes: over },
    actions: [
      // Also those that don't look suspended: AWS may not show it yet.
      { kind: 'resume-processes', group: group.name, processes: over, noted: group.roll.changes },
      recordChanges(group, { ...group.roll.changes, suspended }),
    ],
  };
}
