import type { LaunchTemplateOverrides, MixedInstancesPolicy } from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import type { LaunchedFrom, LaunchSpec, Override, TemplateReference } from './model.ts';

export function describeLaunchSpec(spec: LaunchSpec) {
  switch (spec.kind) {
    case 'launch-configuration':
      return { LaunchConfigurationName: spec.name };
    case 'launch-template':
      return { LaunchTemplate: templateSpecification(spec) };
    case 'mixed-instances':
      return { MixedInstancesPolicy: describePolicy(spec) };
  }
}

function describePolicy(spec: LaunchSpec & { kind: 'mixed-instances' }): MixedInstancesPolicy {
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: withVersion(spec),
      Overrides: spec.overrides.map(describeOverride),
    },
    InstancesDistribution: { ...spec.distribution },
  };
}

function describeOverride(override: Override): LaunchTemplateOverrides {
  const { instanceType, ownTemplate, imageId, weightedCapacity } = override;
  return {
    ...(instanceType !== undefined && { InstanceType: instanceType }),
    ...(ownTemplate && { LaunchTemplateSpecification: withVersion(ownTemplate) }),
    ...(imageId !== undefined && { ImageId: imageId }),
    ...(weightedCapacity !== undefined && { WeightedCapacity: weightedCapacity }),
  };
}

/** What a member was launched from; nothing if that launch configuration has been deleted. */
export function describeLaunchedFrom(state: State, from: LaunchedFrom | undefined) {
  if (from?.kind === 'launch-template')
    return { LaunchTemplate: templateSpecification({ ...from, version: String(from.version) }) };
  const isKnown = from !== undefined && state.launchConfigurations.has(from.name);
  return isKnown ? { LaunchConfigurationName: from.name } : {};
}

/** How a launch template is named in answers of Auto Scaling. */
function templateSpecification({ template, version }: TemplateReference) {
  return {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    ...(version !== undefined && { Version: version }),
  };
}

const withVersion = ({ template, version = '$Default' }: TemplateReference) =>
  templateSpecification({ template, version });
