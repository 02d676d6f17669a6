import type { CapacityProvider as Described } from '@aws-sdk/client-ecs';
import { findGroup } from '../autoscaling/groups.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { findCluster } from './lookup.ts';
import { hookGroup } from './managed-draining.ts';
import { scaleByDemand } from './managed-scaling.ts';
import type { CapacityProvider, Cluster } from './model.ts';

type Switch = 'ENABLED' | 'DISABLED';

interface ProviderSettings {
  readonly name: string;
  /** The Auto Scaling group's name. Default: ECS Managed Instances, which are in no group. */
  readonly group?: string;
  /** Default: ENABLED. */
  readonly managedScaling?: Switch;
  /** In percent. Default: 100. */
  readonly targetCapacity?: number;
  /** Most instances, and fewest, that a scale-out adds. */
  readonly maximumScalingStepSize?: number;
  readonly minimumScalingStepSize?: number;
  /**
   * Without effect unless the group protects its new instances, and its scaling is managed. Default:
   * DISABLED.
   */
  readonly managedTerminationProtection?: Switch;
  /** Its hook on the group is carried out. Default: ENABLED. */
  readonly managedDraining?: Switch;
}

export interface CapacityProviderOptions extends ProviderSettings {
  readonly cluster: string;
  /**
   * Whether ECS counts instances that were detached from the group, of which AWS says nothing. Default: no.
   */
  readonly countsDetached?: boolean;
}

/**
 * As if it had been there before the group's instances: those that came first may or may not be counted to
 * it.
 */
export function addCapacityProvider(
  state: State,
  { cluster, countsDetached, ...options }: CapacityProviderOptions,
): CapacityProvider {
  const made = makeCapacityProvider(state, options);
  associate(state, made, findCluster(state, cluster), { countsDetached, adoptsInstances: true });
  return made;
}

/** Without a cluster, it does nothing. */
export function makeCapacityProvider(state: State, options: ProviderSettings): CapacityProvider {
  const { name } = options;
  const provider = providerOf(state, options);
  const made: CapacityProvider = { name, arn: providerArn(state, name), cluster: undefined, provider };
  state.capacityProviders.set(name, made);
  return made;
}

interface Association {
  readonly countsDetached?: boolean | undefined;
  /** Whether instances that are registered already become the provider's. */
  readonly adoptsInstances: boolean;
}

/** From now on it scales and drains for the cluster. */
export function associate(
  state: State,
  capacityProvider: CapacityProvider,
  cluster: Cluster,
  { countsDetached = false, adoptsInstances }: Association,
) {
  const { name, provider } = capacityProvider;
  capacityProvider.cluster = cluster;
  cluster.capacityProviders.add(name);
  if (provider.kind !== 'auto-scaling-group') return;
  const { group, settings } = provider;
  // ECS marks the group for itself:
  // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/asg-capacity-providers.html
  if (settings.managedDraining === 'ENABLED') hookGroup(group);
  group.tags.set('AmazonECSManaged', { value: '', propagatesAtLaunch: true });
  if (adoptsInstances)
    for (const one of cluster.containerInstances.values())
      if (one.instance.launchedBy === group) one.capacityProviderName = name;
  scaleByDemand(state, { provider: capacityProvider, cluster, group, settings, countsDetached });
}

function providerOf(state: State, options: ProviderSettings): CapacityProvider['provider'] {
  if (options.group === undefined)
    return {
      kind: 'managed-instances',
      settings: { infrastructureRoleArn: `arn:aws:iam::${state.account}:role/ecsInfrastructureRole` },
    };
  return {
    kind: 'auto-scaling-group',
    group: findGroup(state, options.group),
    settings: {
      managedScaling: {
        status: options.managedScaling ?? 'ENABLED',
        targetCapacity: options.targetCapacity ?? 100,
        minimumScalingStepSize: options.minimumScalingStepSize ?? 1,
        maximumScalingStepSize: options.maximumScalingStepSize ?? 10_000,
        instanceWarmupPeriod: 300,
      },
      managedTerminationProtection: options.managedTerminationProtection ?? 'DISABLED',
      managedDraining: options.managedDraining ?? 'ENABLED',
    },
  };
}

/**
 * The one that launches what its group launches. An instance that was attached to the group by hand has none.
 */
export function capacityProviderOf(state: State, { launchedBy }: Instance): CapacityProvider | undefined {
  if (!launchedBy) return undefined;
  const all = [...state.capacityProviders.values()];
  return all.find(({ provider }) => provider.kind === 'auto-scaling-group' && provider.group === launchedBy);
}

export const FARGATE_PROVIDERS = ['FARGATE', 'FARGATE_SPOT'] as const;

export const providerArn = (state: State, name: string) =>
  `arn:aws:ecs:${state.region}:${state.account}:capacity-provider/${name}`;

export function describeFargateProvider(state: State, name: (typeof FARGATE_PROVIDERS)[number]): Described {
  return { capacityProviderArn: providerArn(state, name), name, status: 'ACTIVE', type: name };
}

export function describeProvider({ name, arn, cluster, provider }: CapacityProvider): Described {
  const common = { capacityProviderArn: arn, name, status: 'ACTIVE' } as const;
  if (provider.kind === 'managed-instances')
    return {
      ...common,
      type: 'MANAGED_INSTANCES',
      cluster: cluster?.arn,
      managedInstancesProvider: provider.settings,
    };
  return {
    ...common,
    type: 'EC2_AUTOSCALING',
    autoScalingGroupProvider: { autoScalingGroupArn: provider.group.arn, ...provider.settings },
  };
}
