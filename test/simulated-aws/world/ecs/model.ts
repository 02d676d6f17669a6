import type {
  AutoScalingGroupProvider,
  AvailabilityZoneRebalancing,
  DeploymentConfiguration,
  DeploymentLifecycleHookStage,
  DeploymentStrategy,
  ManagedInstancesProvider,
  PlacementStrategy,
  ServiceDeploymentStatus,
  TaskStopCode,
} from '@aws-sdk/client-ecs';
import type { Group } from '../autoscaling/model.ts';
import type { Instance } from '../ec2/model.ts';
import type { BalancerKind } from '../elastic-load-balancing/model.ts';
import type { Attributes, FEATURES } from './attributes.ts';
import type { TaskFailure } from './stops.ts';
import type { Definition } from './task-definitions.ts';

export interface Cluster {
  readonly name: string;
  readonly arn: string;
  /** Names of those that are associated with it. */
  readonly capacityProviders: Set<string>;
  /** The INACTIVE ones too, as long as they are visible. */
  readonly containerInstances: Map<string, ContainerInstance>;
  readonly services: Map<string, Service>;
  readonly tags: ReadonlyMap<string, string>;
  /** The STOPPED ones too, as long as they are visible. */
  readonly tasks: Map<string, Task>;
  /** An INACTIVE one is described still, and not found by any other call. */
  status: 'ACTIVE' | 'INACTIVE';
}

/** What a service runs on. A task never lands on a host of another type. */
export type LaunchType = 'EC2' | 'EXTERNAL' | 'FARGATE' | 'MANAGED_INSTANCES';

export interface CapacityProvider {
  readonly name: string;
  readonly arn: string;
  /** None until one is associated with it. */
  cluster: Cluster | undefined;
  readonly provider:
    | {
        readonly kind: 'auto-scaling-group';
        readonly group: Group;
        readonly settings: Omit<AutoScalingGroupProvider, 'autoScalingGroupArn'>;
      }
    | { readonly kind: 'managed-instances'; readonly settings: ManagedInstancesProvider };
}

export interface ContainerInstance {
  readonly arn: string;
  readonly cluster: Cluster;
  /**
   * For a host outside EC2, something that looks like an instance id and isn't among the world's instances.
   */
  readonly instance: Instance;
  readonly launchType: LaunchType;
  capacityProviderName: string | undefined;
  readonly registeredAtMs: number;
  readonly attributes: Attributes;
  readonly cpu: number;
  /** In MiB. */
  readonly memory: number;
  readonly gpus: number;
  /** Of the tasks that hold room. */
  reservedCpu: number;
  /** Tasks that its agent lets wait for room. */
  readonly queue: { readonly task: Task; readonly step: () => void }[];
  /** Those that are not STOPPED. */
  readonly tasks: Set<Task>;
  /** Names of the services whose images have been pulled. */
  readonly pulled: Set<string>;
  /** What waits for the agent to be connected again. */
  readonly parked: (() => void)[];
  /** With trunk interfaces it is REGISTERING first, and DEREGISTERING last. */
  status: ContainerInstanceStatus;
  statusReason: string | undefined;
  agentConnected: boolean;
  /** Its instance's agent uses another registration now, and will never report this one's tasks again. */
  isForsaken: boolean;
  version: number;
}

export type ContainerInstanceStatus =
  | 'REGISTERING'
  | 'REGISTRATION_FAILED'
  | 'ACTIVE'
  | 'DRAINING'
  | 'DEREGISTERING'
  | 'INACTIVE';

