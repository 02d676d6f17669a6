import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateCapacityProviderCommand,
  CreateClusterCommand,
  CreateServiceCommand,
  PutClusterCapacityProvidersCommand,
  RegisterContainerInstanceCommand,
  RegisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { type Clients, NAMES, present } from './account.ts';

export async function fillCluster(clients: Clients, instances: readonly string[]): Promise<string[]> {
  const { ecs } = clients;
  await ecs.send(new CreateClusterCommand({ clusterName: NAMES.cluster }));
  await createCapacityProvider(clients);
  const arns: string[] = [];
  for (const instance of instances) {
    const instanceIdentityDocument = await identityOf(clients, instance);
    const { containerInstance } = await ecs.send(
      new RegisterContainerInstanceCommand({ cluster: NAMES.cluster, instanceIdentityDocument }),
    );
    arns.push(present(containerInstance?.containerInstanceArn, 'container instance'));
  }
  await ecs.send(
    new RegisterTaskDefinitionCommand({
      family: NAMES.service,
      containerDefinitions: [{ name: 'main', image: 'nginx', memory: 128 }],
    }),
  );
  await ecs.send(
    new CreateServiceCommand({
      cluster: NAMES.cluster,
      serviceName: NAMES.service,
      taskDefinition: NAMES.service,
      launchType: 'EC2',
      schedulingStrategy: 'REPLICA',
      desiredCount: 0,
      deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 200 },
    }),
  );
  return arns;
}

async function createCapacityProvider({ autoScaling, ecs }: Clients): Promise<void> {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NAMES.mixedGroup] }),
  );
  await ecs.send(
    new CreateCapacityProviderCommand({
      name: NAMES.capacityProvider,
      autoScalingGroupProvider: {
        autoScalingGroupArn: present(AutoScalingGroups[0]?.AutoScalingGroupARN, 'group'),
        // Moto has no tasks to scale by, or to drain.
        managedScaling: { status: 'DISABLED', targetCapacity: 100 },
        managedTerminationProtection: 'DISABLED',
        managedDraining: 'DISABLED',
      },
    }),
  );
  await ecs.send(
    new PutClusterCapacityProvidersCommand({
      cluster: NAMES.cluster,
      capacityProviders: [NAMES.capacityProvider],
      defaultCapacityProviderStrategy: [],
    }),
  );
}

/** What an agent would tell ECS of the instance that it runs on. */
async function identityOf({ ec2 }: Clients, instance: string): Promise<string> {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [instance] }));
  const { ImageId, InstanceType } = present(Reservations[0]?.Instances?.[0], `instance ${instance}`);
  return JSON.stringify({ instanceId: instance, imageId: ImageId, instanceType: InstanceType });
}
