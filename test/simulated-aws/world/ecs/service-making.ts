import {
  CreateServiceCommand,
  type CreateServiceRequest,
  DeleteServiceCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { buildService, type ServiceOptions } from '../service-builder.ts';
import type { State } from '../state.ts';
import { startDeployment } from './deployments.ts';
import { findCluster, findService, invalidParameter } from './lookup.ts';
import type { Service } from './model.ts';
import { assertPlaceable, ZONE_ATTRIBUTE } from './placement-ranking.ts';
import { findDefinition, needsOf } from './registered-definitions.ts';
import { deleteService } from './service-deletion.ts';
import { describeService } from './service-descriptions.ts';
import { changeZoneRebalancing } from './services.ts';
import { touchService } from './touch.ts';

/** Hooks of a deployment's stages are called by nothing here. */
const DEPLOYMENT_CONFIGURATION = {
  minimumHealthyPercent: 'all',
  maximumPercent: 'all',
  strategy: 'all',
  bakeTimeInMinutes: 'all',
  alarms: 'all',
  deploymentCircuitBreaker: 'all',
  linearConfiguration: 'all',
  canaryConfiguration: 'all',
} as const;

/** Nothing here returns its tags. */
const CREATION = {
  cluster: 'all',
  serviceName: 'all',
  taskDefinition: 'all',
  desiredCount: 'all',
  launchType: ['EC2'],
  capacityProviderStrategy: { capacityProvider: 'all', weight: [0, 1], base: [0] },
  placementStrategy: {
    type: ['spread', 'binpack'],
    field: ['instanceId', 'host', ZONE_ATTRIBUTE, 'cpu', 'CPU'],
  },
  availabilityZoneRebalancing: 'all',
  deploymentConfiguration: DEPLOYMENT_CONFIGURATION,
  tags: 'all',
} as const;

const UPDATE = {
  cluster: 'all',
  service: 'all',
  desiredCount: 'all',
  forceNewDeployment: 'all',
  availabilityZoneRebalancing: 'all',
} as const;

/** Replica services of one capacity provider or of type EC2, whose task definition has their own name. */
export function serviceMaking(state: State): Operation[] {
  return [
    on(CreateServiceCommand, CREATION, (input) => {
      const cluster = findCluster(state, input.cluster);
      const earlier = cluster.services.get(input.serviceName ?? '');
      // ledger: create-service-twice
      if (earlier && earlier.status !== 'INACTIVE')
        throw invalidParameter('Creation of service was not idempotent.');
      const service = buildService(state, cluster.name, { ...settingsOf(state, input), isSteady: false });
      return { service: describeService(state, service) };
    }),

    on(UpdateServiceCommand, UPDATE, (input) => {
      const service = findService(findCluster(state, input.cluster), input.service ?? '');
      assertActive(service);
      service.desiredCount = input.desiredCount ?? service.desiredCount;
      const { availabilityZoneRebalancing: zones } = input;
      if (zones) changeZoneRebalancing(state, service, zones);
      if (input.forceNewDeployment) startDeployment(state, service);
      state.emit({ kind: 'service-changed', service, cause: 'call' });
      touchService(state, service);
      return { service: describeService(state, service) };
    }),

    on(DeleteServiceCommand, 'all', (input) => {
      const service = findService(findCluster(state, input.cluster), input.service ?? '');
      // ledger: delete-service-inactive
      if (service.status === 'INACTIVE') throw notActive();
      // ledger: delete-service-scaled
      if (service.desiredCount > 0 && !input.force)
        throw invalidParameter('The service cannot be stopped while it is scaled above 0.');
      deleteService(state, service, 'call');
      return { service: describeService(state, service) };
    }),
  ];
}

function settingsOf(state: State, input: CreateServiceRequest): ServiceOptions {
  const { serviceName: name = '', desiredCount = 0, placementStrategy = [] } = input;
  const definition = findDefinition(state, input.taskDefinition ?? '');
  if (definition.family !== name) throw unsimulated('a task definition of another name than the service');
  assertPlaceable(placementStrategy);
  const settings = { name, desiredCount, placementStrategy, ...providersOf(input) };
  const { availabilityZoneRebalancing } = input;
  return {
    ...settings,
    ...needsOf(definition),
    ...deploymentOf(input),
    ...(availabilityZoneRebalancing && { availabilityZoneRebalancing }),
  };
}

function deploymentOf({ deploymentConfiguration = {} }: CreateServiceRequest) {
  const { minimumHealthyPercent = 100, maximumPercent = 200, ...others } = deploymentConfiguration;
  const { strategy: deploymentStrategy = 'ROLLING', ...rest } = others;
  return { minimumHealthyPercent, maximumPercent, deploymentStrategy, deploymentConfiguration: rest };
}

function assertActive({ status }: Service) {
  // ledger: update-service-inactive
  if (status !== 'ACTIVE') throw notActive();
}

/** "If you specify multiple capacity providers in a strategy that all have a weight of `0`", it fails. */
function providersOf({ capacityProviderStrategy: strategy = [] }: CreateServiceRequest) {
  const [first, ...others] = strategy.filter(({ weight = 0 }) => weight > 0);
  if (others.length > 0) throw unsimulated('a strategy of several capacity providers in use');
  // ledger: create-service-weights
  if (strategy.length > 0 && first === undefined)
    throw invalidParameter('The capacity provider strategy needs a weight greater than 0.');
  const idleProviders = strategy.flatMap((each) => (each === first ? [] : (each.capacityProvider ?? [])));
  return { capacityProvider: first?.capacityProvider, idleProviders };
}

const unsimulated = (what: string) =>
  new AwsError('NotImplemented', `ecs.CreateService with ${what} is not simulated`, 501);

const notActive = () => new AwsError('ServiceNotActiveException', 'Service was not ACTIVE.');
