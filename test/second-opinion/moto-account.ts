import { PutMetricAlarmCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateSecurityGroupCommand, RegisterImageCommand } from '@aws-sdk/client-ec2';
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
} from '@aws-sdk/client-iam';
import { LabelParameterVersionCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import { type Account, type Clients, clientsOf, NAMES, present } from './account.ts';
import { fillCluster } from './moto-cluster.ts';
import { createGroup, createTemplateGroups, membersOf } from './moto-groups.ts';
import { createLoadBalancing } from './moto-load-balancing.ts';
import type { Simulation } from './simulated-account.ts';

type Content = Pick<Simulation, 'launchConfiguration' | 'templateData'>;

/** A moto server, filled with what the simulated AWS holds by the calls that its owner would make. */
export async function motoAccount(url: string, content: Content): Promise<Account> {
  // Whatever an earlier run has left there.
  await fetch(new URL('/moto-api/reset', url), { method: 'POST' });
  const clients = clientsOf(url);
  const images = await registerImages(clients);
  const SecurityGroups = await createSecurityGroups(clients);
  const targetGroup = await createLoadBalancing(clients);
  await createGroup(clients, { ...content.launchConfiguration, ImageId: images.image, SecurityGroups });
  const templates = await createTemplateGroups(clients, targetGroup, {
    ...content.templateData,
    ImageId: images.image,
    SecurityGroupIds: SecurityGroups.slice(0, 1),
  });
  const instances = await allMembers(clients);
  const containerInstances = await fillCluster(clients, instances.slice(0, NAMES.members));
  await putParameters(clients, images);
  await putAlarm(clients);
  await createTable(clients);
  await createInstanceProfiles(clients);
  return {
    name: 'moto',
    ...clients,
    instances,
    containerInstances,
    ...images,
    ...templates,
    targetGroup,
    settle() {},
    close: async () => {},
  };
}

async function registerImages(clients: Clients) {
  const image = await registerImage(clients, NAMES.image);
  const newerImage = await registerImage(clients, NAMES.newerImage);
  const deprecatedImage = await registerImage(clients, NAMES.deprecatedImage);
  return { image, newerImage, deprecatedImage };
}

async function registerImage({ ec2 }: Clients, name: string): Promise<string> {
  const { ImageId } = await ec2.send(
    new RegisterImageCommand({ Name: name, Architecture: 'x86_64', RootDeviceName: '/dev/xvda' }),
  );
  return present(ImageId, 'image');
}

/** By the names that the simulated AWS gives. */
async function createSecurityGroups({ ec2 }: Clients): Promise<string[]> {
  const created = ['ecs-1', 'ecs-2'].map((GroupName) =>
    ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: GroupName })),
  );
  return (await Promise.all(created)).map(({ GroupId }) => present(GroupId, 'security group'));
}

async function allMembers(clients: Clients): Promise<string[]> {
  const members: string[] = [];
  for (const group of [NAMES.group, NAMES.templateGroup, NAMES.mixedGroup])
    members.push(...(await membersOf(clients, group)));
  return members;
}

async function putParameters({ ssm }: Clients, images: Pick<Account, 'image' | 'newerImage'>) {
  const { parameter, labelledParameter: labelled, label } = NAMES;
  const put = (Name: string, Value: string) =>
    ssm.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite: true }));
  await put(parameter, images.image);
  await put(labelled, images.image);
  await ssm.send(new LabelParameterVersionCommand({ Name: labelled, ParameterVersion: 1, Labels: [label] }));
  await put(labelled, images.newerImage);
}

async function putAlarm({ cloudWatch }: Clients) {
  await cloudWatch.send(
    new PutMetricAlarmCommand({
      AlarmName: NAMES.alarm,
      Namespace: 'web',
      MetricName: 'Errors',
      Period: 60,
      Statistic: 'Sum',
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
    }),
  );
  await cloudWatch.send(
    new SetAlarmStateCommand({ AlarmName: NAMES.alarm, StateValue: 'OK', StateReason: 'it is' }),
  );
}

async function createTable({ dynamoDb }: Clients) {
  await dynamoDb.send(
    new CreateTableCommand({
      TableName: NAMES.table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
}

async function createInstanceProfiles({ iam }: Clients) {
  const { instanceProfile, profileWithoutRole, role } = NAMES;
  await iam.send(new CreateRoleCommand({ RoleName: role, AssumeRolePolicyDocument: '{}' }));
  for (const InstanceProfileName of [instanceProfile, profileWithoutRole])
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName }));
  await iam.send(
    new AddRoleToInstanceProfileCommand({ InstanceProfileName: instanceProfile, RoleName: role }),
  );
}
