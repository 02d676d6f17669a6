import { expect, it } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { TrafficSourceNotFound } from '../../lambda/aws/errors.ts';
import { describeTargetHealth } from '../../lambda/aws/load-balancing.ts';
import { loadBalancingV2Of } from '../../lambda/aws/target-groups.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

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
