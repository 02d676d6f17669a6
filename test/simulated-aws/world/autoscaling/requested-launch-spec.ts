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
    // ledger: update-one-launch-spec
    throw validationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName or MixedInstancesPolicy parameter.',
    );
  if (name !== undefined) return launchConfigurationSpec(state, name);
  if (policy) return mixedSpec(state, current, policy);
  return template && launchTemplateSpec(state, template);
}

function launchConfigurationSpec(state: State, name: string): LaunchSpec {
  if (!state.launchConfigurations.has(name))
    // ledger: update-launch-configuration-unknown
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
  // ledger: update-template-tried
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
    distribution: requestedDistribution(before?.distribution, policy.InstancesDistribution),
  };
}

const FIGURES = ['OnDemandBaseCapacity', 'OnDemandPercentageAboveBaseCapacity'] as const;

/**
 * Segments and the two On-Demand figures take each other's place: "Auto Scaling automatically clears
 * distribution segments when you set the legacy fields", and those when segments are added.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/use-distribution-segments.html
 */
function requestedDistribution(
  before: InstancesDistribution | undefined,
  asked: InstancesDistribution = {},
): InstancesDistribution {
  const named = { ...DEFAULT_DISTRIBUTION, ...before, ...asked };
  const namesFigures = FIGURES.some((figure) => asked[figure] !== undefined);
  const cleared: readonly string[] =
    named.DistributionSegments?.length && !namesFigures ? FIGURES : ['DistributionSegments'];
  return Object.fromEntries(Object.entries(named).filter(([name]) => !cleared.includes(name)));
}

function requestedOverride(state: State, override: LaunchTemplateOverrides): Override {
  const {
    InstanceType,
    InstanceRequirements,
    LaunchTemplateSpecification: own,
    ImageId,
    WeightedCapacity,
  } = override;
  assertRequirements(override);
  return {
    instanceType: InstanceType,
    requirements: InstanceRequirements,
    ownTemplate: own && requestedTemplate(state, own),
    imageId: ImageId,
    weightedCapacity: WeightedCapacity,
  };
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRequirements.html */
function assertRequirements({ InstanceType, InstanceRequirements: required }: LaunchTemplateOverrides) {
  if (required === undefined) return;
  const { VCpuCount, MemoryMiB, BareMetal, AllowedInstanceTypes, ExcludedInstanceTypes } = required;
  if (InstanceType)
    // ledger: update-requirements-or-type
    throw validationError('You cannot specify both an instance type and instance requirements.');
  if (VCpuCount?.Min === undefined || MemoryMiB?.Min === undefined)
    // ledger: update-requirements-least
    throw validationError('Instance requirements must have VCpuCount and MemoryMiB, each with a Min.');
  if (AllowedInstanceTypes && ExcludedInstanceTypes)
    // ledger: update-requirements-lists
    throw validationError('You cannot specify both AllowedInstanceTypes and ExcludedInstanceTypes.');
  if (BareMetal !== undefined && !['included', 'excluded', 'required'].includes(BareMetal))
    // ledger: update-requirements-bare-metal
    throw validationError(`'${BareMetal}' is not valid for BareMetal: included, excluded or required.`);
}

function assertValid(overrides: readonly Override[]) {
  if (overrides.length > MAX_OVERRIDES)
    // ledger: update-policy-types
    throw validationError(`A mixed instances policy has at most ${MAX_OVERRIDES} instance types.`);
  const weighted = overrides.filter(({ weightedCapacity }) => weightedCapacity !== undefined);
  if (weighted.length > 0 && weighted.length < overrides.length)
    // ledger: update-policy-weights
    throw validationError('You must specify weights for all instance types, or for none of them.');
}

function requestedTemplate(state: State, specification: LaunchTemplateSpecification): TemplateReference {
  const { LaunchTemplateId: id, LaunchTemplateName: name, Version: version } = specification;
  // The same words whether neither or both are there: https://github.com/aws/aws-cli/issues/7281
  if ((id === undefined) === (name === undefined))
    // ledger: update-template-named
    throw validationError('Valid requests must contain either launchTemplateId or LaunchTemplateName');
  const template = passOnRefusal(() => findTemplate(state, specification));
  if (resolveVersion(template, version)) return { template, version };
  // ledger: update-version-unknown
  throw validationError(
    `You must use a valid fully-formed launch template. Could not find the specified version ${version}.`,
  );
}

/** Auto Scaling passes EC2's refusal on under its own code. */
function passOnRefusal<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    // ledger: update-template-unknown
    if (error instanceof AwsError) throw validationError(error.message);
    throw error;
  }
}
