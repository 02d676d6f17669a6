import {
  DescribeCapacityProvidersCommand,
  type DescribeCapacityProvidersCommandInput,
} from '@aws-sdk/client-ecs';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const { capacityProvider, cluster } = NAMES;

const describe = (input: DescribeCapacityProvidersCommandInput) => (at: Account) =>
  at.ecs.send(new DescribeCapacityProvidersCommand(input));

export const CAPACITY_PROVIDER_STEPS: readonly Step[] = [
  step('describe a capacity provider', describe({ capacityProviders: [capacityProvider] })),
  step(
    'describe a capacity provider, and one that is unknown',
    describe({ capacityProviders: [capacityProvider, 'unknown'] }),
  ),
  step('describe all capacity providers', describe({})),
  step('describe the capacity providers of a cluster', describe({ cluster })),
  step('describe the capacity providers of an unknown cluster', describe({ cluster: 'unknown' })),
];