export interface Service {
  readonly name: string;
  readonly arn: string;
  readonly cluster: Cluster;
  readonly strategy: 'REPLICA' | 'DAEMON';
  readonly launchType: LaunchType;
  /** How ECS itself deploys it. */
  deploymentStrategy: DeploymentStrategy;
  /** None: spread across zones, and in each across instances. */
  readonly placementStrategy: readonly PlacementStrategy[];
  /** Of its `memberOf` constraints. */
  readonly expressions: readonly string[];
  /** No two of its tasks on one instance. */
  readonly distinctInstance: boolean;
  /** Of its tasks' network interfaces, in `awsvpc` mode. */
  readonly subnetIds: readonly string[];
  /** A capacity provider of its strategy, in place of a launch type. */
  readonly capacityProvider: string | undefined;
  /** The launch type that it was created with, where it has moved to its strategy since. */
  readonly createdWith: LaunchType | undefined;
  /** Others of its strategy, of weight and base 0, which place nothing. */
  readonly idleProviders: readonly string[];
  /** What it asks of its hosts' agents that no task definition tells of. */
  readonly features: readonly (keyof typeof FEATURES)[];
  /** It was created before November 16, 2018: the ARNs of its tasks don't name their cluster. */
  readonly hasShortArns: boolean;
  readonly definition: Definition;
  readonly isLoadBalanced: boolean;
  /** Of which kind its load balancer is, if it has one. One of Application balances across zones. */
  readonly balancer: BalancerKind;
  /** Zones, by name, that its load balancer isn't enabled in. */
  readonly disabledZones: Set<string>;
  /** A quota: its target group takes no more. */
  mostTargets: number;
  /** For so long after a task has started, checks that fail have no consequence. */
  readonly healthCheckGracePeriodSeconds: number;
  /** CPU units of one task. */
  readonly cpu: number;
  readonly createdAtMs: number;
  /** With another than ECS's own, it has task sets in place of deployments. */
  readonly controller: 'ECS' | 'CODE_DEPLOY' | 'EXTERNAL';
  /** Of its task sets, by controller EXTERNAL: in percent of the desired count that it shows. */
  readonly scale: number;
  /** Once deleted, DRAINING until its tasks have stopped. */
  status: 'ACTIVE' | 'DRAINING' | 'INACTIVE';
  /** Of each task set, if it has these. */
  desiredCount: number;
  minimumHealthyPercent: number;
  maximumPercent: number;
  /** Its tasks crash soon after they start. */
  isCrashing: boolean;
  crashes: number;
  /** No new task is started while it is so; ends by an event. */
  isBackingOff: boolean;
  /** Those that are not STOPPED. */
  readonly tasks: Set<Task>;
  /** How many of them serve. */
  healthyCount: number;
  deployment: Deployment;
  /** How many of its task definition there have been. */
  revisions: number;
  deploymentConfiguration: DeploymentSettings;
  /** The latest first. */
  readonly serviceDeployments: ServiceDeployment[];
  availabilityZoneRebalancing: AvailabilityZoneRebalancing;
  /** What is under way of it. */
  zoneRebalance: ZoneRebalance | undefined;
  /** Its zones need a look. */
  isZoneLookScheduled: boolean;
  /** A task found no place. */
  isStarved: boolean;
  isReconcileScheduled: boolean;
  /** The last look found nothing to do, and all that it wants healthy. */
  isSteady: boolean;
  readonly events: { readonly atMs: number; readonly message: string }[];
}

/**
 * Of a service: tasks started in poorer zones beyond the desired count, each with the one that stops for it.
 */
export interface ZoneRebalance {
  readonly deployment: Deployment;
  readonly extras: Map<Task, Task>;
}

