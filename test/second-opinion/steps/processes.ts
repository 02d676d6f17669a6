import {
  DescribeAutoScalingGroupsCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const suspend =
  (AutoScalingGroupName: string, ...names: readonly string[]) =>
  ({ autoScaling }: Account) =>
    autoScaling.send(
      new SuspendProcessesCommand({
        AutoScalingGroupName,
        ...(names.length > 0 && { ScalingProcesses: [...names] }),
      }),
    );
const resume =
  (AutoScalingGroupName: string, ...names: readonly string[]) =>
  ({ autoScaling }: Account) =>
    autoScaling.send(
      new ResumeProcessesCommand({
        AutoScalingGroupName,
        ...(names.length > 0 && { ScalingProcesses: [...names] }),
      }),
    );
const { templateGroup: group } = NAMES;

/** The names of what is suspended, sorted: AWS tells besides whether a user has done it. */
async function suspended({ autoScaling }: Account) {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [group] }),
  );
  const processes = AutoScalingGroups[0]?.SuspendedProcesses ?? [];
  return { names: processes.map(({ ProcessName }) => ProcessName) };
}

export const PROCESS_STEPS: readonly Step[] = [
  step('suspend two processes', suspend(group, 'AZRebalance', 'InstanceRefresh')),
  step('tell which are suspended', suspended),
  step('suspend one of them once more, and another', suspend(group, 'AZRebalance', 'ReplaceUnhealthy')),
  step('tell which are suspended after that', suspended),
  step(
    'resume two of them, and one that was never suspended',
    resume(group, 'AZRebalance', 'InstanceRefresh', 'Launch'),
  ),
  step('tell which are suspended still', suspended),
  step('suspend all, by naming none', suspend(group)),
  step('tell that all are suspended', suspended),
  step('resume all, by naming none', resume(group)),
  step('tell that none is suspended', suspended),
  step('suspend a process that there is not', suspend(group, 'Unknown')),
  step('resume a process that there is not', resume(group, 'Unknown')),
  step('tell what is suspended by then', suspended),
  step('resume all once more', resume(group)),
  step('suspend processes of an unknown group', suspend('unknown', 'AZRebalance')),
  step('resume processes of an unknown group', resume('unknown', 'AZRebalance')),
];
