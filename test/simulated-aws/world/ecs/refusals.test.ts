import {
  CreateCapacityProviderCommand,
  CreateServiceCommand,
  DeleteCapacityProviderCommand,
  DeleteClusterCommand,
  DeleteServiceCommand,
  DeleteTaskDefinitionsCommand,
  DeregisterContainerInstanceCommand,
  DescribeClustersCommand,
  DescribeContainerInstancesCommand,
  DescribeServiceDeploymentsCommand,
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ListAttributesCommand,
  ListContainerInstancesCommand,
  ListServiceDeploymentsCommand,
  ListTasksCommand,
  PutAttributesCommand,
  PutClusterCapacityProvidersCommand,
  RegisterTaskDefinitionCommand,
  UpdateContainerInstancesStateCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { READINGS } from '../readings.ts';
import { setUpService } from './set-up.ts';

const cluster = 'demo';
const code = (code: string) => expect.objectContaining({ code });
const names = (length: number) => Array.from({ length }, (_, index) => `${index}`);

describe('a list of names', () => {
  it('has no more of them than a call takes', () => {
    const { call } = setUpService();
    const many = names(101);
    expect(() => call(DescribeContainerInstancesCommand, { cluster, containerInstances: many })).toThrow(
      'at most 100',
    );
    expect(() => call(DescribeTasksCommand, { cluster, tasks: many })).toThrow('at most 100');
    expect(() => call(DescribeClustersCommand, { clusters: many })).toThrow('at most 100');
    expect(() => call(DescribeServicesCommand, { cluster, services: names(11) })).toThrow('at most 10');
    const serviceDeploymentArns = names(21);
    expect(() => call(DescribeServiceDeploymentsCommand, { serviceDeploymentArns })).toThrow('at most 20');
  });

  it('of container instances has one at least', () => {
    const { call } = setUpService();
    expect(() => call(DescribeContainerInstancesCommand, { cluster, containerInstances: [] })).toThrow(
      'cannot be empty',
    );
  });
});

describe('what does not exist', () => {
  it('is no cluster to list anything of', () => {
    const { call } = setUpService();
    expect(() => call(ListTasksCommand, { cluster: 'none' })).toThrow(code('ClusterNotFoundException'));
  });

  it('is no container instance to deregister, or to list the tasks of', () => {
    const { call } = setUpService();
    const named = { cluster, containerInstance: 'none' };
    for (const Command of [DeregisterContainerInstanceCommand, ListTasksCommand] as const)
      expect(() => call(Command, named)).toThrow(code('InvalidParameterException'));
  });

  it('is no service to list the tasks or deployments of', () => {
    const { call } = setUpService();
    const notFound = code('ServiceNotFoundException');
    expect(() => call(ListTasksCommand, { cluster, serviceName: 'none' })).toThrow(notFound);
    expect(() => call(ListServiceDeploymentsCommand, { cluster, service: 'none' })).toThrow(notFound);
  });

  it('is no task definition', () => {
    const { call } = setUpService();
    expect(() => call(DescribeTaskDefinitionCommand, { taskDefinition: 'none:1' })).toThrow(
      code('ClientException'),
    );
  });
});

describe('the status of a container instance', () => {
  it('is set to ACTIVE or DRAINING alone', () => {
    const { call, first } = setUpService();
    const change = { cluster, containerInstances: [first.arn], status: 'REGISTERING' as const };
    expect(() => call(UpdateContainerInstancesStateCommand, change)).toThrow('one of [ACTIVE, DRAINING]');
  });

  it.each([
    ['is set to DRAINING again', true],
    ['is refused to be set to DRAINING again', false],
  ])('%s, by the reading', (_, drainsAgain) => {
    const { call, world, first, drain } = setUpService();
    drain(first);
    world.state.readings.drainsAgain = drainsAgain;
    const change = { cluster, containerInstances: [first.arn], status: 'DRAINING' as const };
    const again = () => call(UpdateContainerInstancesStateCommand, change);
    if (drainsAgain) expect(again().failures).toEqual([]);
    else expect(again).toThrow('is DRAINING');
  });

  it('is set of none that registers or deregisters, which may keep it from being deregistered, too', () => {
    const { call, clock, world, first, drain } = setUpService();
    drain(first);
    clock.advance(120);
    first.status = 'REGISTERING';
    const change = { cluster, containerInstances: [first.arn], status: 'DRAINING' as const };
    const refused = () => call(UpdateContainerInstancesStateCommand, change);
    expect(refused).toThrow('is REGISTERING');
    for (const reading of READINGS.stateRefusedAs) {
      world.state.readings.stateRefusedAs = reading;
      expect(refused).toThrow(code(reading));
    }
    world.state.readings.deregistersUnready = false;
    const named = { cluster, containerInstance: first.arn };
    expect(() => call(DeregisterContainerInstanceCommand, named)).toThrow('is REGISTERING');
    world.state.readings.deregistersUnready = true;
    expect(call(DeregisterContainerInstanceCommand, named).containerInstance?.status).toBe('INACTIVE');
    expect(first.instance.state).toBe('running');
    expect(call(UpdateContainerInstancesStateCommand, change).failures).toMatchObject([
      { arn: first.arn, reason: 'INACTIVE' },
    ]);
  });
});

describe('attributes', () => {
  it('are of container instances that there are', () => {
    const { call } = setUpService();
    const attributes = [{ name: 'stack', targetId: 'none' }];
    expect(() => call(PutAttributesCommand, { cluster, attributes })).toThrow(
      code('TargetNotFoundException'),
    );
    const targetType = 'none' as 'container-instance';
    expect(() => call(ListAttributesCommand, { cluster, targetType })).toThrow('Invalid target type');
  });

  it.each(['', 'task:group ==', 'ec2InstanceId == a b', 'ec2InstanceId in [a', 'a == b', 'agentVersion ~ 1'])(
    'are asked for by no such expression: %s',
    (filter) => {
      const { call } = setUpService();
      expect(() => call(ListContainerInstancesCommand, { cluster, filter })).toThrow(/^Invalid /);
    },
  );
});

describe('a service', () => {
  function setUp() {
    const { call, clock, world } = setUpService();
    const containerDefinitions = [{ name: 'main', image: 'busybox', cpu: 64, memory: 64 }];
    call(RegisterTaskDefinitionCommand, { family: 'made', containerDefinitions });
    const made = { cluster, serviceName: 'made', taskDefinition: 'made', desiredCount: 1 };
    const create = (input: object = {}) => call(CreateServiceCommand, { ...made, ...input });
    return { call, clock, world, create, named: { cluster, service: 'made' } };
  }

  it('is made once, until the last tasks of the one before stop', () => {
    const { call, clock, create, named } = setUp();
    create();
    expect(() => create()).toThrow('not idempotent');
    clock.advance(120);
    call(DeleteServiceCommand, { ...named, force: true });
    expect(() => create()).toThrow('not idempotent');
    clock.advance(600);
    expect(create().service?.status).toBe('ACTIVE');
  });

  it('is deleted at a desired count of 0 alone, unless that is forced, and only once', () => {
    const { call, clock, create, named } = setUp();
    create();
    expect(() => call(DeleteServiceCommand, named)).toThrow('scaled above 0');
    call(DeleteServiceCommand, { ...named, force: true });
    clock.advance(600);
    const notActive = code('ServiceNotActiveException');
    expect(() => call(DeleteServiceCommand, named)).toThrow(notActive);
    expect(() => call(UpdateServiceCommand, { ...named, desiredCount: 1 })).toThrow(notActive);
  });

  it('is of a task definition that there is, and spread by what there is', () => {
    const { world, create } = setUp();
    expect(() => create({ taskDefinition: 'none' })).toThrow(code('ClientException'));
    const placementStrategy = [{ type: 'spread', field: 'none' }] as const;
    const add = () => world.addService(cluster, { name: 'spread', desiredCount: 1, placementStrategy });
    expect(add).toThrow('Invalid field');
  });

  it('may have a task definition that is deleted, but only once that is deregistered', () => {
    const { call } = setUp();
    expect(() => call(DeleteTaskDefinitionsCommand, { taskDefinitions: ['made:1'] })).toThrow(
      'still in ACTIVE',
    );
  });
});

describe('a capacity provider', () => {
  const managedScaling = { status: 'DISABLED' } as const;

  it('has a group, and a name of its own', () => {
    const { call, group } = setUpService();
    expect(() => call(CreateCapacityProviderCommand, { name: 'p' })).toThrow('provider is required');
    const autoScalingGroupProvider = { autoScalingGroupArn: group.arn, managedScaling };
    call(CreateCapacityProviderCommand, { name: 'p', autoScalingGroupProvider });
    expect(() => call(CreateCapacityProviderCommand, { name: 'p', autoScalingGroupProvider })).toThrow(
      'already exists',
    );
  });

  it('is deleted once no cluster has it, and leaves a cluster once no service uses it', () => {
    const { call, world } = setUpService();
    world.addCapacityProvider({ name: 'p', cluster, group: 'g' });
    const remove = (capacityProvider: string) => call(DeleteCapacityProviderCommand, { capacityProvider });
    expect(() => remove('none')).toThrow('does not exist');
    expect(() => remove('p')).toThrow('in use');
    const put = (...capacityProviders: string[]) =>
      call(PutClusterCapacityProvidersCommand, {
        cluster,
        capacityProviders,
        defaultCapacityProviderStrategy: [],
      });
    expect(() => put('none')).toThrow('was not found');
    world.addService('demo', { name: 'on-p', desiredCount: 1, capacityProvider: 'p' });
    expect(() => put()).toThrow(code('ResourceInUseException'));
  });
});

it('a cluster is not deleted while it has tasks', () => {
  const { call, world } = setUpService();
  const other = world.addCluster('other');
  world.addService('other', { name: 'jobs', desiredCount: 1, launchType: 'FARGATE' });
  world.owner.deleteService('jobs');
  expect(other.tasks.size).toBe(1);
  expect(() => call(DeleteClusterCommand, { cluster: 'other' })).toThrow(
    code('ClusterContainsTasksException'),
  );
});
