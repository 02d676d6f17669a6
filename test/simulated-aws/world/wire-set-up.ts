import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECSClient } from '@aws-sdk/client-ecs';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { STSClient } from '@aws-sdk/client-sts';
import { simulateAccount } from '../account/account.ts';
import { virtualClock } from '../clock/clock.ts';
import { enforce } from '../iam/permissions.ts';
import type { Statement } from '../iam/policy.ts';
import type { GroupOptions } from './group-builder.ts';
import { resourceFacts } from './resource-facts.ts';
import { createWorld } from './world.ts';

interface WireOptions {
  readonly group?: Partial<GroupOptions>;
  /** What callers may do. Default: everything. */
  readonly statements?: readonly Statement[];
}

/** A group `g` of two members in a cluster `demo`, and the SDK's clients to reach it with. */
export function setUpWire({ group: options, statements }: WireOptions = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  world.addCluster('demo');
  const image = world.release('amazon-linux-2023', { ageDays: 30 });
  const group = world.addGroup({
    name: 'g',
    cluster: 'demo',
    image,
    instances: 2,
    launchSpec: 'launch-template',
    ...options,
  });
  const { clientOptions } = simulateAccount({
    clock,
    operations: world.operations,
    ...(statements && { permissions: enforce([{ Statement: statements }], resourceFacts(world)) }),
  });
  return {
    clock,
    world,
    image,
    group,
    ids: [...group.members.keys()],
    autoScaling: new AutoScalingClient(clientOptions),
    cloudWatch: new CloudWatchClient(clientOptions),
    ec2: new EC2Client(clientOptions),
    ecs: new ECSClient(clientOptions),
    loadBalancing: new ElasticLoadBalancingV2Client(clientOptions),
    sts: new STSClient(clientOptions),
  };
}
