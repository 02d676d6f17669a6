import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  type Tag,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../operation.ts';
import type { State } from '../state.ts';
import { requestedSizes, setDesiredCapacity } from './capacity.ts';
import { requestedSettings, SIMULATED_UPDATE } from './group-settings.ts';
import { findGroup, groupWritten, validationError } from './groups.ts';
import { launchProblem } from './launch-problems.ts';
import { launchesOf } from './launch-sources.ts';
import { lifecycleHookOperations } from './lifecycle-hook-operations.ts';
import { memberOperations } from './member-operations.ts';
import type { Group, LaunchSpec } from './model.ts';
import { processOperations } from './process-operations.ts';
import { requestedLaunchSpec } from './requested-launch-spec.ts';
import { terminationInGroup } from './termination-operation.ts';

export function autoScalingWriteOperations(state: State): Operation[] {
  return [
    update(state),
    setDesiredCapacity(state),
    ...tagOperations(state),
    ...processOperations(state),
    ...memberOperations(state),
    terminationInGroup(state),
    ...lifecycleHookOperations(state),
  ];
}

function update(state: State): Operation {
  return on(UpdateAutoScalingGroupCommand, SIMULATED_UPDATE, (input) => {
    const group = findGroup(state, input.AutoScalingGroupName);
    const requested = requestedLaunchSpec(state, group.launchSpec, input);
    if (requested) assertLaunches(state, requested);
    const launchSpec = requested ?? group.launchSpec;
    Object.assign(group, requestedSizes(group, input), requestedSettings(group, input), { launchSpec });
    groupWritten(state, group, 'call');
    return {};
  });
}

/** Auto Scaling tries a template out: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-launch-template.html */
function assertLaunches(state: State, spec: LaunchSpec) {
  if (spec.kind !== 'launch-template') return;
  for (const launch of launchesOf(state, spec)) {
    const problem = launchProblem(state, launch);
    if (problem) throw validationError(`You must use a valid fully-formed launch template. ${problem}`);
  }
}

function tagOperations(state: State): Operation[] {
  const written = (group: Group) => state.emit({ kind: 'group-written', group, cause: 'call' });
  return [
    on(CreateOrUpdateTagsCommand, 'all', (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
        group.tags.set(tag.Key ?? '', {
          value: tag.Value ?? '',
          propagatesAtLaunch: tag.PropagateAtLaunch ?? false,
        });
        written(group);
      }
      return {};
    }),

    on(DeleteTagsCommand, 'all', (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
        group.tags.delete(tag.Key ?? '');
        written(group);
      }
      return {};
    }),
  ];
}

function tagged(state: State, tags: readonly Tag[]): [Group, Tag][] {
  return tags.map((tag) => {
    if (tag.ResourceType !== undefined && tag.ResourceType !== 'auto-scaling-group')
      throw validationError(`Invalid resource type: ${tag.ResourceType}`);
    if (tag.Key?.startsWith('aws:')) throw validationError(`Reserved tag key: ${tag.Key}`);
    return [findGroup(state, tag.ResourceId), tag];
  });
}