export interface Deployment {
  readonly id: string;
  readonly number: number;
  readonly createdAtMs: number;
  /** It isn't over before, however soon its tasks are healthy. */
  heldUntilMs: number;
  /** Its tasks crash as soon as they run. */
  readonly fails: boolean;
  readonly keepsUpEarlier: boolean;
  /** The one before it. */
  readonly earlier?: Deployment;
  /** Whether alarms of the service's make it fail. */
  watchesAlarms: boolean;
  /** Of a rolling update with alarms: once its tasks serve alone. */
  bakesUntilMs?: number;
  updatedAtMs: number;
  /** Tasks of it that have failed one after the other. */
  failedTasks: number;
  /** Of what goes to the service; by a rolling update each task gets its share, which here counts as all. */
  trafficPercent: number;
  readonly stepsToGo: TrafficStep[];
  /** The pause hook that holds it. */
  pause?: Pause;
  /** Stages whose pause hooks have let it go, for this step of the traffic. */
  readonly passed: Set<DeploymentLifecycleHookStage>;
  rolloutState: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  rolloutStateReason: string | undefined;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/pause-lifecycle-hooks.html */
export interface Pause {
  readonly hookId: string;
  readonly stage: DeploymentLifecycleHookStage;
  readonly expiresAtMs: number;
  readonly timeoutAction: 'CONTINUE' | 'ROLLBACK';
}

/** So much of the traffic goes to the new tasks, and then both sets run on for a while. */
export interface TrafficStep {
  readonly percent: number;
  readonly bakeMinutes: number;
}

/** What its owner has set, beside percents and strategy. */
export type DeploymentSettings = Pick<
  DeploymentConfiguration,
  | 'alarms'
  | 'bakeTimeInMinutes'
  | 'canaryConfiguration'
  | 'deploymentCircuitBreaker'
  | 'earlySuccessCriteria'
  | 'lifecycleHooks'
  | 'linearConfiguration'
>;

/** The record of one deployment of a service. */
export interface ServiceDeployment {
  readonly id: string;
  readonly createdAtMs: number;
  readonly target: Deployment;
  status: ServiceDeploymentStatus;
  statusReason: string | undefined;
  finishedAtMs: number | undefined;
  stoppedAtMs: number | undefined;
  rollback: { readonly startedAtMs: number; readonly reason: string | undefined } | undefined;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-lifecycle-explanation.html */
export type TaskStatus =
  | 'PROVISIONING'
  | 'PENDING'
  | 'ACTIVATING'
  | 'RUNNING'
  | 'DEACTIVATING'
  | 'STOPPING'
  | 'DEPROVISIONING'
  | 'STOPPED'
  | 'DELETED';

/** It is on its way to RUNNING. */
export function isStarting({ lastStatus }: Task): boolean {
  return lastStatus === 'PROVISIONING' || lastStatus === 'PENDING' || lastStatus === 'ACTIVATING';
}

/** Nothing of it is left. */
export function hasStopped({ lastStatus }: Task): boolean {
  return lastStatus === 'STOPPED' || lastStatus === 'DELETED';
}

export interface Task {
  readonly arn: string;
  readonly cluster: Cluster;
  readonly containerInstance: ContainerInstance;
  /** None: a standalone task. */
  readonly service: Service | undefined;
  /** `service:web` or `family:report`. */
  readonly group: string;
  readonly family: string;
  readonly cpu: number;
  readonly deployment: Deployment | undefined;
  /** Which of the service's desired tasks it is, which identifies its replacement. */
  readonly slot: number;
  readonly createdAtMs: number;
  startedAtMs: number | undefined;
  /** When it was told to stop, or stopped by itself. */
  stoppingAtMs: number | undefined;
  stoppedAtMs: number | undefined;
  stopCode: TaskStopCode | undefined;
  stoppedReason: string | undefined;
  desiredStatus: 'RUNNING' | 'STOPPED';
  lastStatus: TaskStatus;
  /** ECS places no other in its room. */
  holdsRoom: boolean;
  /** Its agent has set its room aside. */
  isLetIn: boolean;
  /** RUNNING, wanted, and healthy for the service scheduler. */
  isHealthy: boolean;
  /** Its health checks have failed: those of its containers, and those of its load balancer. */
  failsChecks: boolean;
  /** Its target group had no room for it. */
  isUnregistered: boolean;
  /** Its host is gone though ECS does not know it. */
  isLost: boolean;
  /** No list has it yet. */
  isUnlisted: boolean;
  /** The test wants it to. */
  failure: TaskFailure | undefined;
  /** Neither scale-in nor a deployment stops it before. */
  protectedUntilMs: number | undefined;
}

/** Replica tasks are the ones that are moved; daemon tasks come and go with their instance. */
export function isReplicaTask(task: Task): boolean {
  return task.service?.strategy === 'REPLICA';
}
