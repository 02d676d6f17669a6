import {
  DescribeClustersCommand,
  DescribeServicesCommand,
  ListClustersCommand,
  ListContainerInstancesCommand,
  ListServicesCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { watchInvariants } from '../../invariants/invariants.ts';
import { setUpService } from './set-up.ts';

describe('a deleted service', () => {
  it('is DRAINING while its tasks stop, then INACTIVE, and listed no longer', () => {
    const { clock, world, call, service, describeService } = setUpService({ isLoadBalanced: true });
    const invariants = watchInvariants(world);
    const listed = () => call(ListServicesCommand, { cluster: 'demo' }).serviceArns;
    expect(listed()).toHaveLength(1);
    world.owner.deleteService('web');
    clock.advance(30);
    expect(describeService()).toMatchObject({ status: 'DRAINING', desiredCount: 0 });
    expect(service.tasks.size).toBe(3);
    expect(listed()).toEqual([]);
    clock.advance(30);
    expect(describeService()).toMatchObject({ status: 'INACTIVE', runningCount: 0 });
    expect(listed()).toEqual([]);
    const { clusters } = call(DescribeClustersCommand, { clusters: ['demo'] });
    expect(clusters?.[0]?.activeServicesCount).toBe(0);
    clock.advance(3600);
    const { failures } = call(DescribeServicesCommand, { cluster: 'demo', services: ['web'] });
    expect(failures).toMatchObject([{ reason: 'MISSING' }]);
    invariants.assertHeld();
  });

  it('may be a daemon service, which starts nothing more', () => {
    const { clock, world } = setUpService();
    const daemon = world.addService('demo', { name: 'logs', strategy: 'DAEMON' });
    world.owner.deleteService(daemon.arn);
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(120);
    expect([daemon.status, daemon.tasks.size]).toEqual(['INACTIVE', 0]);
  });
});

describe('a deleted cluster', () => {
  it('is not found, and everything in it has ended', () => {
    const { clock, world, call, service, task, cluster } = setUpService({ isLoadBalanced: true });
    const report = world.addStandaloneTask('demo', { family: 'report' });
    const onFargate = world.addService('demo', { name: 'api', desiredCount: 2, launchType: 'FARGATE' });
    const invariants = watchInvariants(world);
    world.owner.deleteCluster('demo');
    const list = () => call(ListContainerInstancesCommand, { cluster: 'demo' });
    expect(list).toThrow(expect.objectContaining({ code: 'ClusterNotFoundException' }));
    expect(call(ListClustersCommand, {}).clusterArns).toEqual([]);
    expect([task, report].map(({ lastStatus }) => lastStatus)).toEqual(['STOPPED', 'STOPPED']);
    expect([service.tasks.size, onFargate.tasks.size]).toEqual([0, 0]);
    expect([...cluster.containerInstances.values()].map(({ status }) => status)).toEqual(
      Array(3).fill('INACTIVE'),
    );
    const described = () => call(DescribeClustersCommand, { clusters: ['demo'] });
    expect(described().clusters).toMatchObject([
      { status: 'INACTIVE', registeredContainerInstancesCount: 0 },
    ]);
    clock.advance(3601);
    expect(described().failures).toMatchObject([{ reason: 'MISSING' }]);
    expect(service.status).toBe('INACTIVE');
    invariants.assertHeld();
  });

  it('accepts no agent any more', () => {
    const { clock, world, cluster } = setUpService();
    world.owner.setSizes('g', { maxSize: 4, desiredCapacity: 4 });
    clock.advance(30);
    world.owner.deleteCluster('demo');
    clock.advance(60);
    expect(cluster.containerInstances.size).toBe(3);
  });
});
