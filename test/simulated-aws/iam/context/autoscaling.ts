import type {
  CreateLaunchConfigurationType,
  CreateOrUpdateTagsType,
  LaunchTemplateSpecification,
  MixedInstancesPolicy,
  TerminateInstanceInAutoScalingGroupType,
  UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check, Context } from '../policy.ts';
import { arn, check, onAnything, passRole, requestTags, resourceTags, unmapped } from './checks.ts';
import { runInstances } from './ec2.ts';

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2autoscaling.html */
export function autoscalingChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation.startsWith('Describe')) return onAnything(call);
  switch (call.operation) {
    case 'CreateLaunchConfiguration':
    case 'DeleteLaunchConfiguration':
      return launchConfigurationChecks(call, facts);
    case 'CreateOrUpdateTags':
    case 'DeleteTags':
      return tagChecks(call, facts);
    case 'UpdateAutoScalingGroup':
      return updateChecks(call, facts);
    case 'SetInstanceHealth':
    case 'TerminateInstanceInAutoScalingGroup':
      return memberChecks(call, facts);
    default:
      return groupChecks(call, facts);
  }
}

function groupChecks(call: Call, facts: ResourceFacts, context: Context = {}): Check[] {
  const { AutoScalingGroupName: name } = call.input as {
    AutoScalingGroupName?: string;
  };
  return name ? [onGroup(call, name, facts, context)] : unmapped(call);
}

/** The call may name no group: it is the instance's, which a tag of Auto Scaling's own tells. */
function memberChecks(call: Call, facts: ResourceFacts): Check[] {
  const { AutoScalingGroupName, InstanceId = '' } = call.input as TerminateInstanceInAutoScalingGroupType;
  const name = AutoScalingGroupName ?? facts.instanceTags(InstanceId)?.['aws:autoscaling:groupName'] ?? '*';
  return [onGroup(call, name, facts, {})];
}

function onGroup(call: Call, name: string, facts: ResourceFacts, context: Context): Check {
  const group = facts.group(name);
  const resource = group?.arn ?? arn('autoscaling', `autoScalingGroup:*:autoScalingGroupName/${name}`, facts);
  const tags = resourceTags(group?.tags, 'autoscaling');
  return check(call, resource, { ...tags, ...context });
}

function tagChecks(call: Call, facts: ResourceFacts): Check[] {
  const { Tags: tags = [] } = call.input as CreateOrUpdateTagsType;
  const groups = new Set(tags.map(({ ResourceId = '' }) => ResourceId));
  return [...groups].map((group) => {
    const own = tags.filter(({ ResourceId = '' }) => ResourceId === group);
    return onGroup(call, group, facts, requestTags(own));
  });
}

function launchConfigurationChecks(call: Call, facts: ResourceFacts): Check[] {
  const {
    LaunchConfigurationName: name = '',
    IamInstanceProfile: profile,
    ImageId,
    InstanceType,
  } = call.input as CreateLaunchConfigurationType;
  const resource =
    facts.launchConfiguration(name)?.arn ??
    arn('autoscaling', `launchConfiguration:*:launchConfigurationName/${name}`, facts);
  const role = profile ? facts.instanceProfileRoleArn(profile) : undefined;
  return [
    check(call, resource, {
      ...(ImageId && { 'autoscaling:ImageId': ImageId }),
      ...(InstanceType && { 'autoscaling:InstanceType': InstanceType }),
    }),
    ...(role ? [passRole(role)] : []),
  ];
}

/**
 * With a launch template the caller must be allowed what the group is going to do with it:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
 */
function updateChecks(call: Call, facts: ResourceFacts): Check[] {
  const input = call.input as UpdateAutoScalingGroupType;
  const templates = [
    ...(input.LaunchTemplate ? [input.LaunchTemplate] : []),
    ...templatesOf(input.MixedInstancesPolicy),
  ];
  const named = templates.map(
    ({ LaunchTemplateId, LaunchTemplateName = '' }) => LaunchTemplateId ?? LaunchTemplateName,
  );
  const { tries = [] } = facts.group(input.AutoScalingGroupName ?? '') ?? {};
  return [
    ...groupChecks(call, facts, updateContext(input, templates)),
    ...(named.length > 0 ? named : tries).flatMap((template) => runInstances(template, facts)),
  ];
}

function templatesOf(policy: MixedInstancesPolicy | undefined): LaunchTemplateSpecification[] {
  const { LaunchTemplateSpecification: base, Overrides = [] } = policy?.LaunchTemplate ?? {};
  const own = Overrides.map((override) => override.LaunchTemplateSpecification);
  return [base, ...own].filter((template) => template !== undefined);
}

function updateContext(
  input: UpdateAutoScalingGroupType,
  templates: readonly LaunchTemplateSpecification[],
): Context {
  const { LaunchConfigurationName, MinSize, MaxSize, MixedInstancesPolicy } = input;
  const { Overrides = [] } = MixedInstancesPolicy?.LaunchTemplate ?? {};
  const types = Overrides.flatMap(({ InstanceType }) => InstanceType ?? []);
  return {
    ...(LaunchConfigurationName && {
      'autoscaling:LaunchConfigurationName': LaunchConfigurationName,
    }),
    ...(MinSize !== undefined && { 'autoscaling:MinSize': String(MinSize) }),
    ...(MaxSize !== undefined && { 'autoscaling:MaxSize': String(MaxSize) }),
    // To IAM a set without members is not there.
    ...(types.length > 0 && { 'autoscaling:InstanceTypes': types }),
    ...(templates.length > 0 && {
      'autoscaling:LaunchTemplateVersionSpecified': String(
        templates.every(({ Version }) => Version !== undefined),
      ),
    }),
  };
}
