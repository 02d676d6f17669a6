import type { State } from '../state.ts';
import { newDeployment } from './deployments.ts';
import type { Cluster, Service } from './model.ts';
import { DEFAULT_DEFINITION, type Definition } from './task-definitions.ts';

export type ServiceSettings = Pick<Service, 'name' | 'desiredCount'> &
  Partial<
    Pick<
      Service,
      | 'strategy'
      | 'launchType'
      | 'deploymentStrategy'
      | 'placement'
      | 'expressions'
      | 'distinctInstance'
      | 'capacityProvider'
      | 'isLoadBalanced'
      | 'cpu'
      | 'minimumHealthyPercent'
      | 'maximumPercent'
      | 'isCrashing'
      | 'controller'
    >
  > & { readonly definition?: Partial<Definition> };

export function addService(state: State, cluster: Cluster, settings: ServiceSettings): Service {
  const { account, region } = state;
  const isDaemon = settings.strategy === 'DAEMON';
  if (isDaemon && (settings.controller ?? 'ECS') !== 'ECS')
    throw new Error('Daemon services have the controller ECS');
  if (isDaemon && settings.launchType === 'FARGATE') throw new Error('Fargate has no daemon services');
  const service: Service = {
    strategy: 'REPLICA',
    launchType: 'EC2',
    deploymentStrategy: 'ROLLING',
    placement: 'spread',
    expressions: [],
    distinctInstance: false,
    capacityProvider: undefined,
    isLoadBalanced: false,
    cpu: 128,
    minimumHealthyPercent: isDaemon ? 0 : 100,
    maximumPercent: isDaemon ? 100 : 200,
    isCrashing: false,
    controller: 'ECS',
    ...settings,
    definition: { ...DEFAULT_DEFINITION, ...settings.definition },
    arn: `arn:aws:ecs:${region}:${account}:service/${cluster.name}/${settings.name}`,
    cluster,
    createdAtMs: state.clock.now(),
    status: 'ACTIVE',
    crashes: 0,
    isBackingOff: false,
    tasks: new Set(),
    healthyCount: 0,
    deployment: newDeployment(state, 1),
    isStarved: false,
    isReconcileScheduled: false,
    isSteady: false,
    events: [],
  };
  cluster.services.set(service.name, service);
  return service;
}
