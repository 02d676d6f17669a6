import type {
  InstanceRequirements,
  LaunchTemplateOverrides,
  MixedInstancesPolicy,
} from '@aws-sdk/client-auto-scaling';
import type { State } from '../state.ts';
import type { LaunchedFrom, LaunchSpec, Override, TemplateReference } from './model.ts';

export function describeLaunchSpec(state: State, spec: LaunchSpec) {
  switch (spec.kind) {
    case 'launch-configuration':
      return { LaunchConfigurationName: spec.name };
    case 'launch-template':
      return { LaunchTemplate: templateSpecification(spec) };
    case 'mixed-instances':
      return { MixedInstancesPolicy: describePolicy(state, spec) };
  }
}

function describePolicy(state: State, spec: LaunchSpec & { kind: 'mixed-instances' }): MixedInstancesPolicy {
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: withVersion(spec),
      Overrides: spec.overrides.map((override) => describeOverride(state, override)),
    },
    InstancesDistribution: { ...spec.distribution },
  };
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LaunchTemplateOverrides.html */
const UNSET_OF_OVERRIDE = {
  ImageId: '',
  InstanceRequirements: {},
  InstanceType: '',
  LaunchTemplateSpecification: {},
  WeightedCapacity: '',
} satisfies { [Key in keyof LaunchTemplateOverrides]?: '' | object };

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRequirements.html */
const UNSET_OF_REQUIREMENTS = {
  AllowedInstanceTypes: [],
  BareMetal: '',
  ExcludedInstanceTypes: [],
  NetworkBandwidthGbps: {},
} satisfies { [Key in keyof InstanceRequirements]?: '' | object };

function describeOverride({ readings }: State, override: Override): LaunchTemplateOverrides {
  const { instanceType, requirements, ownTemplate, imageId, weightedCapacity } = override;
  const writesUnset = readings.writesUnset === 'empty-elements';
  return {
    ...(writesUnset && (UNSET_OF_OVERRIDE as object)),
    ...(instanceType !== undefined && { InstanceType: instanceType }),
    ...(requirements && {
      InstanceRequirements: { ...(writesUnset && (UNSET_OF_REQUIREMENTS as object)), ...requirements },
    }),
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
