import type { Decision } from '../actions/decision.ts';
import type { Group } from '../model/group.ts';

/** An instance refresh replaces members too, and ends them whatever runs on them. */
export function blockedByRefresh({ details, suspendedProcesses }: Group): Decision | undefined {
  const { instanceRefresh: { status } = {} } = details ?? {};
  if (status === undefined) return undefined;
  const paused = suspendedProcesses.includes('InstanceRefresh');
  return { kind: 'blocked', reason: { code: 'instance-refresh', status, paused } };
}

/**
 * A refresh that stands still may do so for ever, and must keep nobody from stopping a roll, or taking it
 * back. The way back launches members, so it waits where these would be what the refresh says, and not what
 * the group does. Either roll goes on up to its last step, which would let the refresh go on.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html
 */
export function goesBesideRefresh({ roll, details, suspendedProcesses }: Group): boolean {
  if (!suspendedProcesses.includes('InstanceRefresh')) return false;
  switch (roll?.course.kind) {
    case 'abort':
      return true;
    case 'rollback':
      return details?.instanceRefresh?.decidesLaunches === false;
    default:
      return false;
  }
}

/** Whether to resume the process would let a refresh go on that began while we had suspended it. */
export function holdsRefresh({ roll, details }: Group): boolean {
  const isOurs = roll?.changes.suspended.includes('InstanceRefresh') ?? false;
  return isOurs && details?.instanceRefresh !== undefined;
}
