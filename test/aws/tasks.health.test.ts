import { DescribeTasksCommand, ECSClient, type Task } from '@aws-sdk/client-ecs';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeTaskHealth } from '../../lambda/aws/tasks.ts';
import { mocked } from './mocked.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });
const read = () => ({ described: new Map(), stopped: new Map(), inCluster: new Map() });

const RUNNING: Task = {
  taskArn: 't-1',
  group: 'service:api',
  lastStatus: 'RUNNING',
  desiredStatus: 'RUNNING',
  containerInstanceArn: 'arn:1',
};

async function seen(...tasks: readonly Task[]) {
  ecs.on(DescribeTasksCommand).resolves({ tasks: tasks.map((task) => ({ ...RUNNING, ...task })) });
  return describeTaskHealth(aws, 'web', ['t-1'], read());
}

test('tasks of services that run and should are told, with all under which load balancers know them', async () => {
  const startedAt = new Date(60_000);
  const containers = [
    { networkBindings: [{ hostPort: 32768 }, {}] },
    { networkInterfaces: [{ privateIpv4Address: '10.0.0.7', ipv6Address: 'fd00::7' }] },
    {},
  ];
  expect(await seen({ healthStatus: 'UNHEALTHY', startedAt, containers }, {})).toEqual([
    {
      arn: 't-1',
      service: 'api',
      containerInstanceArn: 'arn:1',
      health: 'UNHEALTHY',
      startedAt,
      ports: [32768],
      addresses: ['10.0.0.7', 'fd00::7'],
    },
    {
      arn: 't-1',
      service: 'api',
      containerInstanceArn: 'arn:1',
      health: 'UNKNOWN',
      ports: [],
      addresses: [],
    },
  ]);
});

test('an address is told by its network interface, too', async () => {
  const details = [
    { name: 'subnetId', value: 'subnet-1' },
    { name: 'privateIPv4Address', value: '10.0.0.8' },
  ];
  expect(await seen({ attachments: [{ type: 'ElasticNetworkInterface', details }, {}] })).toMatchObject([
    { addresses: ['10.0.0.8'] },
  ]);
});

test('others are not', async () => {
  const others = [{ group: 'family:job' }, { lastStatus: 'PENDING' }, { desiredStatus: 'STOPPED' }];
  expect(await seen(...others)).toEqual([]);
});
