import {
  AutoScalingClient,
  CreateLaunchConfigurationCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLaunchConfigurationsCommand,
  DetachInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  DescribeContainerInstancesCommand,
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
} from '@aws-sdk/client-ecs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatedAccount, simulateAccount } from '../account/account.ts';
import type { ClientOptions } from '../account/client-options.ts';
import { AwsError, on } from '../account/operation.ts';
import { virtualClock } from '../clock/clock.ts';
import type { Endpoint } from './listen.ts';

const LAUNCHED_AT = new Date('2026-11-03T04:05:06.789Z');
const USER_DATA = '#!/bin/sh\r\necho "a < b && c" \'d\'\n\ttab \u00e9\u{1f680}\u0001';

const INSTANCE = {
  InstanceId: 'i-1',
  AmiLaunchIndex: 0,
  EbsOptimized: false,
  LaunchTime: LAUNCHED_AT,
  Tags: [
    { Key: 'Name', Value: '' },
    { Key: 'a/b', Value: '<&>' },
  ],
  SecurityGroups: [],
  State: { Code: 16, Name: 'running' as const },
};

const account = simulateAccount({
  clock: virtualClock(0),
  operations: [
    on(DescribeInstancesCommand, 'all', ({ NextToken, MaxResults, Filters, InstanceIds }) => ({
      Reservations: [{ ReservationId: 'r-1', Instances: NextToken === 'page 2&=' ? [] : [INSTANCE] }],
      ...(MaxResults === 5 && { NextToken: 'page 2&=' }),
      ...(Filters && { NextToken: JSON.stringify({ Filters, InstanceIds }) }),
    })),
    on(CreateTagsCommand, 'all', () => ({})),
    on(TerminateInstancesCommand, 'all', () => {
      throw new AwsError('InvalidInstanceID.NotFound', 'The instance ID <i-9> does not exist');
    }),
    on(DescribeAutoScalingGroupsCommand, 'all', () => ({ AutoScalingGroups: [] })),
    on(CreateLaunchConfigurationCommand, 'all', ({ LaunchConfigurationName }) => {
      if (LaunchConfigurationName === 'taken') throw new AwsError('AlreadyExists', 'it is there already');
      return {};
    }),
    on(DescribeLaunchConfigurationsCommand, 'all', () => ({
      LaunchConfigurations: [
        {
          LaunchConfigurationName: 'lc',
          ImageId: 'ami-1',
          InstanceType: 't3.micro',
          KeyName: '',
          UserData: USER_DATA,
          CreatedTime: LAUNCHED_AT,
        },
      ],
    })),
    on(DetachInstancesCommand, 'all', () => {
      throw new AwsError('ResourceContention', 'try again');
    }),
    on(DescribeContainerInstancesCommand, 'all', () => ({
      containerInstances: [
        { registeredAt: LAUNCHED_AT, agentConnected: true, runningTasksCount: 3, attributes: [] },
      ],
      failures: [{ arn: 'a', reason: 'MISSING' }],
    })),
    on(DescribeTasksCommand, 'all', () => ({ tasks: [{ overrides: { cpu: USER_DATA }, attachments: [] }] })),
    on(ListTasksCommand, 'all', () => {
      throw new AwsError('ClusterNotFoundException', 'Cluster not found.');
    }),
    on(GetParameterCommand, 'all', ({ Name, WithDecryption }) => ({
      Parameter: {
        Name,
        Value: `{"decrypted": ${WithDecryption}}`,
        Version: 7,
        LastModifiedDate: LAUNCHED_AT,
      },
    })),
  ],
});

