import { EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  DescribeContainerInstancesCommand,
  ECSClient,
  ListContainerInstancesCommand,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { afterEach, describe, expect, it } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import type { Task } from '../world/ecs/model.ts';
import { createWorld } from '../world/world.ts';
import { furnish, letDie } from './furnish.ts';
import { type ServeOptions, serveCommand } from './options.ts';
import { brokenIn, reportAt, serveByProcess } from './process.ts';
import { type Served, serve } from './serve.ts';

/** What such a command line comes to. */
const optionsOf = (...line: string[]) =>
  serveCommand()
    .exitOverride()
    .parse(['node', 'serve', ...line])
    .opts<ServeOptions>();

function clientsAt(endpoint: string) {
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  const options = { region: 'eu-central-1', credentials, endpoint };
  const [ec2, ecs] = [new EC2Client(options), new ECSClient(options)];
  return {
    /** EC2 ids of the container instances. */
    async ids(): Promise<string[]> {
      const cluster = 'demo';
      const { containerInstanceArns: containerInstances } = await ecs.send(
        new ListContainerInstancesCommand({ cluster }),
      );
      const described = await ecs.send(
        new DescribeContainerInstancesCommand({ cluster, containerInstances }),
      );
      return (described.containerInstances ?? []).map(({ ec2InstanceId = '' }) => ec2InstanceId);
    },
    async drainOne() {
      const cluster = 'demo';
      const { containerInstanceArns = [] } = await ecs.send(new ListContainerInstancesCommand({ cluster }));
      const containerInstances = containerInstanceArns.slice(0, 1);
      await ecs.send(
        new UpdateContainerInstancesStateCommand({ cluster, containerInstances, status: 'DRAINING' }),
      );
    },
    terminate: (...InstanceIds: string[]) => ec2.send(new TerminateInstancesCommand({ InstanceIds })),
  };
}

describe('a simulated AWS that is served', () => {
  let served: Served | undefined;
  afterEach(() => served?.end());

  it('has nothing to judge where nothing was changed', async () => {
    served = await serve(optionsOf());
    expect(await clientsAt(served.url).ids()).toHaveLength(6);
    expect(await reportAt(served.url)).toMatchObject({ changed: false, held: true });
    const { held, text } = await served.end();
    expect(held).toBe(true);
    expect(text).toContain('none of which changed anything');
    served = undefined;
  });

  it('tells at an address and at the end what somebody broke', async () => {
    served = await serve(optionsOf('--instances', '3'));
    const { ids, terminate } = clientsAt(served.url);
    const [first = ''] = await ids();
    await terminate(first);
    const report = await reportAt(served.url);
    expect(brokenIn(report)).toEqual([1, 2, 4]);
    expect(report.broken.map(({ status }) => status)).toEqual([
      'broken',
      'broken',
      'held',
      'broken',
      'pending',
      'unjudged',
      'held',
    ]);
    expect(report.unfinished.join()).toContain('though the roll of demo-ecs onto');
    const readable = await fetch(`${served.url}/_report.txt`);
    expect(await readable.text()).toContain('2. BROKEN    no task is cut off');
    const { held, text } = await served.end();
    expect(held).toBe(false);
    expect(text).toContain('5. BROKEN    at the end all run the new image');
    served = undefined;
  });

  it.each([
    ['0', [4]],
    ['1', []],
  ])('lets a roller that replaces in place have %s members missing', async (count, numbers) => {
    served = await serve(optionsOf('--in-place', count));
    await clientsAt(served.url).drainOne();
    expect(brokenIn(await reportAt(served.url))).toEqual(numbers);
  });

  it('knows no roller that nobody has named', async () => {
    await expect(serve({ ...optionsOf(), roller: 'ours' })).rejects.toThrow('no roller ours');
  });

  it('counts what it refused or lost', async () => {
    served = await serve(optionsOf('--lost-answers', '100'));
    await expect(clientsAt(served.url).ids()).rejects.toThrow('socket hang up');
    const { refused } = await reportAt(served.url);
    expect(refused['ecs.ListContainerInstances LostAnswer']).toBeGreaterThan(0);
  });

  it('judges in a process of its own, whose exit status tells', async () => {
    const { url, end } = await serveByProcess('--instances', '2');
    const { ids, terminate } = clientsAt(url);
    await terminate(...(await ids()));
    const { status, text } = await end();
    expect(status).toBe(1);
    expect(text).toContain('was terminated under service:');
  });
});

describe('what it is furnished with', () => {
  function furnished(...line: string[]) {
    const options = optionsOf(...line);
    const clock = virtualClock(Date.parse('2026-11-22T00:00:00Z'));
    const world = createWorld({ clock, seed: 1 });
    return { options, clock, world, ...furnish(world, options) };
  }

  it('is a cluster by the name that is given, and one that is none of its business', () => {
    const { world, group } = furnished('--cluster', 'web', '--instances', '3');
    expect([...world.state.clusters.keys()]).toEqual(['web', 'web-neighbour']);
    expect(group).toMatchObject({ name: 'web-ecs', desiredCapacity: 3, maxSize: 6 });
  });

  it('are services as they are asked for', () => {
    const { cluster } = furnished('--daemons', '2', '--placement', 'binpack', '--load-balanced', '3');
    const services = [...cluster.services.values()];
    expect(services.map(({ strategy }) => strategy)).toEqual([
      'DAEMON',
      'DAEMON',
      'REPLICA',
      'REPLICA',
      'REPLICA',
    ]);
    expect(services.slice(2).every(({ placementStrategy: [first] }) => first?.type === 'binpack')).toBe(true);
    expect(services.slice(2).every(({ isLoadBalanced }) => isLoadBalanced)).toBe(true);
  });

  it('are target groups, standalone tasks and a capacity provider', () => {
    const line = ['--target-groups', '2', '--standalone-tasks', '3', '--managed-draining'];
    const { cluster, group, world } = furnished(...line);
    expect(group.targetGroupArns).toHaveLength(2);
    expect([...cluster.tasks.values()].filter(({ service }) => service === undefined)).toHaveLength(3);
    const [{ provider } = {}] = [...world.state.capacityProviders.values()];
    expect(provider).toMatchObject({
      kind: 'auto-scaling-group',
      settings: { managedScaling: { status: 'DISABLED' }, managedDraining: 'ENABLED' },
    });
  });

  it('are standalone tasks that end', () => {
    const { cluster, clock } = furnished('--standalone-tasks', '2', '--standalone-seconds', '600');
    const runs = ({ service, lastStatus }: Task) => service === undefined && lastStatus === 'RUNNING';
    const left = () => [...cluster.tasks.values()].filter(runs).length;
    expect(left()).toBe(2);
    clock.advance(700);
    expect(left()).toBe(0);
  });

  it.each(['launch-configuration', 'launch-template', 'mixed-instances'])('launches from a %s', (kind) => {
    expect(furnished('--launch-spec', kind).group.launchSpec.kind).toBe(kind);
  });

  it('are members that die', () => {
    const { world, clock, group, options, ...scenario } = furnished('--death-seconds', '600');
    const before = [...group.members.keys()];
    letDie(world, { ...scenario, group }, options);
    clock.advance(1300);
    expect(before.filter((id) => !group.members.has(id))).toHaveLength(2);
    expect(group.members.size).toBe(6);
  });
});
