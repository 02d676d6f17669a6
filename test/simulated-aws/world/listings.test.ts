import {
  DescribeTagsCommand as DescribeGroupTagsCommand,
  DescribeScalingActivitiesCommand,
  type Filter,
} from '@aws-sdk/client-auto-scaling';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand } from '@aws-sdk/client-ec2';
import {
  DeregisterContainerInstanceCommand,
  DescribeTasksCommand,
  ListClustersCommand,
  ListContainerInstancesCommand,
  ListTasksCommand,
} from '@aws-sdk/client-ecs';
import { DescribeTargetGroupsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { setUpWire } from './wire-set-up.ts';

describe('lists', () => {
  it('clusters, in pages', async () => {
    const { world, ecs } = setUpWire();
    world.addCluster('other');
    const { clusterArns: [first] = [], nextToken } = await ecs.send(
      new ListClustersCommand({ maxResults: 1 }),
    );
    const { clusterArns: [second] = [] } = await ecs.send(new ListClustersCommand({ nextToken }));
    expect([first, second]).toEqual([
      'arn:aws:ecs:eu-central-1:123456789012:cluster/demo',
      'arn:aws:ecs:eu-central-1:123456789012:cluster/other',
    ]);
  });

  it('tasks by what started them, and by nothing else in the same call', async () => {
    const { world, ecs } = setUpWire();
    world.addService('demo', { name: 'web', desiredCount: 2 });
    world.addStandaloneTask('demo', { family: 'report' });
    const { taskArns: tasks = [] } = await ecs.send(
      new ListTasksCommand({ cluster: 'demo', serviceName: 'web' }),
    );
    const { tasks: [task] = [] } = await ecs.send(new DescribeTasksCommand({ cluster: 'demo', tasks }));
    const started = { cluster: 'demo', startedBy: task?.startedBy };
    expect((await ecs.send(new ListTasksCommand(started))).taskArns).toEqual(tasks);
    const nobodys = { cluster: 'demo', startedBy: 'nobody' };
    expect((await ecs.send(new ListTasksCommand(nobodys))).taskArns).toEqual([]);
    await expect(ecs.send(new ListTasksCommand({ ...started, family: 'web' }))).rejects.toThrow('startedBy');
  });

  it.each(['listed', 'refused'] as const)(
    'tasks of a deregistered container instance: %s',
    async (reading) => {
      const { world, ecs } = setUpWire();
      world.state.readings.tasksOfDeregistered = reading;
      world.addService('demo', { name: 'web', desiredCount: 2 });
      const { containerInstanceArns: [containerInstance] = [] } = await ecs.send(
        new ListContainerInstancesCommand({ cluster: 'demo' }),
      );
      const list = () =>
        ecs.send(new ListTasksCommand({ cluster: 'demo', containerInstance, desiredStatus: 'STOPPED' }));
      await ecs.send(
        new DeregisterContainerInstanceCommand({ cluster: 'demo', containerInstance, force: true }),
      );
      if (reading === 'listed') expect((await list()).taskArns).toHaveLength(1);
      else await expect(list()).rejects.toThrow('Container instance not found');
    },
  );

  it('alarms by the beginning of their names and by their state', async () => {
    const { world, cloudWatch } = setUpWire();
    world.addAlarm({ name: 'web-errors' });
    world.addAlarm({ name: 'web-latency', state: 'ALARM' });
    world.addAlarm({ name: 'other' });
    const names = async (input: object) => {
      const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand(input));
      return MetricAlarms.map(({ AlarmName }) => AlarmName);
    };
    expect(await names({ AlarmNamePrefix: 'web-' })).toEqual(['web-errors', 'web-latency']);
    expect(await names({ StateValue: 'ALARM' })).toEqual(['web-latency']);
  });

  it('target groups by their load balancer', async () => {
    const { world, loadBalancing } = setUpWire();
    world.addTargetGroup({ name: 'web' });
    world.addTargetGroup({ name: 'api' });
    const find = async (input: object) =>
      (await loadBalancing.send(new DescribeTargetGroupsCommand(input))).TargetGroups ?? [];
    const [web] = await find({ Names: ['web'] });
    expect(await find({ LoadBalancerArn: web?.LoadBalancerArns?.[0] })).toEqual([web]);
  });

  it('scaling activities by start time and status', async () => {
    const { world, clock, autoScaling } = setUpWire();
    const find = async (...Filters: Filter[]) => {
      const input = { AutoScalingGroupName: 'g', Filters };
      const { Activities = [] } = await autoScaling.send(new DescribeScalingActivitiesCommand(input));
      return Activities.map(({ StatusCode }) => StatusCode);
    };
    world.faults.failLaunches('g', { message: 'No capacity.', count: 1 });
    world.owner.setSizes('g', { desiredCapacity: 3, maxSize: 3 });
    clock.advance(900);
    expect(await find({ Name: 'Status', Values: ['Failed'] })).toEqual(['Failed']);
    const past = [new Date(clock.now() + 1000).toISOString()];
    expect(await find({ Name: 'StartTimeLowerBound', Values: past })).toEqual([]);
    expect(await find({ Name: 'StartTimeUpperBound', Values: past })).toEqual(await find());
    await expect(find({ Name: 'Colour', Values: [] })).rejects.toThrow('Filter type Colour is not correct.');
  });
});