describe.each(['in-process', 'over HTTP'])('the wire, %s', (how) => {
  let endpoint: Endpoint | undefined;
  let options: ClientOptions | OverHttp = account.clientOptions;
  beforeAll(async () => {
    if (how === 'in-process') return;
    endpoint = await account.listen();
    const { region, credentials } = account.clientOptions;
    options = { region, credentials, endpoint: endpoint.url, maxAttempts: 1 };
  });
  afterAll(() => endpoint?.close());

  it('carries nested lists, tags, times, numbers and booleans of EC2', async () => {
    const { Reservations, $metadata } = await new EC2Client(options).send(new DescribeInstancesCommand({}));
    expect(Reservations).toEqual([{ ReservationId: 'r-1', Instances: [INSTANCE] }]);
    expect($metadata.requestId).toBe(lastRequestId(account));
  });

  it('carries filters and page tokens', async () => {
    const ec2 = new EC2Client(options);
    const first = await ec2.send(new DescribeInstancesCommand({ MaxResults: 5 }));
    const second = await ec2.send(new DescribeInstancesCommand({ NextToken: first.NextToken }));
    expect(second.Reservations?.[0]?.Instances).toEqual([]);
    const Filters = [{ Name: 'tag:a.b', Values: ['x y', '1+1=2&3', ''] }];
    const echoed = await ec2.send(new DescribeInstancesCommand({ Filters, InstanceIds: ['i-1', 'i-2'] }));
    expect(JSON.parse(echoed.NextToken ?? '')).toEqual({ Filters, InstanceIds: ['i-1', 'i-2'] });
  });

  it('carries lists of ten and more in their order', async () => {
    const Resources = Array.from({ length: 12 }, (_, index) => `i-${index}`);
    await new EC2Client(options).send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'k', Value: 'v' }] }));
    expect(account.calls.log.at(-1)?.input).toEqual({ Resources, Tags: [{ Key: 'k', Value: 'v' }] });
  });

  it('carries user data to the last carriage return', async () => {
    const client = new AutoScalingClient(options);
    const { LaunchConfigurations } = await client.send(new DescribeLaunchConfigurationsCommand({}));
    expect(LaunchConfigurations?.[0]).toMatchObject({
      UserData: USER_DATA,
      KeyName: '',
      CreatedTime: LAUNCHED_AT,
    });
    const { tasks } = await new ECSClient(options).send(new DescribeTasksCommand({ tasks: ['t'] }));
    expect(tasks?.[0]?.overrides?.cpu).toBe(USER_DATA);
  });

  it('carries what creates a launch configuration', async () => {
    const input = {
      LaunchConfigurationName: 'lc',
      UserData: USER_DATA,
      SecurityGroups: ['sg-1', 'sg-2'],
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 30, Encrypted: false } }],
      InstanceMonitoring: { Enabled: false },
    };
    await new AutoScalingClient(options).send(new CreateLaunchConfigurationCommand(input));
    expect(account.calls.log.at(-1)?.input).toEqual(input);
  });

  it('tells an empty list from none', async () => {
    const client = new AutoScalingClient(options);
    const { AutoScalingGroups } = await client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [] }),
    );
    expect(AutoScalingGroups).toEqual([]);
    expect(account.calls.log.at(-1)?.input).toEqual({ AutoScalingGroupNames: [] });
  });

  it('carries JSON times, booleans and failures of ECS and SSM', async () => {
    const ecs = new ECSClient(options);
    const answer = await ecs.send(new DescribeContainerInstancesCommand({ containerInstances: ['a'] }));
    expect(answer.containerInstances?.[0]).toEqual({
      registeredAt: LAUNCHED_AT,
      agentConnected: true,
      runningTasksCount: 3,
      attributes: [],
    });
    expect(answer.failures).toEqual([{ arn: 'a', reason: 'MISSING' }]);
    const { Parameter } = await new SSMClient(options).send(
      new GetParameterCommand({ Name: '/a', WithDecryption: true }),
    );
    expect(Parameter).toMatchObject({
      Value: '{"decrypted": true}',
      Version: 7,
      LastModifiedDate: LAUNCHED_AT,
    });
  });

  it('gives errors the name, message and status that the SDK knows them by', async () => {
    const terminate = new TerminateInstancesCommand({ InstanceIds: ['i-9'] });
    await expect(new EC2Client(options).send(terminate)).rejects.toMatchObject({
      name: 'InvalidInstanceID.NotFound',
      message: 'The instance ID <i-9> does not exist',
    });
    const list = new ListTasksCommand({ cluster: 'c' });
    await expect(new ECSClient(options).send(list)).rejects.toMatchObject({
      name: 'ClusterNotFoundException',
      message: 'Cluster not found.',
      $metadata: { httpStatusCode: 400 },
    });
    const create = new CreateLaunchConfigurationCommand({ LaunchConfigurationName: 'taken' });
    await expect(new AutoScalingClient(options).send(create)).rejects.toMatchObject({
      name: 'AlreadyExistsFault',
      Code: 'AlreadyExists',
    });
  });

  it('refuses a request without what it must have, in the words of its service', async () => {
    const lacking = {} as never;
    const groupless = new AutoScalingClient(options).send(new DetachInstancesCommand(lacking));
    await expect(groupless).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('AutoScalingGroupName'),
    });
    const nothing = new EC2Client(options).send(new TerminateInstancesCommand(lacking));
    await expect(nothing).rejects.toMatchObject({ name: 'MissingParameter' });
    const nameless = new SSMClient(options).send(new GetParameterCommand(lacking));
    await expect(nameless).rejects.toMatchObject({ name: 'ValidationException' });
    const none = new ECSClient(options).send(new DescribeContainerInstancesCommand(lacking));
    await expect(none).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});

