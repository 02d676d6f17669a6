import { expect, it } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeTargetHealth, TrafficSourceNotFound } from '../../lambda/aws/load-balancing.ts';
import { loadBalancingV2Of } from '../../lambda/aws/target-groups.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { failsOver } from '../simulated-aws/world/elastic-load-balancing/sources.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { keepInvoking } from './happenings.ts';
import { stage } from './stage.ts';

/** A group of three behind a target group and a classic load balancer. */
function setUp() {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  world.addCluster('demo');
  const { arn } = world.addTargetGroup({ name: 'web' });
  world.addLoadBalancer('classic');
  const group = world.addGroup({
    name: 'g',
    cluster: 'demo',
    image: world.release('amazon-linux-2023', { ageDays: 30 }),
    instances: 3,
    targetGroupArns: [arn],
    loadBalancerNames: ['classic'],
  });
  const simulated = simulateAccount({ clock, operations: world.operations });
  const [first = ''] = group.members.keys();
  return { world, arn, first, simulated };
}

it.each(['by bytes', 'by a shortcut'])('reads the health of targets %s', async (way) => {
  const { world, arn, first, simulated } = setUp();
  const session = simulated.session();
  const aws = createAws(session.clientOptions);
  if (way === 'by a shortcut') shortcut([loadBalancingV2Of(aws)], session);
  world.loadBalancing.setHealthy(first, false);
  const found = await describeTargetHealth(aws, { kind: 'target-group', arn });
  expect(found.size).toBe(3);
  expect(found.get(first)).toEqual({
    healthy: false,
    state: 'unhealthy',
    description: 'Health checks failed',
  });
  const classic = await describeTargetHealth(aws, { kind: 'load-balancer', name: 'classic' });
  expect([...classic.values()].map(({ healthy }) => healthy)).toEqual([false, true, true]);
  expect(simulated.bugs).toEqual([]);
});

it('tells a missing target group or load balancer from one without targets', async () => {
  const { world, arn, simulated } = setUp();
  const aws = createAws(simulated.clientOptions);
  world.loadBalancing.remove(arn);
  world.loadBalancing.remove('classic');
  for (const source of [
    { kind: 'target-group', arn },
    { kind: 'load-balancer', name: 'classic' },
  ] as const)
    await expect(describeTargetHealth(aws, source)).rejects.toBeInstanceOf(TrafficSourceNotFound);
});

/** Four members behind a target group, some of which fail its checks for good. */
function stageIll(ill: number, { isBad = false } = {}) {
  return stage({
    shortcut: true,
    expectations: { endings: ['completed', 'rolled-back'] },
    furnish(world) {
      const { arn } = world.addTargetGroup({ name: 'web' });
      const group = { targetGroupArns: [arn], maxSize: 8 };
      const launchSpec = 'launch-template';
      const made = standardScenario({ world, services: 1, launchSpec, group });
      made.newImage.isBad = isBad;
      for (const id of [...made.group.members.keys()].slice(0, ill))
        world.loadBalancing.setHealthy(id, false);
    },
  });
}

it.each([1, 3])('a rollback waits for ever for none of %i that failed their checks before', async (ill) => {
  const staging = stageIll(ill, { isBad: true });
  staging.clock.advance(3600);
  await staging.invoke();
  await staging.finish(40);
  expect(staging.endings).toEqual(['rolled-back']);
  staging.invariants.assertFinished();
});

it('no image is tried where a target group finds nobody healthy, until it does', async () => {
  const staging = stageIll(4);
  staging.clock.advance(3600);
  const blocked = { state: 'blocked', code: 'nobody-healthy' };
  expect(await staging.invoke()).toMatchObject({ groups: [blocked] });
  const [first = ''] = staging.world.state.groups.get('demo-ecs')?.members.keys() ?? [];
  staging.world.loadBalancing.setHealthy(first, true);
  staging.clock.advance(60);
  await staging.invoke();
  await staging.finish(40);
  expect(staging.endings).toEqual(['completed']);
  staging.invariants.assertFinished();
});

it.each(['target group', 'classic load balancer'])(
  'nothing is changed where a %s serves no zone of a member, until it does',
  async (kind) => {
    const staging = stage({
      shortcut: true,
      furnish(world) {
        const { arn } = world.addTargetGroup({ name: 'web' });
        world.addLoadBalancer('classic');
        const group = {
          targetGroupArns: [arn],
          loadBalancerNames: ['classic'],
          maxSize: 8,
          zones: ['a', 'b', 'c'],
        } as const;
        standardScenario({ world, instances: 3, services: 1, launchSpec: 'launch-template', group });
      },
    });
    const { world, clock } = staging;
    const { targetGroups, loadBalancers } = world.state.loadBalancing;
    const source = kind === 'target group' ? [...targetGroups.values()][0] : loadBalancers.get('classic');
    source?.disabledZones.add('eu-central-1c');
    clock.advance(3600);
    const outcome = await staging.invoke();
    expect(outcome).toMatchObject({ groups: [{ state: 'blocked', code: 'zone-not-served' }] });
    expect(world.state.instances.size).toBe(3);
    source?.disabledZones.clear();
    clock.advance(60);
    await staging.invoke();
    await staging.finish(40);
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertFinished();
  },
);

it('no image is blamed where a load balancer takes no more targets', async () => {
  const staging = stage({
    shortcut: true,
    environment: { CANARY: '0' },
    furnish(world) {
      const { arn } = world.addTargetGroup({ name: 'web', mostTargets: 6 });
      const group = { targetGroupArns: [arn], maxSize: 8 };
      standardScenario({ world, instances: 4, services: 1, launchSpec: 'launch-template', group });
    },
  });
  staging.clock.advance(3600);
  const [said] = await keepInvoking(staging, 60);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('is not registered in target group web'),
  });
});

it.each([
  [50, '100%', 'application', 10],
  [75, '100%', 'application', 10],
  [90, '100%', 'application', 10],
  [75, '2', 'application', 10],
  // Its zones are served apart.
  [50, '100%', 'network', 7],
] as const)(
  'a target group that wants %i percent healthy sends no requests to what is not ready, by MAX_SURGE=%s (%s)',
  async (leastHealthyPercent, MAX_SURGE, balancer, instances) => {
    const failures = new Set<string>();
    const staging = stage({
      shortcut: true,
      environment: { MAX_SURGE, CANARY: '1' },
      furnish(world) {
        const targetGroup = world.addTargetGroup({ name: 'web', leastHealthyPercent, balancer });
        const group = { targetGroupArns: [targetGroup.arn], maxSize: 40 };
        standardScenario({ world, instances, services: 1, launchSpec: 'launch-template', group });
        world.state.loadBalancing.subscribe(({ source }) => {
          if (failsOver(targetGroup)) failures.add(`${source.targets.size} targets`);
        });
      },
    });
    staging.clock.advance(3600);
    await staging.invoke();
    await staging.finish(40);
    expect(staging.endings).toEqual(['completed']);
    expect([...failures]).toEqual([]);
    staging.invariants.assertFinished();
  },
);
