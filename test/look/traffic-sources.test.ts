import { DescribeTasksCommand, ECSClient, ListTasksCommand, type Task } from '@aws-sdk/client-ecs';
import {
  DescribeTargetGroupAttributesCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { expect, test } from 'vitest';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { withLastInZone } from '../../lambda/look/traffic-sources.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { arnOf, detached, fresh, inZone, NOW, observe, SETTINGS, service } from '../core/builders.ts';

const ecs = mocked(ECSClient);
const elb = mocked(ElasticLoadBalancingV2Client);

const HOSTS = ['i-1', 'i-2', 'i-3'];
const taskOn = (id: string): Task => ({
  taskArn: id,
  group: 'service:web',
  containerInstanceArn: arnOf(id),
  lastStatus: 'RUNNING',
  desiredStatus: 'RUNNING',
});
const healthOf = (healthy: readonly string[]) => ({
  TargetHealthDescriptions: HOSTS.map((Id) => ({
    Target: { Id },
    TargetHealth: { State: healthy.includes(Id) ? ('healthy' as const) : ('unhealthy' as const) },
  })),
});
const crossZone = (Value: string) => ({
  Attributes: [{ Key: 'load_balancing.cross_zone.enabled', Value }],
});

test.each([
  ['both', HOSTS, []],
  ['the one that serves all zones alone', ['i-1', 'i-2'], ['i-1']],
])(
  'whoever else is healthy in a zone is so in the load balancer that serves it from itself: %s',
  async (_, apart, last) => {
    ecs.on(ListTasksCommand).resolves({ taskArns: HOSTS });
    ecs.on(DescribeTasksCommand).resolves({ tasks: HOSTS.map(taskOn) });
    for (const [arn, value, healthy] of [
      ['everywhere', 'true', HOSTS],
      ['apart', 'false', apart],
    ] as const) {
      elb.on(DescribeTargetGroupAttributesCommand, { TargetGroupArn: arn }).resolves(crossZone(value));
      elb.on(DescribeTargetHealthCommand, { TargetGroupArn: arn }).resolves(healthOf(healthy));
    }
    const sources = ['everywhere', 'apart'].map((arn) => ({ kind: 'target-group', arn }) as const);
    const observation = observe(
      [detached('i-1', { turn: 20, ...inZone('a') }), fresh('i-2', inZone('b')), fresh('i-3', inZone('a'))],
      { services: [service('web', { runningCount: 3, sources })] },
    );
    const tasksInTurn = [
      { arn: 'i-1', containerInstanceArn: arnOf('i-1'), group: 'service:web', stopping: false },
    ];
    const whole = { ...observation, details: { ...observation.details, tasksInTurn } };
    const aws = sealedAws();
    const looked = await withLastInZone(aws, assessCluster(whole, SETTINGS), newMemory(aws, NOW));
    expect([...(looked.observation.details?.lastInZone?.keys() ?? [])]).toEqual(last);
  },
);
