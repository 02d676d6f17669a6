import type {
  Activity,
  LaunchConfiguration as LaunchConfigurationDescription,
  MixedInstancesPolicy,
} from '@aws-sdk/client-auto-scaling';
import type { Instance, LaunchTemplate, Maker } from '../ec2/model.ts';

/** What a group launches from, referred to in the way its owner chose. */
export type LaunchSpec =
  | { readonly kind: 'launch-configuration'; readonly name: string }
  | {
      readonly kind: 'launch-template';
      readonly template: LaunchTemplate;
      /** A number, `$Latest`, `$Default`, or none, which means `$Default`. */
      readonly version: string | undefined;
    }
  | {
      readonly kind: 'mixed-instances';
      readonly template: LaunchTemplate;
      readonly version: string | undefined;
      readonly policy: MixedInstancesPolicy;
    };

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

export type LifecycleState = 'Pending' | 'InService' | 'Standby' | 'Detaching' | 'Terminating';

export interface Member {
  readonly instance: Instance;
  readonly launchedFrom: LaunchedFrom;
  lifecycleState: LifecycleState;
  healthStatus: 'Healthy' | 'Unhealthy';
  isProtectedFromScaleIn: boolean;
}

export interface GroupTag {
  readonly value: string;
  readonly propagatesAtLaunch: boolean;
}

export interface Group {
  readonly name: string;
  readonly arn: string;
  readonly createdAtMs: number;
  /** The ECS cluster that its instances join; to Auto Scaling itself it means nothing. */
  readonly clusterName: string | undefined;
  readonly members: Map<string, Member>;
  readonly tags: Map<string, GroupTag>;
  readonly suspendedProcesses: Set<string>;
  /** Newest first, as they are described. */
  readonly activities: Activity[];
  launchSpec: LaunchSpec;
  minSize: number;
  maxSize: number;
  desiredCapacity: number;
  isReconcileScheduled: boolean;
  /** Launches since the group stands; spreads them over the zones. */
  launches: number;
}
