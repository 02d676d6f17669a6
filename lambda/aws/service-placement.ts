import type { CapacityProviderStrategyItem, LaunchType, Service } from '@aws-sdk/client-ecs';
import type { ServicePlacement } from '../core/model/placement.ts';

const ELSEWHERE: readonly (LaunchType | undefined)[] = ['FARGATE', 'EXTERNAL', 'MANAGED_INSTANCES'];

/** Providers that every account has; they have no instances. */
const FARGATE = ['FARGATE', 'FARGATE_SPOT'];

export function isFargate({ capacityProvider = '' }: CapacityProviderStrategyItem): boolean {
  return FARGATE.includes(capacityProvider);
}

/**
 * Where a service's tasks run. With task sets the PRIMARY one says so: unless ECS deploys the service
 * itself, the service names no task definition.
 *
 * @returns undefined for a service whose next tasks run on no EC2 container instance
 */
export function placementOf(service: Service): ServicePlacement | undefined {
  const { taskSets = [], placementConstraints = [] } = service;
  const primary = taskSets.find(({ status }) => status === 'PRIMARY');
  const launchType = service.launchType ?? primary?.launchType;
  const providers = inUse(service.capacityProviderStrategy ?? primary?.capacityProviderStrategy ?? []);
  const isElsewhere = providers.length > 0 && providers.every(isFargate);
  if (isElsewhere || ELSEWHERE.includes(launchType)) return undefined;
  const { subnets } =
    (service.networkConfiguration ?? primary?.networkConfiguration)?.awsvpcConfiguration ?? {};
  return {
    taskDefinition: primary?.taskDefinition ?? service.taskDefinition,
    expressions: placementConstraints.flatMap(({ type, expression }) =>
      type === 'memberOf' && expression !== undefined ? [expression] : [],
    ),
    distinctInstance: placementConstraints.some(({ type }) => type === 'distinctInstance'),
    capacityProviders: providers.flatMap(({ capacityProvider }) => capacityProvider ?? []),
    ...(subnets && { subnetIds: subnets }),
  };
}

/**
 * "Capacity providers with weight of `0` cannot place tasks", unless a base is theirs.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CapacityProviderStrategyItem.html
 */
function inUse(strategy: readonly CapacityProviderStrategyItem[]): readonly CapacityProviderStrategyItem[] {
  const used = strategy.filter(({ weight = 0, base = 0 }) => weight > 0 || base > 0);
  return used.length > 0 ? used : strategy;
}
