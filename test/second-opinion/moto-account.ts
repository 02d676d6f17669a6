import {
  CreateAutoScalingGroupCommand,
  CreateLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  type LaunchConfiguration,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateSecurityGroupCommand,
  DescribeInstancesCommand,
  RegisterImageCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import {
  CreateClusterCommand,
  CreateServiceCommand,
  RegisterContainerInstanceCommand,
  RegisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { type Account, type Clients, clientsOf, NAMES, present } from './account.ts';
import type { Simulation } from './simulated-account.ts';

type Content = Pick<Simulation, 'launchConfiguration' | 'templateData'>;

/** A moto server, filled with what the simulated AWS holds by the calls that its owner would make. */
export async function motoAccount(url: string, content: Content): Promise<Account> {
  // Whatever an earlier run has left there.
  await fetch(new URL('/moto-api/reset', url), { method: 'POST' });
  const clients = clientsOf(url);
  const image = await registerImage(clients, NAMES.image);
  const newerImage = await registerImage(clients, NAMES.newerImage);
  const securityGroups = await createSecurityGroups(clients);
  await createGroup(clients, {
    ...content.launchConfiguration,
    ImageId: image,
    SecurityGroups: securityGroups,
  });
  const template = await createTemplateGroup(clients, {
    ...content.templateData,
    ImageId: image,
    SecurityGroupIds: securityGroups.slice(0, 1),
    BlockDeviceMappings: withoutSnapshots(content.templateData.BlockDeviceMappings),
  });
  const instances = [
    ...(await membersOf(clients, NAMES.group)),
    ...(await membersOf(clients, NAMES.templateGroup)),
  ];
  const containerInstances = await fillCluster(clients, instances.slice(0, NAMES.members));
  await clients.ssm.send(new PutParameterCommand({ Name: NAMES.parameter, Value: image, Type: 'String' }));
  return {
    name: 'moto',
    ...clients,
    instances,
    containerInstances,
    image,
    newerImage,
    template,
    settle() {},
    close: async () => {},
  };
}

async function registerImage({ ec2 }: Clients, name: string): Promise<string> {
  const { ImageId } = await ec2.send(
    new RegisterImageCommand({ Name: name, Architecture: 'x86_64', RootDeviceName: '/dev/xvda' }),
  );
  return present(ImageId, 'image');
}

async function createSecurityGroups({ ec2 }: Clients): Promise<string[]> {
  const created = ['first', 'second'].map((GroupName) =>
    ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: GroupName })),
  );
  return (await Promise.all(created)).map(({ GroupId }) => present(GroupId, 'security group'));
}

/** The snapshots are those of the simulated images. */
function withoutSnapshots<
  Mapping extends { readonly Ebs?: { readonly SnapshotId?: string | undefined } | undefined },
>(mappings: readonly Mapping[] = []): Mapping[] {
  return mappings.map((mapping) => ({ ...mapping, Ebs: { ...mapping.Ebs, SnapshotId: undefined } }));
}

async function createGroup({ autoScaling }: Clients, launch: LaunchConfiguration): Promise<void> {
  const given = Object.entries(launch).filter(([, value]) => value !== '');
  await autoScaling.send(
    new CreateLaunchConfigurationCommand({
      ...Object.fromEntries(given),
      LaunchConfigurationName: NAMES.launchConfiguration,
      BlockDeviceMappings: withoutSnapshots(launch.BlockDeviceMappings),
    }),
  );
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: NAMES.group,
      LaunchConfigurationName: NAMES.launchConfiguration,
      ...sizes(NAMES.members),
    }),
  );
}

async function createTemplateGroup(
  { autoScaling, ec2 }: Clients,
  LaunchTemplateData: RequestLaunchTemplateData,
): Promise<string> {
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({ LaunchTemplateName: NAMES.template, LaunchTemplateData }),
  );
  const template = present(LaunchTemplate?.LaunchTemplateId, 'launch template');
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: NAMES.templateGroup,
      LaunchTemplate: { LaunchTemplateId: template, Version: '1' },
      ...sizes(1),
    }),
  );
  return template;
}

const sizes = (count: number) => ({
  MinSize: 0,
  MaxSize: 5,
  DesiredCapacity: count,
  AvailabilityZones: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
});

async function membersOf({ autoScaling }: Clients, group: string): Promise<string[]> {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [group] }),
  );
  return (AutoScalingGroups[0]?.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []);
}

async function fillCluster(clients: Clients, instances: readonly string[]): Promise<string[]> {
  const { ecs } = clients;
  await ecs.send(new CreateClusterCommand({ clusterName: NAMES.cluster }));
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

/** What an agent would tell ECS of the instance that it runs on. */
async function identityOf({ ec2 }: Clients, instance: string): Promise<string> {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [instance] }));
  const { ImageId, InstanceType } = present(Reservations[0]?.Instances?.[0], `instance ${instance}`);
  return JSON.stringify({ instanceId: instance, imageId: ImageId, instanceType: InstanceType });
}
