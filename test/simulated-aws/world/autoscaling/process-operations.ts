import { ResumeProcessesCommand, SuspendProcessesCommand } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html */
export const PROCESSES: ReadonlySet<string> = new Set([
  'AZRebalance',
  'AddToLoadBalancer',
  'AlarmNotification',
  'HealthCheck',
  'InstanceRefresh',
  'Launch',
  'ReplaceUnhealthy',
  'ScheduledActions',
  'Terminate',
]);

export function processOperations(state: State): Operation[] {
  return [
    on(SuspendProcessesCommand, 'all', (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      for (const process of requested(input.ScalingProcesses)) group.suspendedProcesses.add(process);
      groupWritten(state, group, 'call');
      return {};
    }),

    on(ResumeProcessesCommand, 'all', (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      for (const process of requested(input.ScalingProcesses)) group.suspendedProcesses.delete(process);
      groupWritten(state, group, 'call');
      return {};
    }),
  ];
}

/** None named: all are meant. */
function requested(names: readonly string[] | undefined): Iterable<string> {
  if (!names?.length) return PROCESSES;
  const unknown = names.filter((name) => !PROCESSES.has(name));
  // ledger: suspend-unknown-process
  if (unknown.length > 0) throw validationError(`Invalid scaling processes: ${unknown.join(', ')}`);
  return names;
}
