import { CreateCapacityProviderCommand, DeleteCapacityProviderCommand } from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { describeProvider, makeCapacityProvider } from './capacity-providers.ts';
import { invalidParameter, nameOf } from './lookup.ts';

/** Nothing here returns its tags. */
const CREATION = {
  name: 'all',
  tags: 'all',
  autoScalingGroupProvider: {
    autoScalingGroupArn: 'all',
    managedScaling: {
      status: 'all',
      targetCapacity: 'all',
      minimumScalingStepSize: 'all',
      maximumScalingStepSize: 'all',
    },
    managedTerminationProtection: 'all',
    managedDraining: 'all',
  },
} as const;

/** Of Auto Scaling groups alone. */
export function capacityProviderMaking(state: State): Operation[] {
  return [
    on(CreateCapacityProviderCommand, CREATION, ({ name = '', autoScalingGroupProvider: given }) => {
      assertName(state, name);
      // ledger: create-provider-group
      if (!given) throw invalidParameter('An Auto Scaling group provider is required.');
      const { managedScaling: scaling } = given;
      const made = makeCapacityProvider(state, {
        name,
        group: nameOf(given.autoScalingGroupArn ?? ''),
        managedScaling: scaling?.status ?? 'DISABLED',
        targetCapacity: scaling?.targetCapacity,
        minimumScalingStepSize: scaling?.minimumScalingStepSize,
        maximumScalingStepSize: scaling?.maximumScalingStepSize,
        managedTerminationProtection: given.managedTerminationProtection,
        managedDraining: given.managedDraining,
      });
      return { capacityProvider: describeProvider(made) };
    }),

    on(DeleteCapacityProviderCommand, { capacityProvider: 'all' }, ({ capacityProvider: reference = '' }) => {
      const found = state.capacityProviders.get(nameOf(reference));
      // ledger: delete-provider-unknown
      if (!found) throw new AwsError('ClientException', 'The specified capacity provider does not exist.');
      // ledger: delete-provider-of-cluster
      if (found.cluster)
        throw new AwsError(
          'ClientException',
          'The specified capacity provider is in use and cannot be removed.',
        );
      state.capacityProviders.delete(found.name);
      return { capacityProvider: { ...describeProvider(found), status: 'INACTIVE' as const } };
    }),
  ];
}

/**
 * "The name can't be prefixed with aws, ecs, or fargate":
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CreateCapacityProvider.html
 */
function assertName({ capacityProviders }: State, name: string) {
  // ledger: create-provider-name
  if (!/^(?!aws|ecs|fargate)[\w-]{1,255}$/i.test(name))
    throw invalidParameter('The specified capacity provider name is invalid.');
  // ledger: create-provider-twice
  if (capacityProviders.has(name))
    throw invalidParameter('A capacity provider with the specified name already exists.');
}
