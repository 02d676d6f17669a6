import {
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  type HealthCheck,
  ListTasksCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import {
  DescribeInstanceHealthCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, test } from 'vitest';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import type { Service } from '../../lambda/core/model/cluster.ts';
import { withHealth } from '../../lambda/look/health.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { mocked } from '../aws/mocked.ts';
import { refusal } from '../aws/refusal.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import { ago, arnOf, NOW, observe, old, SETTINGS, service } from '../core/builders.ts';

const ecs = mocked(ECSClient);
const elb = mocked(ElasticLoadBalancingV2Client);
const elbClassic = mocked(ElasticLoadBalancingClient);
const aws = sealedAws();

/** Two services before a roll, each with a task on `i-1` and a target group of its name. */
function looking(parts: Partial<Service> = {}) {
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
    service(name, { runningCount: 1, sources: [{ kind: 'target-group', arn: name }], ...parts }),
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

test.each([
  ['that are read', {}, ['api', 'web']],
  ['one of which is not read', { TargetGroupArn: 'api' }, ['web']],
])(
  'a task serves nobody in none of the target groups of a service that ECS registers none for, %s',
  async (_, refused, ill) => {
    elb.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: [] });
    if ('TargetGroupArn' in refused)
      elb
        .on(DescribeTargetHealthCommand, refused)
        .rejects(await refusal('elasticloadbalancingv2', 'TargetGroupNotFound'));
    const { unhealthy } = (await looking({ unregistered: ['failed to register targets'] })()) ?? {};
    expect(unhealthy?.map(({ service: name, ofNoImage }) => ofNoImage && name)).toEqual(ill);
  },
);

const GREEN = '(service api) failed to register targets in (target-group green) with (error AccessDenied)';
const TEST =
  'service api failed to register targets in target-group arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/test/2 with (error AccessDenied)';

test.each([
  ['(target-group arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/blue/1)', undefined],
  ['(target-group arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/green/3)', GREEN],
  ['(target-group test)', TEST],
  ['(elb shop)', GREEN],
])('a task that failed the checks in %s is excused by what ECS says of that', async (where, says) => {
  elb.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: [] });
  ecs.on(ListTasksCommand).resolves({ taskArns: [] });
  const reason = `Task failed ELB health checks in ${where}`;
  const crash = {
    taskArn: 't',
    containerInstanceArn: arnOf('i-1'),
    group: 'service:api',
    at: ago(60),
    reason,
  };
  const services = [service('api', { runningCount: 1, unregistered: [GREEN, TEST] })];
  const assessed = assessCluster(observe([old('i-1')], { roll: null, services, crashes: [crash] }), SETTINGS);
  const { details } = (await withHealth(aws, assessed, newMemory(aws, NOW))).observation;
  expect(details?.crashes?.map((each) => each.reason)).toEqual([says ? `${reason}: ${says}` : reason]);
});

test('of a VPC Lattice target group nothing is read, which a warning says', async () => {
  ecs.on(ListTasksCommand).resolves({ taskArns: [] });
  const services = [service('api', { runningCount: 1, unreadSources: ['arn:lattice'] })];
  const assessed = assessCluster(observe([old('i-1')], { roll: null, services }), SETTINGS);
  const { details } = (await withHealth(aws, assessed, newMemory(aws, NOW))).observation;
  const because = 'it is of VPC Lattice, which is not read';
  expect(details?.unread).toEqual([{ code: 'task-targets-unread', source: 'arn:lattice', because }]);
  expect(elb.calls()).toHaveLength(0);
});

test.each([
  ['initial', 'Elb.InitialHealthChecking', true],
  ['unavailable', 'Elb.InternalError', true],
  ['unhealthy', 'Target.FailedHealthChecks', false],
] as const)('a target that is %s, %s, may yet be healthy: %s', async (State, Reason, starting) => {
  const described = { Target: { Id: 'i-1' }, TargetHealth: { State, Reason } };
  elb.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: [described] });
  expect(await looking()()).toMatchObject({ unhealthy: [{ starting }, { starting }] });
});

