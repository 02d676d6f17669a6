import type { LaunchType, Service } from '@aws-sdk/client-ecs';
import type { ServicePlacement } from '../core/model/placement.ts';

const ELSEWHERE: readonly (LaunchType | undefined)[] = ['FARGATE', 'EXTERNAL', 'MANAGED_INSTANCES'];

/**
 * Where a service's tasks run. With task sets the PRIMARY one says so: unless ECS deploys the service
 * itself, the service names no task definition.
 *
 * @returns undefined for a service that doesn't run on EC2 container instances
 */
export function placementOf(service: Service): ServicePlacement | undefined {
  const { taskSets = [], placementConstraints = [] } = service;
  const primary = taskSets.find(({ status }) => status === 'PRIMARY');
  const launchType = service.launchType ?? primary?.launchType;
  if (ELSEWHERE.includes(launchType)) return undefined;
  const { subnets } =
    (service.networkConfiguration ?? primary?.networkConfiguration)?.awsvpcConfiguration ?? {};
  const strategy = service.capacityProviderStrategy ?? primary?.capacityProviderStrategy ?? [];
  return {
    taskDefinition: primary?.taskDefinition ?? service.taskDefinition,
    expressions: placementConstraints.flatMap(({ type, expression }) =>
      type === 'memberOf' && expression !== undefined ? [expression] : [],
    ),
    distinctInstance: placementConstraints.some(({ type }) => type === 'distinctInstance'),
    capacityProviders: strategy.flatMap(({ capacityProvider }) => capacityProvider ?? []),
    ...(subnets && { subnetIds: subnets }),
  };
}
