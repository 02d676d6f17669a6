import type {
  InstancesDistribution,
  LaunchTemplateOverrides,
  LaunchTemplateSpecification,
  MixedInstancesPolicy,
  UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { AwsError } from '../../account/operation.ts';
import { findTemplate, resolveVersion } from '../ec2/launch-templates.ts';
import type { State } from '../state.ts';
import { validationError } from './groups.ts';
import { launchProblem } from './launch-problems.ts';
import { launchesOf } from './launch-sources.ts';
import type { LaunchSpec, Override, TemplateReference } from './model.ts';

const MAX_OVERRIDES = 40;

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstancesDistribution.html */
export const DEFAULT_DISTRIBUTION: InstancesDistribution = {
  OnDemandAllocationStrategy: 'prioritized',
  OnDemandBaseCapacity: 0,
  OnDemandPercentageAboveBaseCapacity: 100,
  SpotAllocationStrategy: 'lowest-price',
  SpotInstancePools: 2,
};

/**
 * What a request changes the group's launch spec to, unless the group is new; a group has one kind of launch
 * spec at a time.
 */
export function requestedLaunchSpec(
  state: State,
  current: LaunchSpec | undefined,
  input: Pick<
    UpdateAutoScalingGroupType,
    'LaunchConfigurationName' | 'LaunchTemplate' | 'MixedInstancesPolicy'
  >,
): LaunchSpec | undefined {
  const { LaunchConfigurationName: name, LaunchTemplate: template, MixedInstancesPolicy: policy } = input;
  if ([name, template, policy].filter((one) => one !== undefined).length > 1)
    throw validationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName or MixedInstancesPolicy parameter.',
    );
  if (name !== undefined) return launchConfigurationSpec(state, name);
  if (policy) return mixedSpec(state, current, policy);
  return template && launchTemplateSpec(state, template);
}

function launchConfigurationSpec(state: State, name: string): LaunchSpec {
  if (!state.launchConfigurations.has(name))
    throw validationError(`Launch configuration name not found - Launch configuration ${name} not found`);
  return { kind: 'launch-configuration', name };
}

/**
 * Auto Scaling tries a template out before it takes it:
 * https://github.com/Genaker/TerraformMagentoCloud/issues/21
 */
function launchTemplateSpec(state: State, specification: LaunchTemplateSpecification): LaunchSpec {
  const spec = { kind: 'launch-template', ...requestedTemplate(state, specification) } as const;
  const [launch] = launchesOf(state, spec);
  const problem = launchProblem(state, launch);
  if (problem === undefined) return spec;
  throw validationError(`You must use a valid fully-formed launch template. ${problem}`);
}

/** What is left out stays as it was; a list of overrides is all of them. */
function mixedSpec(state: State, current: LaunchSpec | undefined, policy: MixedInstancesPolicy): LaunchSpec {
  const before = current?.kind === 'mixed-instances' ? current : undefined;
  const { LaunchTemplateSpecification: specification, Overrides } = policy.LaunchTemplate ?? {};
  const base = specification || !before ? requestedTemplate(state, specification ?? {}) : before;
  const overrides = Overrides?.map((override) => requestedOverride(state, override));
  assertValid(overrides ?? []);
  return {
    kind: 'mixed-instances',
    template: base.template,
    version: base.version,
    overrides: overrides ?? before?.overrides ?? [],
    distribution: { ...DEFAULT_DISTRIBUTION, ...before?.distribution, ...policy.InstancesDistribution },
  };
}

function requestedOverride(state: State, override: LaunchTemplateOverrides): Override {
  const { InstanceType, LaunchTemplateSpecification: own, ImageId, WeightedCapacity } = override;
  return {
    instanceType: InstanceType,
    ownTemplate: own && requestedTemplate(state, own),
    imageId: ImageId,
    weightedCapacity: WeightedCapacity,
  };
}

function assertValid(overrides: readonly Override[]) {
  if (overrides.length > MAX_OVERRIDES)
    throw validationError(`A mixed instances policy has at most ${MAX_OVERRIDES} instance types.`);
  const weighted = overrides.filter(({ weightedCapacity }) => weightedCapacity !== undefined);
  if (weighted.length > 0 && weighted.length < overrides.length)
    throw validationError('You must specify weights for all instance types, or for none of them.');
}

function requestedTemplate(state: State, specification: LaunchTemplateSpecification): TemplateReference {
  const { LaunchTemplateId: id, LaunchTemplateName: name, Version: version } = specification;
  // The same words whether neither or both are there: https://github.com/aws/aws-cli/issues/7281
  if ((id === undefined) === (name === undefined))
    throw validationError('Valid requests must contain either launchTemplateId or LaunchTemplateName');
  const template = passOnRefusal(() => findTemplate(state, specification));
  if (resolveVersion(template, version)) return { template, version };
  throw validationError(
    `You must use a valid fully-formed launch template. Could not find the specified version ${version}.`,
  );
}

/** Auto Scaling passes EC2's refusal on under its own code. */
function passOnRefusal<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    if (error instanceof AwsError) throw validationError(error.message);
    throw error;
  }
}
