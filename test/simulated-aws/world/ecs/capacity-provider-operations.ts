import { DescribeCapacityProvidersCommand, type CapacityProvider as Described } from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import {
  describeFargateProvider,
  describeProvider,
  FARGATE_PROVIDERS,
  providerArn,
} from './capacity-providers.ts';
import { findCluster, foundOrMissing, nameOf, PAGE_CODES } from './lookup.ts';
import type { Cluster } from './model.ts';

const MAX_NAMES = 100;

/** Up to 100 of them can be named, and yet a page holds no more than 10. */
export function capacityProviderOperations(state: State): Operation[] {
  const page = createPager<Described>('DescribeCapacityProviders', { default: 10, max: 10, ...PAGE_CODES });

  return [
    on(
      DescribeCapacityProvidersCommand,
      { capacityProviders: 'all', cluster: 'all', include: ['TAGS'], nextToken: 'all', maxResults: 'all' },
      (input) => {
        const { capacityProviders: names, maxResults: limit, nextToken } = input;
        // ledger: describe-providers-most
        assertAtMost(MAX_NAMES, names ?? [], PAGE_CODES.limitCode, 'Capacity providers');
        // ledger: describe-providers-unsupported
        if (input.cluster !== undefined && !state.hasManagedInstances)
          throw new AwsError('UnsupportedFeatureException', 'It is not supported in this Region.');
        const cluster = input.cluster === undefined ? undefined : findCluster(state, input.cluster);
        const visible = visibleProviders(state, cluster);
        const { found, failures } = foundOrMissing(
          names ?? [...visible.keys()],
          (name) => visible.get(nameOf(name)),
          (name) => providerArn(state, name),
        );
        const { items, token } = page(found, { limit, token: nextToken });
        return {
          capacityProviders: [...items],
          failures: nextToken === undefined ? failures : [],
          nextToken: token,
        };
      },
    ),
  ];
}

/**
 * Those of one cluster, or of the whole account. "Managed instances capacity providers are cluster-scoped":
 * whether they are found without their cluster is not documented, so here they aren't.
 */
function visibleProviders(state: State, cluster: Cluster | undefined): ReadonlyMap<string, Described> {
  const own = [...state.capacityProviders.values()].filter(
    ({ provider }) => cluster !== undefined || provider.kind !== 'managed-instances',
  );
  const all = [
    ...own.map(describeProvider),
    ...FARGATE_PROVIDERS.map((name) => describeFargateProvider(state, name)),
  ].map((one) => [one.name ?? '', one] as const);
  return new Map(all.filter(([name]) => cluster === undefined || cluster.capacityProviders.has(name)));
}