describe('the wire, by hand', () => {
  it('has a modelled error travel by its query code and status', async () => {
    const { region, credentials, requestHandler } = account.clientOptions;
    const client = new AutoScalingClient({ region, credentials, requestHandler, maxAttempts: 1 });
    const call = client.send(
      new DetachInstancesCommand({ AutoScalingGroupName: 'g', ShouldDecrementDesiredCapacity: true }),
    );
    await expect(call).rejects.toMatchObject({
      name: 'ResourceContentionFault',
      $metadata: { httpStatusCode: 500 },
    });
  });

  it('refuses numbers and booleans that are none', async () => {
    const body = 'Version=2016-11-15&MaxResults=many&Action=DescribeInstances';
    await expect(postTo(account, body)).resolves.toMatch(/<Code>InvalidParameterValue<.*MaxResults/);
    const flag = 'Action=DescribeInstances&Version=2016-11-15&DryRun=perhaps';
    await expect(postTo(account, flag)).resolves.toMatch(/<Code>InvalidParameterValue<.*DryRun/);
  });

  const EC2 = 'Version=2016-11-15';
  const AUTO_SCALING = 'Version=2011-01-01';

  it.each([
    [`Action=DescribeInstances&${EC2}&Colour=red`, 'ec2.DescribeInstances: Colour'],
    [`Action=DescribeInstances&${EC2}&InstanceIds.1=i-1`, 'ec2.DescribeInstances: InstanceIds'],
    [
      `Action=DescribeInstances&${EC2}&Filter.1.Name=a&Filter.1.Colour=red`,
      'ec2.DescribeInstances: Filter.1.Colour',
    ],
    [`Action=DescribeInstances&${EC2}&InstanceId.member.1=i-1`, 'ec2.DescribeInstances: InstanceId.member'],
    [
      `Action=DescribeAutoScalingGroups&${AUTO_SCALING}&AutoScalingGroupNames.1=g`,
      'autoscaling.DescribeAutoScalingGroups: AutoScalingGroupNames.1',
    ],
  ])('refuses by its name what a form says and no model has: %s', async (body, named) => {
    await expect(postTo(account, body)).resolves.toContain(
      `<Code>NotImplemented</Code><Message>${named} is not simulated</Message>`,
    );
  });

  it.each([
    ['a list given as a value', `Action=DescribeInstances&${EC2}&InstanceId=i-1`, 'InstanceId'],
    ['a value given as a list', `Action=DescribeInstances&${EC2}&NextToken.1=a`, 'NextToken'],
    ['a key that comes twice', `Action=DescribeInstances&${EC2}&NextToken=a&NextToken=b`, 'NextToken'],
  ])('refuses %s', async (_, body, key) => {
    const text = `<Code>InvalidParameterValue</Code><Message>Value for parameter ${key} is invalid</Message>`;
    await expect(postTo(account, body)).resolves.toContain(text);
  });

  it.each([
    ['ListTasks', { colour: 'red' }, 'ecs.ListTasks: colour is not simulated'],
    [
      'DescribeTasks',
      { tasks: ['t'], include: ['TAGS'], Cluster: 'c' },
      'ecs.DescribeTasks: Cluster is not simulated',
    ],
    ['DescribeTasks', { tasks: 't' }, 'Value for parameter tasks is invalid'],
    ['DescribeTasks', { tasks: [1] }, 'Value for parameter tasks.1 is invalid'],
    ['ListTasks', { maxResults: '5' }, 'Value for parameter maxResults is invalid'],
  ])('refuses %s of %j', async (operation, input, message) => {
    const target = { 'x-amz-target': `AmazonEC2ContainerServiceV20141113.${operation}` };
    const told = JSON.parse(await postTo(account, JSON.stringify(input), '/', target));
    const __type = message.endsWith('simulated') ? 'NotImplemented' : 'SerializationException';
    expect(told).toEqual({ __type, message });
  });

  it('takes a null for nothing, and a value with an equals sign whole', async () => {
    const target = { 'x-amz-target': 'AmazonSSM.GetParameter' };
    const told = JSON.parse(await postTo(account, '{"Name": "/a", "WithDecryption": null}', '/', target));
    expect(told.Parameter.Value).toBe('{"decrypted": undefined}');
    await postTo(account, `Action=DescribeInstances&${EC2}&NextToken=a=b==`);
    expect(account.calls.log.at(-1)?.input).toEqual({ NextToken: 'a=b==' });
  });

  it('refuses by its name what is signed for another Region, whose things are others', async () => {
    const { endpoint, close } = await account.listen().then(({ url, close }) => ({ endpoint: url, close }));
    const { credentials } = account.clientOptions;
    const elsewhere = { region: 'us-east-1', credentials, endpoint, maxAttempts: 1 };
    await expect(new ECSClient(elsewhere).send(new DescribeTasksCommand({ tasks: ['t'] }))).rejects.toThrow(
      'ecs.DescribeTasks in us-east-1, and not in eu-central-1, is not simulated',
    );
    await close();
  });

  it('names what belongs to no simulated service', async () => {
    await expect(postTo(account, 'Action=GetCallerIdentity&Version=2011-06-15')).resolves.toContain(
      'GetCallerIdentity is not simulated',
    );
    await expect(
      postTo(account, '', '/service/GraniteServiceVersion20100801/operation/PutMetricData'),
    ).resolves.toContain('GraniteServiceVersion20100801.PutMetricData is not simulated');
  });
});

type OverHttp = Pick<ClientOptions, 'region' | 'credentials'> & { endpoint: string; maxAttempts: number };

const lastRequestId = ({ calls }: SimulatedAccount) =>
  `00000000-0000-4000-8000-${String(calls.log.length).padStart(12, '0')}`;

async function postTo(to: SimulatedAccount, body: string, path = '/', headers = {}): Promise<string> {
  const endpoint = await to.listen();
  const response = await fetch(endpoint.url + path, { method: 'POST', headers, body });
  const text = await response.text();
  await endpoint.close();
  return text;
}
