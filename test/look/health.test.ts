import { DescribeTasksCommand, ECSClient, ListTasksCommand, type Task } from '@aws-sdk/client-ecs';
import {
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, test } from 'vitest';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import { withHealth } from '../../lambda/look/health.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { mocked } from '../aws/mocked.ts';
import { refusal } from '../aws/refusal.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { arnOf, NOW, observe, old, SETTINGS, service } from '../core/builders.ts';

const ecs = mocked(ECSClient);
const elb = mocked(ElasticLoadBalancingV2Client);
const aws = sealedAws();

/** Two services before a roll, each with a task on `i-1` and a target group of its name. */
function looking() {
  const names = ['api', 'web'];
  const tasks: Task[] = names.map((name) => ({
    taskArn: name,
    group: `service:${name}`,
    containerInstanceArn: arnOf('i-1'),
    lastStatus: 'RUNNING',
    desiredStatus: 'RUNNING',
  }));
  ecs.on(ListTasksCommand).resolves({ taskArns: names });
  ecs.on(DescribeTasksCommand).resolves({ tasks });
  const services = names.map((name) =>
    service(name, { runningCount: 1, sources: [{ kind: 'target-group', arn: name }] }),
  );
  const memory = newMemory(aws, NOW);
  const assessed = assessCluster(observe([old('i-1')], { roll: null, services }), SETTINGS);
  return async () => (await withHealth(aws, assessed, memory)).observation.details;
}

const ofWeb = {
  TargetHealthDescriptions: [{ Target: { Id: 'i-1' }, TargetHealth: { State: 'unhealthy' as const } }],
};
const asked = () => elb.commandCalls(DescribeTargetHealthCommand).map(({ args: [{ input }] }) => input);

describe('of a target group that AWS refuses to tell of', () => {
  test.each(['AccessDenied', 'ValidationError'])(
    'nothing is known, by %s, and a warning says why',
    async (code) => {
      elb.on(DescribeTargetHealthCommand).resolves(ofWeb);
      elb
        .on(DescribeTargetHealthCommand, { TargetGroupArn: 'api' })
        .rejects(await refusal('elasticloadbalancingv2', code));
      const look = looking();
      for (const times of [1, 2]) {
        const { unhealthy, unread } = (await look()) ?? {};
        expect(unhealthy?.map((task) => task.service)).toEqual(['web']);
        const because = expect.stringContaining(code);
        expect(unread).toEqual([{ code: 'task-targets-unread', source: 'api', because }]);
        expect(asked().filter((input) => input.TargetGroupArn === 'web')).toHaveLength(times);
      }
      expect(asked().filter((input) => input.TargetGroupArn === 'api')).toHaveLength(1);
    },
  );

  test('because it is gone, nothing is to be told', async () => {
    elb
      .on(DescribeTargetHealthCommand)
      .rejects(await refusal('elasticloadbalancingv2', 'TargetGroupNotFound'));
    expect(await looking()()).toMatchObject({ unhealthy: [], unread: [] });
  });

  test('for the moment, the look fails: what is not known must not count as healthy', async () => {
    elb.on(DescribeTargetHealthCommand).rejects(await refusal('elasticloadbalancingv2', 'Throttling'));
    await expect(looking()()).rejects.toThrow('Throttling');
  });
});
