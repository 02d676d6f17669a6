import type { Clock } from '../clock/clock.ts';
import { DEFAULT_LAUNCH_CONFIGURATION_QUOTA } from './autoscaling/account-limits.ts';
import type { Group, LaunchConfiguration } from './autoscaling/model.ts';
import type { Alarm } from './cloudwatch/alarms.ts';
import { DEFAULT_DELAYS, type Delay, type Delays } from './delays.ts';
import type { Table } from './dynamodb/tables.ts';
import type { CapacityReservation } from './ec2/capacity-reservations.ts';
import type { AllowedImages } from './ec2/image-sight.ts';
import type { Image, Instance, LaunchTemplate } from './ec2/model.ts';
import type { PlacementGroup } from './ec2/placement-groups.ts';
import { createSecurityGroups, type SecurityGroup } from './ec2/security-groups.ts';
import { createStorage, type Storage } from './ec2/storage.ts';
import { createSubnets, type Subnet } from './ec2/subnets.ts';
import type { CapacityProvider, Cluster } from './ecs/model.ts';
import type { RegisteredDefinition } from './ecs/registered-definitions.ts';
import { createLoadBalancing, type LoadBalancing } from './elastic-load-balancing/model.ts';
import { createEventBuses, type EventBus } from './event-bus/buses.ts';
import type { Listener, WorldEvent } from './events.ts';
import type { Forgeries } from './forger-hooks.ts';
import type { InstanceProfile } from './iam/instance-profiles.ts';
import { createKeys, type Keys } from './kms/keys.ts';
import type { AnsweringFunction } from './lambda/functions.ts';
import type { LogGroup } from './logs/log-groups.ts';
import { createIds, createRandom, type Ids } from './random.ts';
import { defaultReadings, type Readings } from './readings.ts';
import type { Topic } from './sns/topics.ts';
import type { Calendar } from './ssm/calendars.ts';
import type { Parameter } from './ssm/parameters.ts';

/** All that the simulated account holds, and how its parts learn what happens. */
export interface State {
  readonly clock: Clock;
  readonly account: string;
  readonly region: string;
  readonly ids: Ids;
  readonly images: Map<string, Image>;
  readonly capacityReservations: Map<string, CapacityReservation>;
  readonly placementGroups: Map<string, PlacementGroup>;
  /** Which of others' images the account allows; undefined: all. */
  allowedImages: AllowedImages | undefined;
  readonly parameters: Map<string, Parameter>;
  /** Change calendars by name. */
  readonly calendars: Map<string, Calendar>;
  readonly subnets: Map<string, Subnet>;
  /** By id. */
  readonly securityGroups: Map<string, SecurityGroup>;
  readonly instances: Map<string, Instance>;
  /** Names of the Availability Zones that have a service disruption. */
  readonly disruptedZones: Set<string>;
  readonly storage: Storage;
  readonly launchTemplates: Map<string, LaunchTemplate>;
  readonly launchConfigurations: Map<string, LaunchConfiguration>;
  readonly groups: Map<string, Group>;
  /** Their activities can still be described. */
  readonly deletedGroups: Group[];
  readonly clusters: Map<string, Cluster>;
  /** Created ones; FARGATE and FARGATE_SPOT always exist. */
  readonly capacityProviders: Map<string, CapacityProvider>;
  /**
   * Registered by calls, by family and revision such as `web:1`; services that a test builds have their own.
   */
  readonly taskDefinitions: Map<string, RegisteredDefinition>;
  readonly loadBalancing: LoadBalancing;
  /** By name. */
  readonly instanceProfiles: Map<string, InstanceProfile>;
  /** By name. */
  readonly alarms: Map<string, Alarm>;
  /** By name; `default` always exists. */
  readonly eventBuses: Map<string, EventBus>;
  /** By ARN. */
  readonly functions: Map<string, AnsweringFunction>;
  /** By name. */
  readonly logGroups: Map<string, LogGroup>;
  /** By ARN. */
  readonly topics: Map<string, Topic>;
  readonly keys: Keys;
  /** By ARN, those of other accounts and Regions among them. */
  readonly tables: Map<string, Table>;
  readonly forgeries: Forgeries;
  /** Accounts made since 2024-10-01 can't create any. */
  allowsLaunchConfigurations: boolean;
  /** How many there may be at most. */
  launchConfigurationQuota: number;
  /** Not all Regions have ECS Managed Instances. */
  hasManagedInstances: boolean;
  /** Until April 1, 2021 an account could do without: what registers then has an ARN without its cluster. */
  hasLongArns: boolean;
  readonly readings: Readings;
  /** Calls `event` after the named delay; if that is 0, once the current event is over. */
  readonly delays: Delays;
  after(delay: Delay, event: () => void): void;
  emit(event: WorldEvent): void;
  subscribe(listener: Listener): () => void;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly delays?: Partial<Delays>;
  readonly account?: string;
  readonly region?: string;
  /** Such as `alias/state`: a KMS key for MACs (HMAC_256) is there from the beginning. Default: no key is. */
  readonly hmacKeyAlias?: string | undefined;
  /** `state.tables` of another world: each reaches the tables of both. */
  readonly tables?: Map<string, Table>;
}

export function createState(options: WorldOptions): State {
  const { clock, seed } = options;
  const delays = { ...DEFAULT_DELAYS, ...options.delays };
  const random = createRandom(seed);
  const listeners = new Set<Listener>();
  const { account = '123456789012', region = 'eu-central-1' } = options;
  const lapseSeconds = (delay: Delay) => {
    const range = delays.ranges[delay];
    if (range !== undefined) return range[0] + (range[1] - range[0]) * random();
    return delays[delay] * (1 + delays.jitterFraction * (2 * random() - 1));
  };
  return {
    clock,
    account,
    region,
    ids: createIds(createRandom(seed)),
    images: new Map(),
    capacityReservations: new Map(),
    placementGroups: new Map(),
    allowedImages: undefined,
    parameters: new Map(),
    calendars: new Map(),
    subnets: createSubnets(region),
    securityGroups: createSecurityGroups(),
    instances: new Map(),
    disruptedZones: new Set(),
    storage: createStorage(),
    launchTemplates: new Map(),
    launchConfigurations: new Map(),
    groups: new Map(),
    deletedGroups: [],
    clusters: new Map(),
    capacityProviders: new Map(),
    taskDefinitions: new Map(),
    loadBalancing: createLoadBalancing(),
    instanceProfiles: new Map(),
    alarms: new Map(),
    eventBuses: createEventBuses({ account, region }),
    keys: createKeys({ account, region }, options.hmacKeyAlias),
    tables: options.tables ?? new Map(),
    functions: new Map(),
    logGroups: new Map(),
    topics: new Map(),
    forgeries: { groups: new Map(), instances: new Set(), events: new Set() },
    allowsLaunchConfigurations: true,
    launchConfigurationQuota: DEFAULT_LAUNCH_CONFIGURATION_QUOTA,
    hasManagedInstances: true,
    hasLongArns: true,
    readings: defaultReadings(),
    delays,
    after(delay, event) {
      clock.schedule(lapseSeconds(delay), event);
    },
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
