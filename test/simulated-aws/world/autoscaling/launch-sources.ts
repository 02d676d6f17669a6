import { anyTypeFor } from '../ec2/instance-types.ts';
import { resolveImageId, resolveVersion, type TemplateData } from '../ec2/launch-templates.ts';
import type { Instance } from '../ec2/model.ts';
import { DEFAULT_SECURITY_GROUP_ID } from '../ec2/security-groups.ts';
import type { State } from '../state.ts';
import type { Group, LaunchedFrom, LaunchSpec, Override, TemplateReference } from './model.ts';

/** What one launch is going to be. */
export interface Launch {
  readonly launchedFrom: LaunchedFrom;
  readonly imageId: string | undefined;
  readonly instanceType: string | undefined;
  /** In base64. */
  readonly userData: string | undefined;
  /** Name or ARN. */
  readonly instanceProfile: string | undefined;
  /** Ids, as it names them, or the VPC's default one. */
  readonly securityGroups: readonly string[];
  readonly blockDeviceMappings: Instance['blockDeviceMappings'];
  /** For what is launched, its volumes too; a launch configuration has none. */
  readonly tagSpecifications: NonNullable<TemplateData['TagSpecifications']>;
  readonly hasOverridesImage: boolean;
  readonly isTerminationProtected: boolean;
  readonly isStopProtected: boolean;
  /** The reservation that its template targets. */
  readonly capacityReservationId?: string | undefined;
  /** The placement group that its template names, by name or id. */
  readonly placementGroup?: string | undefined;
  /** An existing one that it names. */
  readonly networkInterfaceId?: string | undefined;
}

/** Everything a launch spec may launch now; references that lead nowhere are left out. */
export function launchesOf(state: State, spec: LaunchSpec): (Launch | undefined)[] {
  switch (spec.kind) {
    case 'launch-configuration':
      return [fromLaunchConfiguration(state, spec.name)];
    case 'launch-template':
      return [fromTemplate(state, spec)];
    case 'mixed-instances': {
      const { overrides } = spec;
      if (overrides.length === 0) return [fromTemplate(state, spec)];
      return overrides.map((override) => fromTemplate(state, override.ownTemplate ?? spec, override));
    }
  }
}

/**
 * "If a placement group is specified in both the launch template and the Auto Scaling group, the placement
 * group for the Auto Scaling group takes precedence."
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/advanced-settings-for-your-launch-template.html
 */
export const placementGroupOf = (group: Pick<Group, 'placementGroup'>, launch: Launch | undefined) =>
  group.placementGroup ?? launch?.placementGroup;

/** The overrides of a mixed instances policy take turns, whatever its allocation strategies say. */
export function nextLaunch(state: State, group: Group): Launch | undefined {
  const launches = launchesOf(state, group.launchSpec);
  return launches[group.launches++ % launches.length];
}

function fromLaunchConfiguration(state: State, name: string): Launch | undefined {
  const found = state.launchConfigurations.get(name)?.description;
  return (
    found && {
      launchedFrom: { kind: 'launch-configuration', name },
      imageId: found.ImageId,
      instanceType: found.InstanceType,
      userData: found.UserData,
      // Described as an empty string if there is none.
      instanceProfile: found.IamInstanceProfile || undefined,
      securityGroups: orDefault(found.SecurityGroups),
      blockDeviceMappings: (found.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
      tagSpecifications: [],
      hasOverridesImage: false,
      isTerminationProtected: false,
      isStopProtected: false,
    }
  );
}

function fromTemplate(
  state: State,
  { template, version: reference }: TemplateReference,
  override?: Override,
): Launch | undefined {
  const version = resolveVersion(template, reference);
  const imageId = resolveImageId(state, override?.imageId ?? version?.data.ImageId);
  const isByRequirements = override?.requirements !== undefined;
  return (
    version && {
      launchedFrom: { kind: 'launch-template', template, version: version.number },
      imageId,
      instanceType: isByRequirements
        ? anyTypeFor(state.images.get(imageId ?? '')?.architecture)
        : (override?.instanceType ?? version.data.InstanceType),
      userData: version.data.UserData,
      instanceProfile: version.data.IamInstanceProfile?.Arn ?? version.data.IamInstanceProfile?.Name,
      securityGroups: securityGroupsIn(version.data),
      blockDeviceMappings: (version.data.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
      tagSpecifications: version.data.TagSpecifications ?? [],
      hasOverridesImage: override?.imageId !== undefined,
      isTerminationProtected: version.data.DisableApiTermination ?? false,
      isStopProtected: version.data.DisableApiStop ?? false,
      networkInterfaceId: version.data.NetworkInterfaces?.find((each) => each.NetworkInterfaceId)
        ?.NetworkInterfaceId,
      placementGroup: version.data.Placement?.GroupName ?? version.data.Placement?.GroupId,
      capacityReservationId:
        version.data.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId,
    }
  );
}

/** Those of its first network interface, where it names interfaces. */
function securityGroupsIn({ NetworkInterfaces: [first] = [], SecurityGroupIds: ids }: TemplateData) {
  return orDefault(first === undefined ? ids : first.Groups);
}

/**
 * "Default: Amazon EC2 uses the default security group":
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RunInstances.html
 */
const orDefault = (ids: readonly string[] = []) => (ids.length > 0 ? ids : [DEFAULT_SECURITY_GROUP_ID]);

/** Every template that a launch spec refers to. */
export function templatesOf(spec: LaunchSpec): TemplateReference[] {
  if (spec.kind === 'launch-configuration') return [];
  const overrides = spec.kind === 'mixed-instances' ? spec.overrides : [];
  return [spec, ...overrides.flatMap(({ ownTemplate }) => ownTemplate ?? [])];
}
