import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import {
  DescribeCapacityProvidersCommand,
  type DescribeCapacityProvidersCommandInput,
  DescribeClustersCommand,
  DescribeContainerInstancesCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  ListContainerInstancesCommand,
  ListServicesCommand,
  ListTasksCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { checksOf } from '../../iam/context.ts';
import { directCalls } from '../direct-calls.ts';
import { READINGS } from '../readings.ts';
import { resourceFacts } from '../resource-facts.ts';
import { createWorld } from '../world.ts';

/** A cluster with a group of two instances and Fargate. */
function setUp() {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const cluster = world.addCluster('demo', { capacityProviders: ['FARGATE', 'FARGATE_SPOT'] });
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = world.addGroup({ name: 'g', cluster: 'demo', image, instances: 2 });
  const call = directCalls(world);
  const describeProviders = (input: DescribeCapacityProvidersCommandInput = {}) =>
    call(DescribeCapacityProvidersCommand, input);
  const names = (input?: DescribeCapacityProvidersCommandInput) =>
    describeProviders(input).capacityProviders?.map(({ name }) => name);
  const containerInstances = () => {
    const { containerInstanceArns = [] } = call(ListContainerInstancesCommand, { cluster: 'demo' });
    const named = { cluster: 'demo', containerInstances: containerInstanceArns };
    return call(DescribeContainerInstancesCommand, named).containerInstances ?? [];
  };
  return { clock, world, cluster, group, call, describeProviders, names, containerInstances };
}

describe('a cluster', () => {
  it('is described with its capacity providers, or as MISSING', () => {
    const { world, call } = setUp();
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g' });
    const { clusters, failures } = call(DescribeClustersCommand, { clusters: ['demo', 'none'] });
    expect(clusters).toMatchObject([
      { clusterName: 'demo', capacityProviders: ['FARGATE', 'FARGATE_SPOT', 'cp'] },
    ]);
    expect(failures).toEqual([
      { arn: 'arn:aws:ecs:eu-central-1:123456789012:cluster/none', reason: 'MISSING' },
    ]);
  });

  it('counts the tasks on its container instances and those on Fargate, with services and all', () => {
    const { world, call } = setUp();
    world.addService('demo', { name: 'web', desiredCount: 2 });
    world.addService('demo', { name: 'api', desiredCount: 3, launchType: 'FARGATE' });
    world.addStandaloneTask('demo', { family: 'report' });
    const { clusters: [found] = [] } = call(DescribeClustersCommand, { clusters: ['demo'] });
    expect(found).toMatchObject({ runningTasksCount: 6, activeServicesCount: 2 });
    expect(found?.registeredContainerInstancesCount).toBe(2);
  });
});

describe('a capacity provider', () => {
  it('of a group shows the group and how it is managed', () => {
    const { world, group, describeProviders } = setUp();
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g', managedDraining: 'DISABLED' });
    const capacityProviders = ['cp', 'none'];
    const { capacityProviders: found, failures } = describeProviders({ capacityProviders });
    expect(found).toMatchObject([
      {
        capacityProviderArn: 'arn:aws:ecs:eu-central-1:123456789012:capacity-provider/cp',
        status: 'ACTIVE',
        type: 'EC2_AUTOSCALING',
        autoScalingGroupProvider: {
          autoScalingGroupArn: group.arn,
          managedScaling: { status: 'ENABLED' },
          managedTerminationProtection: 'DISABLED',
          managedDraining: 'DISABLED',
        },
      },
    ]);
    expect(failures).toMatchObject([{ reason: 'MISSING' }]);
    expect(group.tags.has('AmazonECSManaged')).toBe(true);
  });

  it("of a group shows on that group's container instances, the later ones too", () => {
    const { clock, world, group, containerInstances } = setUp();
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g' });
    const [launched] = group.members.values();
    if (!launched) throw new Error('no member');
    world.addInstance({ image: world.addImage('own'), cluster: 'demo' });
    world.owner.setSizes('g', { maxSize: 3, desiredCapacity: 3 });
    clock.advance(120);
    const told = containerInstances().map(({ capacityProviderName }) => capacityProviderName);
    expect(told).toEqual(['cp', 'cp', undefined, 'cp']);
  });

  it('of ECS Managed Instances belongs to its cluster alone', () => {
    const { world, names, describeProviders } = setUp();
    world.addCluster('other');
    world.addCapacityProvider({ name: 'managed', cluster: 'demo' });
    expect(names({ cluster: 'demo' })).toEqual(['managed', 'FARGATE', 'FARGATE_SPOT']);
    expect(names({ cluster: 'other' })).toEqual([]);
    expect(names()).toEqual(['FARGATE', 'FARGATE_SPOT']);
    const inCluster = { cluster: 'demo', capacityProviders: ['managed'] };
    const [managed] = describeProviders(inCluster).capacityProviders ?? [];
    expect(managed).toMatchObject({ type: 'MANAGED_INSTANCES' });
    expect(managed?.managedInstancesProvider).toBeDefined();
    expect(managed).not.toHaveProperty('autoScalingGroupProvider');
    expect(() => names({ cluster: 'nowhere' })).toThrow('Cluster not found.');
  });

  it('is not asked for by its cluster in a Region without ECS Managed Instances', () => {
    const { world, names } = setUp();
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g' });
    world.state.hasManagedInstances = false;
    expect(() => names({ cluster: 'demo', capacityProviders: ['cp'] })).toThrow('not supported');
    expect(names({ capacityProviders: ['cp'] })).toEqual(['cp']);
  });

  it('comes in pages of ten, even if more are named', () => {
    const { world, names, describeProviders } = setUp();
    const all = Array.from({ length: 12 }, (_, index) => `cp${index}`);
    for (const name of all) world.addCapacityProvider({ name, cluster: 'demo', group: 'g' });
    const query = { capacityProviders: [...all, 'none'] };
    const first = describeProviders(query);
    expect(first.capacityProviders).toHaveLength(10);
    expect(first.failures).toHaveLength(1);
    expect(names({ ...query, nextToken: first.nextToken })).toEqual(['cp10', 'cp11']);
    expect(() => names({ maxResults: 11 })).toThrow('not between 1 and 10');
    const many = Array.from({ length: 101 }, (_, index) => `${index}`);
    expect(() => names({ capacityProviders: many })).toThrow('at most 100');
  });

  it('is what IAM is asked about when it is named', () => {
    const { world } = setUp();
    const asked = (service: 'ecs' | 'ec2' | 'ssm', operation: string, input: object) => {
      const call = { service, operation, input, key: `${service}.${operation}` };
      const facts = { number: 1, session: 's', numberInSession: 1, time: 0, tookEffect: false };
      return checksOf({ ...facts, ...call }, resourceFacts(world)).map(({ resource }) => resource);
    };
    const arn = 'arn:aws:ecs:eu-central-1:123456789012:capacity-provider/cp';
    const operation = 'DescribeCapacityProviders';
    expect(asked('ecs', operation, { capacityProviders: ['cp', arn] })).toEqual([arn, arn]);
    for (const capacityProviders of [[], undefined])
      expect(asked('ecs', operation, { capacityProviders })).toEqual(['*']);
    expect(asked('ecs', 'DescribeClusters', { clusters: ['demo'] })).toEqual([
      'arn:aws:ecs:eu-central-1:123456789012:cluster/demo',
    ]);
    expect(asked('ec2', 'DescribeImages', {})).toEqual(['*']);
    expect(asked('ec2', 'DescribeInstanceTypes', {})).toEqual(['*']);
    const parameter = 'arn:aws:ssm:eu-central-1:123456789012:parameter/own';
    expect(asked('ssm', 'GetParameters', { Names: [`${parameter}:3`, '/own:prod'] })).toEqual([
      parameter,
      parameter,
    ]);
  });
});

describe('an instance', () => {
  it('of somebody else is a container instance that EC2 knows nothing about', () => {
    const { world, call, containerInstances } = setUp();
    const external = world.addExternalInstance('demo');
    expect(external.instance.id).toMatch(/^mi-[0-9a-f]{17}$/);
    const described = containerInstances().find(({ ec2InstanceId }) => ec2InstanceId?.startsWith('mi-'));
    expect(described).toMatchObject({ status: 'ACTIVE', agentConnected: true });
    expect(described?.attributes?.map(({ name }) => name)).not.toContain('ecs.ami-id');
    const InstanceIds = [external.instance.id];
    expect(() => call(DescribeInstancesCommand, { InstanceIds })).toThrow('Invalid id');
  });

  it('that ECS manages is in no group, hidden in lists, and EC2 says who runs it', () => {
    const { world, call, containerInstances } = setUp();
    const managed = world.addManagedInstance('demo');
    const Filters = [{ Name: 'operator.managed', Values: ['true'] }];
    expect(call(DescribeInstancesCommand, { Filters }).Reservations).toEqual([]);
    const { Reservations: [reservation] = [] } = call(DescribeInstancesCommand, {
      Filters,
      IncludeManagedResources: true,
    });
    const InstanceIds = [managed.id];
    expect(call(DescribeInstancesCommand, { InstanceIds }).Reservations).toEqual([reservation]);
    expect(reservation?.Instances).toMatchObject([
      {
        InstanceId: managed.id,
        Architecture: 'x86_64',
        Operator: { Managed: true, Principal: 'ecs.amazonaws.com' },
      },
    ]);
    expect(containerInstances().at(-1)).toMatchObject({
      ec2InstanceId: managed.id,
      capacityProviderName: 'demo-managed-instances',
    });
    expect(managed.launchedBy).toBeUndefined();
  });

  it('of neither kind takes tasks of the services on EC2', () => {
    const { clock, world } = setUp();
    const external = world.addExternalInstance('demo');
    const managed = world.addManagedInstance('demo').containerInstance;
    world.addService('demo', { name: 'web', desiredCount: 8, maximumPercent: 400 });
    const daemon = world.addService('demo', { name: 'logs', strategy: 'DAEMON' });
    for (let count = 0; count < 4; count++) world.addStandaloneTask('demo', { family: 'report' });
    world.owner.setDesiredCount('demo', 'web', 12);
    clock.advance(60);
    expect(daemon.desiredCount).toBe(2);
    expect([external.tasks.size, managed?.tasks.size]).toEqual([0, 0]);
    const mine = world.addService('demo', { name: 'mine', desiredCount: 2, launchType: 'EXTERNAL' });
    expect(mine.healthyCount).toBe(2);
    expect(external.tasks.size).toBe(2);
  });
});

describe('a service', () => {
  it('that is a daemon runs on those instances alone that have what it needs', () => {
    const { clock, world } = setUp();
    const lackedCapabilities = ['ecs.capability.task-eni'];
    world.addCluster('other');
    for (const [name, lacked] of Object.entries({ able: [], lacking: lackedCapabilities }))
      world.addGroup({
        name,
        cluster: 'other',
        image: world.release('amazon-linux-2023', { ageDays: 3, lackedCapabilities: lacked }),
        instances: 2,
      });
    const definition = { requiresAttributes: lackedCapabilities };
    const daemon = world.addService('other', { name: 'logs', strategy: 'DAEMON', definition });
    clock.advance(600);
    expect(daemon.healthyCount).toBe(2);
  });

  it.each([
    ['service-connect', 'has', [], 2],
    ['service-connect', 'lacks', ['ecs.capability.service-connect-v1'], 0],
    ['exec', 'lacks', ['ecs.capability.execute-command'], 0],
    ['ebs-volumes', 'lacks', ['ecs.capability.storage.ebs-task-volume-attach'], 0],
  ] as const)('with %s runs where an image %s what that needs', (feature, _, lackedCapabilities, count) => {
    const { clock, world, call } = setUp();
    const image = world.release('amazon-linux-2023', { ageDays: 3, lackedCapabilities });
    world.addCluster('other');
    world.addGroup({ name: 'other', cluster: 'other', image, instances: 2 });
    const settings = { name: 'api', desiredCount: 2, features: [feature], isSteady: false };
    const service = world.addService('other', settings);
    clock.advance(600);
    expect(service.healthyCount).toBe(count);
    const { services } = call(DescribeServicesCommand, { cluster: 'other', services: ['api'] });
    const shown = {
      'service-connect': { deployments: [{ serviceConnectConfiguration: { enabled: true } }] },
      exec: { enableExecuteCommand: true },
      'ebs-volumes': { deployments: [{ volumeConfigurations: [{ name: 'data' }] }] },
    };
    expect(services).toMatchObject([shown[feature]]);
  });

  it.each([
    ['names', 'cp'],
    ['arns', 'arn:aws:ecs:eu-central-1:123456789012:capacity-provider/cp'],
  ] as const)('has the providers of its strategy shown by their %s', (shown, capacityProvider) => {
    const { world, call } = setUp();
    world.state.readings.providersShown = shown;
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g' });
    world.addService('demo', { name: 'api', capacityProvider: 'cp' });
    const { services } = call(DescribeServicesCommand, { cluster: 'demo', services: ['api'] });
    expect(services).toMatchObject([{ capacityProviderStrategy: [{ capacityProvider, weight: 1 }] }]);
  });

  it.each(READINGS.strategyOfMoved)('that moved from Fargate to the group has its strategy %s', (moved) => {
    const { world, call } = setUp();
    world.state.readings.strategyOfMoved = moved;
    world.addCapacityProvider({ name: 'cp', cluster: 'demo', group: 'g' });
    const there = { capacityProvider: 'cp', createdWith: 'FARGATE' } as const;
    const service = world.addService('demo', { name: 'api', desiredCount: 2, ...there });
    expect([...service.tasks].every(({ containerInstance: { instance } }) => instance)).toBe(true);
    const { services } = call(DescribeServicesCommand, { cluster: 'demo', services: ['api'] });
    const strategy = { capacityProviderStrategy: [{ capacityProvider: 'cp', weight: 1 }] };
    expect(services).toMatchObject([{ launchType: 'FARGATE', deployments: [strategy] }]);
    if (moved === 'told') expect(services).toMatchObject([strategy]);
    else expect(services?.[0]).not.toHaveProperty('capacityProviderStrategy');
  });
});

describe('a service on Fargate', () => {
  const FARGATE = { name: 'api', desiredCount: 3, launchType: 'FARGATE' } as const;

  it('has tasks on no container instance, which are listed and described', () => {
    const { world, call, cluster } = setUp();
    world.addService('demo', FARGATE);
    world.addService('demo', { name: 'web', desiredCount: 2 });
    const list = (query: object) => call(ListTasksCommand, { cluster: 'demo', ...query }).taskArns ?? [];
    const tasks = list({ serviceName: 'api' });
    expect(tasks).toHaveLength(3);
    expect(list({ launchType: 'FARGATE' })).toEqual(tasks);
    expect(list({ launchType: 'EC2' })).toHaveLength(2);
    const described = call(DescribeTasksCommand, { cluster: 'demo', tasks }).tasks ?? [];
    expect(described).toMatchObject([{ launchType: 'FARGATE', lastStatus: 'RUNNING' }, {}, {}]);
    for (const { containerInstanceArn } of described) expect(containerInstanceArn).toBeUndefined();
    const { services } = call(DescribeServicesCommand, { cluster: 'demo', services: ['api'] });
    expect(services).toMatchObject([{ launchType: 'FARGATE', runningCount: 3, desiredCount: 3 }]);
    const { serviceArns } = call(ListServicesCommand, { cluster: 'demo', launchType: 'FARGATE' });
    expect(serviceArns).toHaveLength(1);
    const onEc2 = [...cluster.containerInstances.values()].reduce((sum, one) => sum + one.tasks.size, 0);
    expect(onEc2).toBe(2);
  });

  it('deploys, scales and starts without a container instance', () => {
    const { clock, world } = setUp();
    const empty = world.addCluster('empty');
    const service = world.addService('empty', { ...FARGATE, isSteady: false, isLoadBalanced: true });
    clock.advance(60);
    expect(service.healthyCount).toBe(3);
    world.owner.setDesiredCount('empty', 'api', 5);
    world.owner.deploy('empty', 'api');
    clock.advance(300);
    expect(service.deployment.rolloutState).toBe('COMPLETED');
    expect([service.healthyCount, service.tasks.size]).toEqual([5, 5]);
    expect(empty.containerInstances.size).toBe(0);
  });

  it("can't be a daemon", () => {
    const { world } = setUp();
    const daemon = { name: 'logs', strategy: 'DAEMON', launchType: 'FARGATE' } as const;
    expect(() => world.addService('demo', daemon)).toThrow('no daemon');
  });
});
