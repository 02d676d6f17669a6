import type {
  Activity,
  AvailabilityZoneImpairmentPolicy,
  CapacityReservationSpecification,
  InstanceRefresh,
  InstanceRequirements,
  InstancesDistribution,
  LaunchConfiguration as LaunchConfigurationDescription,
} from '@aws-sdk/client-auto-scaling';
import type { Instance, LaunchTemplate, Maker } from '../ec2/model.ts';
import type { Zone } from '../ec2/subnets.ts';
import type { PolicySettings } from './scaling-policies.ts';

export interface TemplateReference {
  readonly template: LaunchTemplate;
  /** A number, `$Latest`, `$Default`, or none, which means `$Default`. */
  readonly version: string | undefined;
}

/** What a group launches from, referred to in the way its owner chose. */
export type LaunchSpec =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | (TemplateReference & { readonly kind: 'launch-template' })
  | (TemplateReference & {
      readonly kind: 'mixed-instances';
      /** None: what the template says is launched. */
      readonly overrides: readonly Override[];
      readonly distribution: InstancesDistribution;
    });

/** One of the ways in which a mixed instances policy launches. */
export interface Override {
  readonly instanceType: string | undefined;
  /** What a type must have, in place of a type. */
  readonly requirements: InstanceRequirements | undefined;
  /** In place of the policy's template. */
  readonly ownTemplate: TemplateReference | undefined;
  /** In place of the template's image: an id, or `resolve:ssm:` and a parameter. */
  readonly imageId: string | undefined;
  readonly weightedCapacity: string | undefined;
}

/** What one member was launched from, with the version as a number. */
export type LaunchedFrom =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | {
      readonly kind: 'launch-template';
      readonly template: LaunchTemplate;
      readonly version: number;
    };

export interface LaunchConfiguration {
  /** As DescribeLaunchConfigurations answers it, empty strings and all. */
  readonly description: LaunchConfigurationDescription & {
    readonly LaunchConfigurationName: string;
    readonly ImageId: string;
    readonly InstanceType: string;
  };
  readonly madeBy: Maker;
}

/** What a lifecycle hook can hold a member in. */
type HeldState = 'Pending' | 'Terminating' | 'Warmed:Pending' | 'Warmed:Terminating' | 'ReplacingRootVolume';

export type LifecycleState =
  | HeldState
  | `${HeldState}:${'Wait' | 'Proceed'}`
  | 'Terminating:Retained'
  | 'Warmed:Pending:Retained'
  | 'RootVolumeReplaced'
  | 'InService'
  | 'EnteringStandby'
  | 'Standby'
  | 'Detaching'
  | 'Warmed:Stopped'
  | 'Warmed:Running';

/** An instance of a group, or of its warm pool. */
export interface Member {
  readonly instance: Instance;
  /** None: it was attached. */
  readonly launchedFrom: LaunchedFrom | undefined;
  /** The override that it was launched by names an image. */
  readonly hasOverridesImage: boolean;
  lifecycleState: LifecycleState;
  healthStatus: 'Healthy' | 'Unhealthy';
  /** A health check fails, which one; its status shows that unless the process HealthCheck is suspended. */
  failsHealthCheck: string | false;
  /** When it last came into service, in milliseconds since 1970. */
  inServiceAtMs?: number;
  isProtectedFromScaleIn: boolean;
}

export interface GroupTag {
  readonly value: string;
  readonly propagatesAtLaunch: boolean;
}

export interface LifecycleHook {
  readonly name: string;
  readonly transition: 'launching' | 'terminating';
  /** How long it holds an instance without a heartbeat. */
  readonly seconds: number;
  /** What holds where nobody has said anything by then. */
  readonly defaultResult: 'CONTINUE' | 'ABANDON';
  readonly metadata?: string | undefined;
}

export interface WarmPool {
  readonly minSize: number;
  /** Its MaxGroupPreparedCapacity. Undefined: the group's maximum, whatever that is by then. */
  readonly maxPrepared: number | undefined;
  /** Its instance reuse policy: a scale-in returns members to it. */
  readonly reusesOnScaleIn: boolean;
  readonly state: 'Stopped' | 'Running';
  readonly members: Map<string, Member>;
  isRefillScheduled: boolean;
}

export interface Group {
  readonly name: string;
  /** Its CapacityReservationSpecification, which comes before that of its template. */
  readonly reservations?: CapacityReservationSpecification | undefined;
  /** The name of the one that it launches into, which comes before that of its template. */
  readonly placementGroup?: string | undefined;
  /** Its AvailabilityZoneDistribution. Undefined: AWS's default, `balanced-best-effort`. */
  readonly zoneDistribution?: 'balanced-only' | 'reservations-then-balanced' | undefined;
  readonly arn: string;
  readonly createdAtMs: number;
  /**
   * The ECS cluster that the user data of its first launch spec name: the one its owner wants its instances
   * in, whatever they are launched from later.
   */
  readonly clusterName: string | undefined;
  zones: readonly Zone[];
  /** The service principal that alone may change it. */
  readonly operator: string | undefined;
  /** Those of the warm pool are not among them. */
  readonly members: Map<string, Member>;
  readonly warmPool: WarmPool | undefined;
  readonly tags: Map<string, GroupTag>;
  readonly suspendedProcesses: Set<string>;
  readonly targetGroupArns: Set<string>;
  /** Classic load balancers. */
  readonly loadBalancerNames: Set<string>;
  /** `ELB`: a member that its load balancers find unhealthy is replaced. */
  healthCheckType: 'EC2' | 'ELB';
  /** For how long a member that has come into service isn't found Unhealthy. */
  healthCheckGraceSeconds: number;
  /** This and the warm-up are for scaling policies alone. */
  defaultCooldownSeconds: number;
  defaultWarmupSeconds: number | undefined;
  /** What its sizes count. Here they are in units whatever it says. */
  capacityType: 'units' | 'vcpu' | 'memory-mib' | undefined;
  /** New members are protected from scale-in. */
  protectsNewInstances: boolean;
  readonly lifecycleHooks: LifecycleHook[];
  readonly scalingPolicies: PolicySettings[];
  /** Allows zonal shifts, and says what becomes of who is unhealthy in their zone. */
  impairmentPolicy: AvailabilityZoneImpairmentPolicy | undefined;
  /** The zone, by name, that an active zonal shift moves away from. No call shows it. */
  shiftedZone: string | undefined;
  /** Its instance lifecycle policy keeps instances whose terminate hook was abandoned. */
  retainsAbandoned: boolean;
  /** Newest first, as they are described. */
  readonly activities: Activity[];
  readonly instanceRefreshes: InstanceRefresh[];
  launchSpec: LaunchSpec;
  minSize: number;
  maxSize: number;
  desiredCapacity: number;
  /** What last changed the desired capacity, as the activities that come of it tell; empty once they have. */
  resizedBy: string;
  isReconcileScheduled: boolean;
  /** Launches tried since the group was created; overrides take turns by it. */
  launches: number;
  /** A test's: the next launches fail with this message, of one image alone where that is named. */
  launchFault: { readonly message: string; readonly imageId: string | undefined; left: number } | undefined;
  isRebalanceScheduled: boolean;
  /** What was launched beyond the desired capacity, until another is ended for it. */
  newcomer: Member | undefined;
  /** The one that ends for the newcomer. None: one of the fullest zone. */
  outgoing: Member | undefined;
  /** Its instance maintenance policy has at least 100 % healthy, and more than that at most. */
  launchesFirst: boolean;
}
