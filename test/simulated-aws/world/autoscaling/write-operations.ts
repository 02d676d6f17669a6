import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachInstancesCommand,
  type LaunchTemplateSpecification,
  type Tag,
  UpdateAutoScalingGroupCommand,
  type UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { AwsError, type Operation, on } from '../../operation.ts';
import { findTemplate, resolveVersion } from '../ec2/launch-templates.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { findGroup, validationError } from './groups.ts';
import type { Group, LaunchSpec, Member } from './model.ts';
import { detachMember, touchGroup } from './reconcile.ts';

export function autoScalingWriteOperations(state: State): Operation[] {
  return [
    on(UpdateAutoScalingGroupCommand, (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      const launchSpec = requestedLaunchSpec(state, input) ?? group.launchSpec;
      Object.assign(group, requestedSizes(group, input), { launchSpec });
      written(state, group);
      touchGroup(state, group);
      return {};
    }),

    on(CreateOrUpdateTagsCommand, (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
        group.tags.set(tag.Key ?? '', {
          value: tag.Value ?? '',
          propagatesAtLaunch: tag.PropagateAtLaunch ?? false,
        });
        written(state, group);
      }
      return {};
    }),

    on(DeleteTagsCommand, (input) => {
      for (const [group, tag] of tagged(state, input.Tags ?? [])) {
        group.tags.delete(tag.Key ?? '');
        written(state, group);
      }
      return {};
    }),

    on(DetachInstancesCommand, (input) => {
      const group = findGroup(state, input.AutoScalingGroupName);
      const ids = input.InstanceIds ?? [];
      assertAtMost(20, ids, 'ValidationError', 'Instance ids');
      const members = ids.map((id) => detachable(group, id));
      if (input.ShouldDecrementDesiredCapacity) decrement(group, ids.length);
      return { Activities: members.map((member) => detachMember(state, group, member)) };
    }),
  ];
}

function written(state: State, group: Group) {
  state.emit({ kind: 'group-written', group, cause: 'call' });
}

function requestedLaunchSpec(state: State, input: UpdateAutoScalingGroupType): LaunchSpec | undefined {
  const { LaunchConfigurationName: name, MixedInstancesPolicy: policy } = input;
  if (name !== undefined) {
    if (input.LaunchTemplate || policy)
      throw validationError(
        'Valid requests must contain either LaunchTemplate, LaunchConfigurationName or MixedInstancesPolicy parameter.',
      );
    if (!state.launchConfigurations.has(name))
      throw validationError(`Launch configuration name not found - Launch configuration ${name} not found`);
    return { kind: 'launch-configuration', name };
  }
  if (policy) {
    const base = policy.LaunchTemplate?.LaunchTemplateSpecification ?? {};
    const kind = 'mixed-instances';
    return { kind, policy, ...requestedTemplate(state, base) };
  }
  return (
    input.LaunchTemplate && {
      kind: 'launch-template',
      ...requestedTemplate(state, input.LaunchTemplate),
    }
  );
}

function requestedTemplate(state: State, spec: LaunchTemplateSpecification) {
  try {
    const template = findTemplate(state, spec);
    if (resolveVersion(template, spec.Version)) return { template, version: spec.Version };
  } catch (error) {
    // Auto Scaling passes EC2's refusal on under its own code.
    if (error instanceof AwsError) throw validationError(error.message);
    throw error;
  }
  throw validationError(
    `You must use a valid fully-formed launch template. Could not find the specified version ${spec.Version}.`,
  );
}

function requestedSizes(group: Group, input: UpdateAutoScalingGroupType) {
  const minSize = input.MinSize ?? group.minSize;
  const maxSize = input.MaxSize ?? group.maxSize;
  const asked = input.DesiredCapacity;
  const desiredCapacity = asked ?? Math.min(maxSize, Math.max(minSize, group.desiredCapacity));
  if (desiredCapacity < minSize || desiredCapacity > maxSize)
    throw validationError(
      `Desired capacity:${desiredCapacity} must be between the specified min size:${minSize} and max size:${maxSize}`,
    );
  return { minSize, maxSize, desiredCapacity };
}

function tagged(state: State, tags: readonly Tag[]): [Group, Tag][] {
  return tags.map((tag) => {
    if (tag.ResourceType !== undefined && tag.ResourceType !== 'auto-scaling-group')
      throw validationError(`Invalid resource type: ${tag.ResourceType}`);
    if (tag.Key?.startsWith('aws:')) throw validationError(`Reserved tag key: ${tag.Key}`);
    return [findGroup(state, tag.ResourceId), tag];
  });
}

function detachable(group: Group, id: string): Member {
  const member = group.members.get(id);
  if (!member) throw validationError(`The instance ${id} is not part of Auto Scaling group ${group.name}.`);
  const { lifecycleState } = member;
  if (lifecycleState !== 'InService' && lifecycleState !== 'Standby')
    throw validationError(`The instance ${id} is not in InService or Standby, but in ${lifecycleState}.`);
  return member;
}

function decrement(group: Group, count: number) {
  if (group.desiredCapacity - count < group.minSize)
    throw validationError(
      `Currently, desiredSize equals ${group.desiredCapacity}. Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
    );
  group.desiredCapacity -= count;
}
