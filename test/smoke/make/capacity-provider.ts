import { SetDesiredCapacityCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateCapacityProviderCommand,
  DeleteCapacityProviderCommand,
  DescribeCapacityProvidersCommand,
  PutClusterCapacityProvidersCommand,
} from '@aws-sdk/client-ecs';
import { theGroup } from '../found.ts';
import { ECS_TAGS, MEMBERS, NAME, PROVIDER } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';
import { findCluster, findOwnCluster } from './cluster.ts';

const REGISTERED = { what: 'both instances in the cluster', seconds: 900, everySeconds: 10 };
/** ECS refuses what it is asked for while the cluster is UPDATE_IN_PROGRESS. */
const ATTACHED = { what: "the cluster's capacity providers", seconds: 300, everySeconds: 5 };

export const capacityProviderStep: Step = {
  name: 'capacity provider',
  makes: `the capacity provider ${PROVIDER}, with managed scaling and managed draining`,
  cents: 0,
  minutes: 4,
  async make(smoke) {
    const { AutoScalingGroupARN: arn } = await theGroup(smoke);
    await smoke.aws.ecs.send(
      new CreateCapacityProviderCommand({
        name: PROVIDER,
        tags: ECS_TAGS,
        autoScalingGroupProvider: {
          autoScalingGroupArn: arn,
          managedScaling: { status: 'ENABLED', targetCapacity: 100 },
          managedTerminationProtection: 'DISABLED',
          managedDraining: 'ENABLED',
        },
      }),
    );
    await attach(smoke, [PROVIDER]);
    const desired = { AutoScalingGroupName: NAME, DesiredCapacity: MEMBERS };
    await smoke.aws.autoScaling.send(new SetDesiredCapacityCommand(desired));
    await secondsUntil(smoke, REGISTERED, async () => {
      const cluster = await findCluster(smoke);
      return cluster?.registeredContainerInstancesCount === MEMBERS;
    });
  },
  async remove(smoke) {
    if ((await findOwnCluster(smoke)) !== undefined) await attach(smoke, []);
    if (!(await isThere(smoke))) return [];
    await smoke.aws.ecs.send(new DeleteCapacityProviderCommand({ capacityProvider: PROVIDER }));
    return [`capacity provider ${PROVIDER}`];
  },
};

async function attach(smoke: Smoke, capacityProviders: string[]) {
  const providers = { capacityProviders, defaultCapacityProviderStrategy: [] };
  await smoke.aws.ecs.send(new PutClusterCapacityProvidersCommand({ cluster: NAME, ...providers }));
  await secondsUntil(smoke, ATTACHED, async () => {
    const status = (await findCluster(smoke))?.attachmentsStatus;
    return status !== 'UPDATE_IN_PROGRESS';
  });
}

async function isThere({ aws }: Smoke): Promise<boolean> {
  const { capacityProviders = [] } = await aws.ecs.send(
    new DescribeCapacityProvidersCommand({ capacityProviders: [PROVIDER] }),
  );
  return capacityProviders.some(({ status }) => status !== 'INACTIVE');
}
