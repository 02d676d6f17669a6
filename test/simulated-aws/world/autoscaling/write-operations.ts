import { UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { byUpdate, noteResize, requestedSizes, setDesiredCapacity } from './capacity.ts';
import { groupMaking } from './group-making.ts';
import { requestedSettings, SIMULATED_UPDATE } from './group-settings.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';
import { healthOperation } from './health-operation.ts';
import { hookWritingOperations } from './hook-writing.ts';
import { assertNoDesiredConfiguration } from './instance-refreshes.ts';
import { launchProblem } from './launch-problems.ts';
import { launchesOf } from './launch-sources.ts';
import { lifecycleHookOperations } from './lifecycle-hook-operations.ts';
import { byOperatorAlone } from './managed-groups.ts';
import { memberOperations } from './member-operations.ts';
import type { LaunchSpec } from './model.ts';
import { processOperations } from './process-operations.ts';
import { requestedLaunchSpec } from './requested-launch-spec.ts';
import { describePolicies } from './scaling-policies.ts';
import { tagOperations } from './tag-operations.ts';
import { terminationInGroup } from './termination-operation.ts';

export function autoScalingWriteOperations(state: State): Operation[] {
  const operations = [
    ...groupMaking(state),
    update(state),
    setDesiredCapacity(state),
    ...tagOperations(state),
    ...processOperations(state),
    ...memberOperations(state),
    healthOperation(state),
    terminationInGroup(state),
    ...lifecycleHookOperations(state),
    ...hookWritingOperations(state),
    describePolicies(state),
  ];
  return operations.map((operation) => byOperatorAlone(state, operation));
}

function update(state: State): Operation {
  return on(UpdateAutoScalingGroupCommand, SIMULATED_UPDATE, (input) => {
    const group = findGroup(state, input.AutoScalingGroupName);
    const requested = requestedLaunchSpec(state, group.launchSpec, input);
    if (requested) assertNoDesiredConfiguration(group);
    const launchSpec = requested ?? group.launchSpec;
    if (requested || state.readings.templateTried === 'always') assertLaunches(state, launchSpec);
    const { desiredCapacity: from } = group;
    const present = state.readings.currentSize === 'present' ? group.members.size : undefined;
    Object.assign(group, requestedSizes(group, input, present), requestedSettings(group, input), {
      launchSpec,
    });
    noteResize(state, group, from, `a user request ${byUpdate(group)}`);
    groupWritten(state, group, 'call');
    return {};
  });
}

/**
 * Auto Scaling tries a template out:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-launch-template.html
 */
function assertLaunches(state: State, spec: LaunchSpec) {
  if (spec.kind !== 'launch-template') return;
  for (const launch of launchesOf(state, spec)) {
    const problem = launchProblem(state, launch);
    // ledger: update-template-tried
    if (problem) throw validationError(`You must use a valid fully-formed launch template. ${problem}`);
  }
}
