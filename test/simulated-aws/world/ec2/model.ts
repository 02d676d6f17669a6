import type { BlockDeviceMapping, LaunchTemplateVersion } from '@aws-sdk/client-ec2';
import type { Group, LaunchedFrom } from '../autoscaling/model.ts';
import type { AgentConfiguration } from '../ecs/agent-configuration.ts';
import type { ContainerInstance } from '../ecs/model.ts';
import type { Family } from './families.ts';
import type { PlacementGroup } from './placement-groups.ts';

export interface Image {
  readonly id: string;
  readonly name: string;
  /** Set for the ECS-optimized images that Amazon publishes. */
  readonly family: Family | undefined;
  readonly createdAtMs: number;
  readonly ownerId: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly rootDeviceName: string;
  readonly rootSnapshotId: string;
  readonly rootSizeGib: number;
  /** What it maps besides its root, each from a separate snapshot. */
  readonly dataVolumes: readonly DataVolume[];
  /** Its snapshots are, so that it can't be public. */
  isEncrypted: boolean;
  /** From when on it is hidden from lists, and still launches. */
  deprecatedAtMs: number | undefined;
  state: 'available' | 'pending' | 'failed' | 'disabled' | 'deregistered';
  /** Public, or shared with this account; what the account owns itself needs neither. */
  isShared: boolean;
  /** A provider's that AWS has verified: it goes by the alias `amazon`, as Amazon's own do. */
  readonly isVerified: boolean;
  readonly bootMode: BootMode | undefined;
  /** Which types its owner lets launch it; any if undefined. */
  readonly typeSpecification: TypeSpecification | undefined;
  /** No ECS agent ever comes up on it. */
  isBad: boolean;
  /** What runs containers on it hangs, while its agent comes up: tasks stay PENDING. */
  hasBrokenRuntime: boolean;
  registration: Registration;
  /** Attributes for an agent's abilities that this image's agent lacks; `gpu`: it has no driver. */
  readonly lackedCapabilities: Set<string>;
  /** What its kernel keeps from tasks. */
  readonly kernelMemoryMib: number;
}

export type BootMode = 'legacy-bios' | 'uefi' | 'uefi-preferred';

/** Names of instance types; `*` is any text. An empty list is none. */
export interface TypeSpecification {
  readonly supported?: readonly string[];
  readonly unsupported?: readonly string[];
}

export interface DataVolume {
  readonly deviceName: string;
  readonly snapshotId: string;
  readonly sizeGib: number;
}

/**
 * How agents on it come into their cluster: by one call; by two, of which only the last (or first) is
 * connected; or by way of a trunk interface, which comes, or never comes, or of which nobody hears again.
 */
export type Registration =
  | 'once'
  | 'twice'
  | 'twice-the-first-alive'
  | 'trunked'
  | 'trunk-fails'
  | 'trunk-hangs';

/** `stopped`: as in a warm pool. */
export type InstanceState = 'pending' | 'running' | 'stopped' | 'shutting-down' | 'terminated';

export interface Instance {
  readonly id: string;
  /** Of its root volume. */
  imageId: string;
  readonly instanceType: string;
  /** Its purchase option: Spot, or On-Demand. */
  readonly isSpot: boolean;
  readonly availabilityZone: string;
  /** The last time it was started, as EC2's LaunchTime is. */
  launchedAtMs: number;
  readonly tags: Map<string, string>;
  readonly blockDeviceMappings: readonly BlockDeviceMapping[];
  state: InstanceState;
  /** Changes that name it are answered as if it didn't exist, while lists show it. */
  isUnknownToChanges: boolean;
  /** DisableApiTermination. */
  isTerminationProtected: boolean;
  /** DisableApiStop: it may not be terminated either. */
  isStopProtected: boolean;
  /** The one that it runs in. */
  readonly capacityReservationId?: string | undefined;
  readonly placementGroup?: PlacementGroup | undefined;
  /** An existing one that it was launched with. */
  readonly networkInterfaceId?: string | undefined;
  /** The group that launched it, a member of it or not. */
  readonly launchedBy: Group | undefined;
  readonly launchedFrom: LaunchedFrom | undefined;
  /** The service that runs it on the owner's behalf, such as `ecs.amazonaws.com`. */
  readonly operator: string | undefined;
  containerInstance: ContainerInstance | undefined;
  /** Of its first network interface; none in a subnet for IPv6 alone. */
  readonly privateIpAddress: string | undefined;
  /** Of its subnet: one for each network interface. */
  addresses: number;
  /** Under each ARN that it was ever registered by, the first first. */
  readonly registrations: ContainerInstance[];
  /** In base64. */
  readonly userData: string | undefined;
  /** What its user data configure for its agent. None: no agent comes up. */
  readonly agent: AgentConfiguration | undefined;
  /** Name or ARN, as its launch spec names it. None: whatever runs on it has no credentials. */
  readonly instanceProfile: string | undefined;
  /** Ids. */
  readonly securityGroups: readonly string[];
}

export interface LaunchTemplate {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: Map<number, TemplateVersion>;
  defaultVersion: number;
  /** Numbers are never given twice, not even after the latest was deleted. */
  lastNumber: number;
}

/** Who made it: the test on the owner's behalf, or a call. */
export type Maker = 'owner' | 'call';

export interface TemplateVersion {
  readonly number: number;
  readonly data: NonNullable<LaunchTemplateVersion['LaunchTemplateData']>;
  readonly description: string | undefined;
  readonly createdAtMs: number;
  readonly madeBy: Maker;
  /** It was just made, and nobody finds it yet. */
  isUnseen: boolean;
}

export function isAlive(instance: Instance): boolean {
  return instance.state !== 'shutting-down' && instance.state !== 'terminated';
}
