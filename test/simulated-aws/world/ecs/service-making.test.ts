import {
  CreateServiceCommand,
  type CreateServiceRequest,
  DescribeServiceDeploymentsCommand,
  ListServiceDeploymentsCommand,
  RegisterTaskDefinitionCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { setUpService } from './set-up.ts';

function setUp() {
  const { call, clock } = setUpService();
  const containerDefinitions = [{ name: 'main', image: 'busybox', cpu: 64, memory: 64 }];
  call(RegisterTaskDefinitionCommand, { family: 'made', containerDefinitions });
  const create = (input: Partial<CreateServiceRequest> = {}) =>
    call(CreateServiceCommand, { cluster: 'demo', serviceName: 'made', taskDefinition: 'made', ...input })
      .service;
  const deployments = () => {
    const query = { cluster: 'demo', service: 'made' };
    const listed = call(ListServiceDeploymentsCommand, query).serviceDeployments ?? [];
    const serviceDeploymentArns = listed.flatMap(({ serviceDeploymentArn }) => serviceDeploymentArn ?? []);
    return call(DescribeServiceDeploymentsCommand, { serviceDeploymentArns }).serviceDeployments ?? [];
  };
  return { call, clock, create, deployments };
}

const BLUE_GREEN = {
  strategy: 'BLUE_GREEN',
  bakeTimeInMinutes: 5,
  deploymentCircuitBreaker: { enable: true, rollback: true },
} as const;

describe('CreateService', () => {
  it('makes a service that is rebalanced across zones, spread by default, and deployed by a rolling update', () => {
    expect(setUp().create()).toMatchObject({
      availabilityZoneRebalancing: 'ENABLED',
      placementStrategy: [],
      deploymentConfiguration: { strategy: 'ROLLING', minimumHealthyPercent: 100, maximumPercent: 200 },
    });
  });

  it('leaves zones alone if tasks are packed, or if told to', () => {
    const placementStrategy = [{ type: 'binpack', field: 'cpu' }] as const;
    expect(setUp().create({ placementStrategy: [...placementStrategy] })).toMatchObject({
      availabilityZoneRebalancing: 'DISABLED',
      placementStrategy,
    });
    expect(setUp().create({ availabilityZoneRebalancing: 'DISABLED' })).toMatchObject({
      availabilityZoneRebalancing: 'DISABLED',
    });
  });

  it("refuses to rebalance what it can't", () => {
    const placementStrategy = [{ type: 'binpack' as const, field: 'cpu' }];
    const ask = () => setUp().create({ placementStrategy, availabilityZoneRebalancing: 'ENABLED' });
    expect(ask).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
  });

  it('places nothing by a capacity provider of weight and base 0', () => {
    const { create } = setUp();
    const strategy = (weight: number) => ({ capacityProvider: `of-${weight}`, weight, base: 0 });
    const made = create({ capacityProviderStrategy: [strategy(0), strategy(1)] });
    expect(made?.capacityProviderStrategy).toEqual([strategy(1), strategy(0)]);
    const idle = () => setUp().create({ capacityProviderStrategy: [strategy(0)] });
    expect(idle).toThrow('needs a weight greater than 0');
  });

  it('accepts a deployment configuration', () => {
    const { create, deployments } = setUp();
    expect(create({ desiredCount: 1, deploymentConfiguration: BLUE_GREEN })).toMatchObject({
      deploymentConfiguration: BLUE_GREEN,
    });
    expect(deployments()).toMatchObject([{ deploymentCircuitBreaker: { status: 'MONITORING' } }]);
  });
});

describe('UpdateService', () => {
  const service = { cluster: 'demo', service: 'made' };

  it('begins a deployment by force', () => {
    const { call, clock, create, deployments } = setUp();
    create({ desiredCount: 1 });
    clock.advance(120);
    call(UpdateServiceCommand, { ...service, forceNewDeployment: true });
    expect(deployments()).toMatchObject([{ status: 'IN_PROGRESS' }, { status: 'SUCCESSFUL' }]);
  });

  it('sets whether zones are rebalanced, without a deployment', () => {
    const { call, create, deployments } = setUp();
    create();
    const update = { ...service, availabilityZoneRebalancing: 'DISABLED' } as const;
    expect(call(UpdateServiceCommand, update).service).toMatchObject({
      availabilityZoneRebalancing: 'DISABLED',
    });
    expect(deployments()).toHaveLength(1);
  });
});
