import { addTemplate } from '../ec2/launch-templates.ts';
import { SECURITY_GROUP_IDS } from '../ec2/security-groups.ts';
import type { GroupOptions, OverrideOptions } from '../group-builder.ts';
import { CONTAINER_INSTANCE_PROFILE, ensureContainerInstanceProfile } from '../iam/instance-profiles.ts';
import type { State } from '../state.ts';
import { buildUserData } from '../user-data-builder.ts';
import { addLaunchConfiguration } from './launch-configurations.ts';
import type { LaunchSpec, Override } from './model.ts';
import { DEFAULT_DISTRIBUTION } from './requested-launch-spec.ts';

const DEFAULT_OVERRIDES: readonly OverrideOptions[] = [
  { instanceType: 'm5.large' },
  { instanceType: 'm5a.large' },
];

export function buildLaunchSpec(state: State, options: GroupOptions): LaunchSpec {
  const kind = options.launchSpec ?? 'launch-configuration';
  ensureContainerInstanceProfile(state);
  if (kind === 'launch-configuration') {
    const name = `${options.name}-launch-configuration`;
    addLaunchConfiguration(state, launchFields(name, options), 'owner');
    return { kind, name };
  }
  const template = buildTemplate(state, `${options.name}-launch-template`, options);
  const { version, overrides = DEFAULT_OVERRIDES } = options;
  if (kind === 'launch-template') return { kind, template, version };
  return {
    kind,
    template,
    version,
    overrides: overrides.map((override, index) => buildOverride(state, options, override, index + 1)),
    distribution: { ...DEFAULT_DISTRIBUTION, ...options.distribution },
  };
}

function buildOverride(
  state: State,
  options: GroupOptions,
  { instanceType, requirements, image, imageReference, template: own, weight }: OverrideOptions,
  number: number,
): Override {
  const name = `${options.name}-override-${number}-launch-template`;
  return {
    instanceType,
    requirements,
    ownTemplate: own && {
      template: buildTemplate(state, name, {
        ...options,
        image: own.image,
        imageReference: undefined,
        instanceType: own.instanceType ?? instanceType,
      }),
      version: own.version,
    },
    imageId: imageReference ?? image?.id,
    weightedCapacity: weight === undefined ? undefined : String(weight),
  };
}

/** As odd as they come: what a copy of a launch configuration must carry over, or drop. */
function launchFields(name: string, options: GroupOptions) {
  return {
    LaunchConfigurationName: name,
    ImageId: options.image.id,
    InstanceType: instanceTypeOf(options),
    SecurityGroups: [...SECURITY_GROUP_IDS],
    UserData: buildUserData(options),
    BlockDeviceMappings: blockDeviceMappings(options),
    InstanceMonitoring: { Enabled: false },
    SpotPrice: '0.05',
    ...(options.cluster !== undefined && { IamInstanceProfile: CONTAINER_INSTANCE_PROFILE }),
    EbsOptimized: true,
    AssociatePublicIpAddress: false,
    PlacementTenancy: 'default',
    MetadataOptions: {
      HttpTokens: 'required',
      HttpPutResponseHopLimit: 2,
      HttpEndpoint: 'enabled',
    } as const,
  };
}

function buildTemplate(state: State, name: string, options: GroupOptions) {
  // A snapshot of one image can't be launched under another, which an override or a parameter may bring.
  const hasOtherImages =
    options.imageReference !== undefined ||
    options.overrides?.some(
      ({ image = options.image, imageReference }) => imageReference ?? image !== options.image,
    );
  return addTemplate(state, name, {
    ImageId: options.imageReference ?? options.image.id,
    InstanceType: instanceTypeOf(options) as 'm5.large',
    SecurityGroupIds: [SECURITY_GROUP_IDS[0]],
    UserData: buildUserData(options),
    BlockDeviceMappings: blockDeviceMappings(options, !hasOtherImages),
    ...(options.cluster !== undefined && { IamInstanceProfile: { Name: CONTAINER_INSTANCE_PROFILE } }),
    ...(options.terminationProtected && { DisableApiTermination: true }),
    ...(options.reservedInTemplate !== undefined && {
      CapacityReservationSpecification: {
        CapacityReservationTarget: { CapacityReservationId: options.reservedInTemplate },
      },
    }),
    ...(options.placementGroupInTemplate && { Placement: options.placementGroupInTemplate }),
    ...(options.launchTags && { TagSpecifications: tagSpecifications(options.launchTags) }),
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
  });
}

const tagSpecifications = (tags: Readonly<Record<string, string>>) =>
  (['instance', 'volume'] as const).map((ResourceType) => ({
    ResourceType,
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  }));

function instanceTypeOf({ instanceType, image }: GroupOptions): string {
  return instanceType ?? (image.architecture === 'arm64' ? 'm6g.large' : 'm5.large');
}

/** What a group's owner has put on a separate volume. */
const DATA_SNAPSHOT = 'snap-0000000000000da7a';

function blockDeviceMappings(
  { image, rootSizeGib = 50, namesRootSnapshot = true }: GroupOptions,
  mayNameSnapshot = true,
) {
  const ebs = { VolumeType: 'gp3' as const, DeleteOnTermination: true };
  const snapshot = mayNameSnapshot && namesRootSnapshot && { SnapshotId: image.rootSnapshotId };
  return [
    {
      DeviceName: image.rootDeviceName,
      Ebs: { ...ebs, ...snapshot, VolumeSize: rootSizeGib, Encrypted: true },
    },
    { DeviceName: '/dev/xvdcz', Ebs: { ...ebs, VolumeSize: 100 } },
    { DeviceName: '/dev/xvdf', Ebs: { ...ebs, SnapshotId: DATA_SNAPSHOT, VolumeSize: 200, Throughput: 250 } },
    ...image.dataVolumes.map(({ deviceName, snapshotId, sizeGib }) => ({
      DeviceName: deviceName,
      Ebs: { ...ebs, SnapshotId: snapshotId, VolumeSize: sizeGib },
    })),
  ];
}