describe('tags', () => {
  it('of groups are found by group, key, value and propagation', async () => {
    const { autoScaling } = setUpWire({ group: { tags: { team: 'a', stage: 'prod' } } });
    const find = async (Name: string, Value: string) => {
      const { Tags = [] } = await autoScaling.send(
        new DescribeGroupTagsCommand({ Filters: [{ Name, Values: [Value] }] }),
      );
      return Tags.map(({ Key }) => Key);
    };
    expect(await find('auto-scaling-group', 'g')).toEqual(['team', 'stage']);
    expect(await find('key', 'team')).toEqual(['team']);
    expect(await find('value', 'prod')).toEqual(['stage']);
    expect(await find('propagate-at-launch', 'false')).toEqual([]);
    await expect(find('colour', 'red')).rejects.toThrow('Filter type colour is not correct.');
  });

  it('of instances are found by key and value, and all deleted if none is named', async () => {
    const { ec2, ids } = setUpWire();
    const [id = ''] = ids;
    const tagsOf = async (...filters: [string, string][]) => {
      const Filters = filters.map(([Name, value]) => ({ Name, Values: [value] }));
      const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters }));
      return Tags.filter(({ Key }) => !Key?.startsWith('aws:'));
    };
    await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'team', Value: 'a' }] }));
    const team = { ResourceId: id, ResourceType: 'instance', Key: 'team', Value: 'a' };
    expect(await tagsOf(['tag:team', 'a'], ['resource-type', 'instance'])).toEqual([team]);
    expect(await tagsOf(['key', 'te*'], ['resource-id', id])).toEqual([team]);
    await ec2.send(new DeleteTagsCommand({ Resources: [id] }));
    expect(await tagsOf(['resource-id', id])).toEqual([]);
  });

  it('of anything but instances are refused as not simulated', async () => {
    const { ec2 } = setUpWire();
    const Tags = [{ Key: 'team', Value: 'a' }];
    const tag = (id: string) => ec2.send(new CreateTagsCommand({ Resources: [id], Tags }));
    await expect(tag('lt-00000000000000001')).rejects.toThrow(
      'ec2.CreateTags: Resources lt-00000000000000001 is not simulated',
    );
    await expect(tag('nonsense')).rejects.toThrow('Invalid id: "nonsense"');
  });
});

it('a caller is told who it is, whatever it may do', async () => {
  const { sts } = setUpWire({ statements: [] });
  expect(await sts.send(new GetCallerIdentityCommand({}))).toMatchObject({
    Account: '123456789012',
    Arn: 'arn:aws:sts::123456789012:assumed-role/simulated/simulated',
  });
});
