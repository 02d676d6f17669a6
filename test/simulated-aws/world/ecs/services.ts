import type { AvailabilityZoneRebalancing } from '@aws-sdk/client-ecs';
import type { State } from '../state.ts';
import { newDeployment } from './deployments.ts';
import { invalidParameter } from './lookup.ts';
import type { Cluster, Service } from './model.ts';
import { beginServiceDeployment } from './service-deployments.ts';
import { DEFAULT_DEFINITION, type Definition } from './task-definitions.ts';
import { isRebalanceable } from './zone-eligibility.ts';

export type ServiceSettings = Pick<Service, 'name' | 'desiredCount'> &
  Partial<
    Pick<
      Service,
      | 'strategy'
      | 'launchType'
      | 'deploymentStrategy'
      | 'placementStrategy'
      | 'availabilityZoneRebalancing'
      | 'expressions'
      | 'distinctInstance'
      | 'subnetIds'
      | 'capacityProvider'
      | 'createdWith'
      | 'idleProviders'
      | 'features'
      | 'hasShortArns'
      | 'isLoadBalanced'
      | 'balancer'
      | 'disabledZones'
      | 'mostTargets'
      | 'healthCheckGracePeriodSeconds'
      | 'cpu'
      | 'minimumHealthyPercent'
      | 'maximumPercent'
      | 'isCrashing'
      | 'controller'
      | 'scale'
      | 'deploymentConfiguration'
    >
  > & { readonly definition?: Partial<Definition> };

export function addService(state: State, cluster: Cluster, settings: ServiceSettings): Service {
  const { account, region } = state;
  const isDaemon = settings.strategy === 'DAEMON';
  if (isDaemon && (settings.controller ?? 'ECS') !== 'ECS')
    throw new Error('Daemon services have the controller ECS');
  if (isDaemon && settings.launchType === 'FARGATE') throw new Error('Fargate has no daemon services');
  const definition: Definition = {
    ...DEFAULT_DEFINITION,
    ...(settings.subnetIds && { networkMode: 'awsvpc' }),
    ...settings.definition,
  };
  const service: Service = {
    availabilityZoneRebalancing: 'DISABLED',
    strategy: 'REPLICA',
    launchType: 'EC2',
    deploymentStrategy: 'ROLLING',
    placementStrategy: [],
    expressions: [],
    distinctInstance: false,
    subnetIds: definition.networkMode === 'awsvpc' ? [...state.subnets.keys()] : [],
    capacityProvider: undefined,
    createdWith: undefined,
    idleProviders: [],
    features: [],
    hasShortArns: false,
    isLoadBalanced: false,
    balancer: 'application',
    disabledZones: new Set(),
    mostTargets: 1000,
    healthCheckGracePeriodSeconds: 0,
    cpu: 128,
    minimumHealthyPercent: isDaemon ? 0 : 100,
    maximumPercent: isDaemon ? 100 : 200,
    isCrashing: false,
    controller: 'ECS',
    scale: 100,
    deploymentConfiguration: {},
    ...settings,
    definition,
    arn: `arn:aws:ecs:${region}:${account}:service/${cluster.name}/${settings.name}`,
    cluster,
    createdAtMs: state.clock.now(),
    status: 'ACTIVE',
    crashes: 0,
    isBackingOff: false,
    tasks: new Set(),
    healthyCount: 0,
    deployment: newDeployment(state, 1),
    revisions: 1,
    serviceDeployments: [],
    isStarved: false,
    isReconcileScheduled: false,
    isSteady: false,
    zoneRebalance: undefined,
    isZoneLookScheduled: false,
    events: [],
  };
  setZoneRebalancing(service, settings.availabilityZoneRebalancing ?? defaultZoneRebalancing(service));
  beginServiceDeployment(state, service);
  cluster.services.set(service.name, service);
  return service;
}

/**
 * "When no value is specified …, Amazon ECS defaults the value to ENABLED", where it can.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CreateService.html
 */
function defaultZoneRebalancing(service: Service): AvailabilityZoneRebalancing {
  return isRebalanceable(service) ? 'ENABLED' : 'DISABLED';
}

function setZoneRebalancing(service: Service, to: AvailabilityZoneRebalancing) {
  // ledger: create-service-zones
  if (to === 'ENABLED' && !isRebalanceable(service))
    throw invalidParameter(`${service.name} can't be rebalanced across zones`);
  service.availabilityZoneRebalancing = to;
}

/** By UpdateService, which begins no deployment for it. */
export function changeZoneRebalancing(state: State, service: Service, to: AvailabilityZoneRebalancing) {
  setZoneRebalancing(service, to);
  if (service.isSteady) state.emit({ kind: 'service-steady', service });
}