describe('a task whose containers are still being checked', () => {
  interface Seen {
    /** What another task of its service is. */
    readonly other?: 'HEALTHY' | 'UNKNOWN';
    /** Of each of its containers, if its definition can be read. */
    readonly checks?: readonly (Partial<HealthCheck> | undefined)[];
    readonly sources?: Service['sources'];
  }

  /** Whether it counts as serving so long after it started. */
  async function serves(
    seconds: number,
    { other = 'HEALTHY', checks, sources }: Seen = {},
  ): Promise<boolean> {
    const task = { group: 'service:api', containerInstanceArn: arnOf('i-1'), lastStatus: 'RUNNING' };
    const running = { ...task, desiredStatus: 'RUNNING' };
    const tasks: Task[] = [
      { ...running, taskArn: 'old', healthStatus: other, startedAt: ago(86_400) },
      { ...running, taskArn: 'new', healthStatus: 'UNKNOWN', startedAt: ago(seconds) },
    ];
    ecs.on(ListTasksCommand).resolves({ taskArns: ['old', 'new'] });
    ecs.on(DescribeTasksCommand).resolves({ tasks });
    const containerDefinitions = checks?.map((check, index) => ({
      name: `app-${index}`,
      ...(check && { healthCheck: { command: ['CMD', 'true'], ...check } }),
    }));
    if (containerDefinitions === undefined)
      ecs.on(DescribeTaskDefinitionCommand).rejects(await refusal('ecs', 'AccessDeniedException'));
    else ecs.on(DescribeTaskDefinitionCommand).resolves({ taskDefinition: { containerDefinitions } });
    const placement = { expressions: [], distinctInstance: false, capacityProviders: [] };
    const api = service('api', {
      runningCount: 2,
      placement: { taskDefinition: 'arn:api:1', ...placement },
      ...(sources && { sources }),
    });
    const assessed = assessCluster(observe([old('i-1')], { roll: null, services: [api] }), SETTINGS);
    const { unhealthy } = (await withHealth(aws, assessed, newMemory(aws, NOW))).observation.details ?? {};
    expect(unhealthy?.map(({ arn }) => arn) ?? []).not.toContain('old');
    return unhealthy?.length === 0;
  }

  test('counts as serving after ten minutes, where nothing says how long checks take', async () => {
    expect(await serves(600)).toBe(false);
    expect(await serves(601)).toBe(true);
  });

  test('counts only after the longest that its task definition lets them take', async () => {
    const slow = { startPeriod: 300, interval: 300, retries: 10, timeout: 60 };
    expect(await serves(3900, { checks: [slow] })).toBe(false);
    expect(await serves(3901, { checks: [slow] })).toBe(true);
    expect(await serves(600, { checks: [{}] })).toBe(false);
    expect(await serves(601, { checks: [{}] })).toBe(true);
  });

  test('is known by its definition alone, as long as none has passed its checks', async () => {
    expect(await serves(600, { other: 'UNKNOWN', checks: [{}] })).toBe(false);
    expect(await serves(601, { other: 'UNKNOWN', checks: [{}] })).toBe(true);
  });

  test('is none where it is UNKNOWN for ever', async () => {
    expect(await serves(1, { other: 'UNKNOWN' })).toBe(true);
    expect(await serves(1, { other: 'UNKNOWN', checks: [undefined] })).toBe(true);
    expect(await serves(1, { other: 'UNKNOWN', checks: [{}, undefined] })).toBe(true);
    const sources = [{ kind: 'load-balancer', name: 'classic' }] as const;
    elbClassic.on(DescribeInstanceHealthCommand).resolves({ InstanceStates: [] });
    expect(await serves(1, { other: 'UNKNOWN', checks: [{}], sources })).toBe(true);
  });
});
