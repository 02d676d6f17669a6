import {
  CreateServiceCommand,
  type CreateServiceRequest,
  DeleteServiceCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../operation.ts';
import { buildService } from '../service-builder.ts';
import type { State } from '../state.ts';
import { findCluster, findService, invalidParameter } from './lookup.ts';
import type { Service } from './model.ts';
import { findDefinition, needsOf } from './registered-definitions.ts';
import { deleteService } from './service-deletion.ts';
import { describeService } from './service-descriptions.ts';
import { touchService } from './touch.ts';

/** Its tags are told by nothing here. */
const CREATION = {
  cluster: 'all',
  serviceName: 'all',
  taskDefinition: 'all',
  desiredCount: 'all',
  launchType: ['EC2'],
  capacityProviderStrategy: { capacityProvider: 'all', weight: [1], base: [0] },
  placementStrategy: { type: ['spread'], field: ['instanceId'] },
  deploymentConfiguration: { minimumHealthyPercent: 'all', maximumPercent: 'all' },
  tags: 'all',
} as const;

/** Replica services of one capacity provider or of type EC2, whose task definition has their own name. */
export function serviceMaking(state: State): Operation[] {
  return [
    on(CreateServiceCommand, CREATION, (input) => {
      const cluster = findCluster(state, input.cluster);
      const { serviceName: name = '', desiredCount = 0, deploymentConfiguration: bounds } = input;
      if (cluster.services.get(name)?.status === 'ACTIVE')
        throw invalidParameter('Creation of service was not idempotent.');
      const definition = findDefinition(state, input.taskDefinition ?? '');
      if (definition.family !== name) throw unsimulated('a task definition of another name than the service');
      const service = buildService(state, cluster.name, {
        name,
        desiredCount,
        ...needsOf(definition),
        capacityProvider: providerOf(input),
        placementStrategy: input.placementStrategy ?? [],
        minimumHealthyPercent: bounds?.minimumHealthyPercent ?? 100,
        maximumPercent: bounds?.maximumPercent ?? 200,
        isSteady: false,
      });
      return { service: describeService(state, service) };
    }),

    on(UpdateServiceCommand, { cluster: 'all', service: 'all', desiredCount: 'all' }, (input) => {
      const service = findService(findCluster(state, input.cluster), input.service ?? '');
      assertActive(service);
      service.desiredCount = input.desiredCount ?? service.desiredCount;
      state.emit({ kind: 'service-changed', service });
      touchService(state, service);
      return { service: describeService(state, service) };
    }),

    on(DeleteServiceCommand, 'all', (input) => {
      const service = findService(findCluster(state, input.cluster), input.service ?? '');
      if (service.status === 'INACTIVE') throw notActive();
      if (service.desiredCount > 0 && !input.force)
        throw invalidParameter('The service cannot be stopped while it is scaled above 0.');
      deleteService(state, service);
      return { service: describeService(state, service) };
    }),
  ];
}

function assertActive({ status }: Service) {
  if (status !== 'ACTIVE') throw notActive();
}

function providerOf({ capacityProviderStrategy: strategy = [] }: CreateServiceRequest): string | undefined {
  const [first, ...others] = strategy;
  if (others.length > 0) throw unsimulated('a strategy of several capacity providers');
  return first?.capacityProvider;
}

const unsimulated = (what: string) =>
  new AwsError('NotImplemented', `ecs.CreateService with ${what} is not simulated`, 501);

const notActive = () => new AwsError('ServiceNotActiveException', 'Service was not ACTIVE.');
