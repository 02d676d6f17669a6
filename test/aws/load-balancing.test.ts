import {
  DescribeLoadBalancerAttributesCommand as DescribeClassicAttributesCommand,
  DescribeInstanceHealthCommand,
  ElasticLoadBalancingClient,
  type InstanceState,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  type TargetHealth as AwsTargetHealth,
  DescribeLoadBalancerAttributesCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  type TargetAdministrativeOverrideStateEnum,
  type TargetHealthDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import {
  deregistrationSeconds,
  describeTargetHealth,
  isZonal,
  leastHealthyPercent,
  TrafficSourceNotFound,
} from '../../lambda/aws/load-balancing.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const v2 = mocked(ElasticLoadBalancingV2Client);
const classic = mocked(ElasticLoadBalancingClient);
const aws = createAws({ region: 'eu-west-1' });

const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';
const TARGET_GROUP = { kind: 'target-group', arn: ARN } as const;
const LOAD_BALANCER = { kind: 'load-balancer', name: 'web' } as const;

describe('targets of a target group', () => {
  const HEALTHY: AwsTargetHealth = { State: 'healthy' };
  const INITIAL: AwsTargetHealth = {
    State: 'initial',
    Reason: 'Elb.InitialHealthChecking',
    Description: 'Initial health checks in progress',
  };
  const DRAINING: AwsTargetHealth = { State: 'draining', Reason: 'Target.DeregistrationInProgress' };
  const unused = (Reason: AwsTargetHealth['Reason']): AwsTargetHealth => ({ State: 'unused', Reason });

  /** What comes of an instance `i-1` whose ports are in such health. */
  async function seen(...ports: readonly AwsTargetHealth[]) {
    const descriptions = ports.map(
      (TargetHealth, index): TargetHealthDescription => ({
        Target: { Id: 'i-1', Port: 32_768 + index },
        TargetHealth,
      }),
    );
    v2.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: descriptions });
    return (await describeTargetHealth(aws, TARGET_GROUP)).get('i-1');
  }

  test('are read in one call, by instance', async () => {
    v2.on(DescribeTargetHealthCommand, { TargetGroupArn: ARN }).resolves({
      TargetHealthDescriptions: [
        { Target: { Id: 'i-1', Port: 80 }, TargetHealth: HEALTHY },
        { Target: { Id: 'i-2', Port: 80 }, TargetHealth: INITIAL },
      ],
    });
    expect(await describeTargetHealth(aws, TARGET_GROUP)).toEqual(
      new Map([
        ['i-1', { healthy: true, state: 'healthy' }],
        [
          'i-2',
          {
            healthy: false,
            starting: true,
            state: 'initial',
            description: 'Initial health checks in progress',
          },
        ],
      ]),
    );
    expect(v2.calls()).toHaveLength(1);
    expect(classic.calls()).toHaveLength(0);
  });

  test('are healthy when no load balancer uses the target group, but not when unused for another reason', async () => {
    expect(await seen(unused('Target.NotInUse'))).toMatchObject({ healthy: true, state: 'unused' });
    expect(await seen(unused('Target.InvalidState'))).toEqual({
      healthy: false,
      state: 'unused',
      description: 'Target.InvalidState',
    });
  });

  test('are served in no zone that the load balancer is not enabled in', async () => {
    const zone = 'Target is in an Availability Zone that is not enabled for the load balancer';
    const told = { ...unused('Target.NotInUse'), Description: zone };
    const found = { healthy: false, state: 'unused', barred: true };
    expect(await seen(told)).toEqual({ ...found, description: zone });
    // Where others of the target group are used, it is.
    expect(await seen(HEALTHY, unused('Target.NotInUse'))).toMatchObject(found);
    expect(await seen(DRAINING, unused('Target.NotInUse'))).toMatchObject({ healthy: true });
    // One that is stopped doesn't tell.
    const stopped = { Target: { Id: 'i-2' }, TargetHealth: unused('Target.InvalidState') };
    const beside = { Target: { Id: 'i-1' }, TargetHealth: unused('Target.NotInUse') };
    v2.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: [stopped, beside] });
    expect((await describeTargetHealth(aws, TARGET_GROUP)).get('i-1')).toMatchObject({ healthy: true });
  });

  test('get no requests while a zonal shift moves them away, healthy or not', async () => {
    const told = async (State: TargetAdministrativeOverrideStateEnum, Description?: string) => {
      const Target = { Id: 'i-1', Port: 80 };
      const described = { Target, TargetHealth: HEALTHY, AdministrativeOverride: { State, Description } };
      v2.on(DescribeTargetHealthCommand).resolves({ TargetHealthDescriptions: [described] });
      return (await describeTargetHealth(aws, TARGET_GROUP)).get('i-1');
    };
    const description = 'Zonal shift is active in target Availability Zone';
    expect(await told('zonal_shift_active', description)).toEqual({
      healthy: false,
      shifted: true,
      state: 'zonal_shift_active',
      description,
    });
    for (const state of ['no_override', 'unknown', 'zonal_shift_delegated_to_dns'] as const)
      expect(await told(state, 'another')).toEqual({ healthy: true, state: 'healthy' });
  });

  test.each<AwsTargetHealth['State']>([
    'initial',
    'unhealthy',
    'unhealthy.draining',
    'unavailable',
    'draining',
  ])('are not healthy when %s', async (State) => {
    expect(await seen({ State })).toMatchObject({ healthy: false, state: State });
  });

  test('are unknown when their health is not available because of an internal error', async () => {
    const UNAVAILABLE: AwsTargetHealth = { State: 'unavailable', Reason: 'Elb.InternalError' };
    expect(await seen(HEALTHY, UNAVAILABLE)).toMatchObject({ healthy: false, unknown: true });
    expect(await seen(UNAVAILABLE, INITIAL)).not.toHaveProperty('unknown');
    expect(await seen({ ...UNAVAILABLE, State: 'unhealthy' })).toMatchObject({
      healthy: false,
      unknown: true,
    });
    const Reason = 'Target.HealthCheckDisabled';
    expect(await seen({ State: 'unavailable', Reason })).not.toHaveProperty('unknown');
  });

  test('serve nobody under an address that their load balancer has reserved, whatever runs there', async () => {
    const found = { healthy: false, state: 'unused', barred: true, description: 'Target.IpUnusable' };
    expect(await seen(unused('Target.IpUnusable'))).toEqual(found);
  });

  test('on several ports are healthy when all that stay are, and reported by the first that is not', async () => {
    expect(await seen(HEALTHY, INITIAL, HEALTHY)).toMatchObject({ healthy: false, state: 'initial' });
    expect(await seen(INITIAL, HEALTHY)).toMatchObject({ healthy: false, state: 'initial' });
    expect(await seen(INITIAL, { State: 'unhealthy' })).toEqual({ healthy: false, state: 'unhealthy' });
    expect(await seen(HEALTHY, HEALTHY)).toMatchObject({ healthy: true, state: 'healthy' });
    expect(await seen(DRAINING, HEALTHY)).toMatchObject({ healthy: true, state: 'healthy' });
    expect(await seen(DRAINING, DRAINING)).toMatchObject({ healthy: false, state: 'draining' });
  });

  test('without targets get an empty answer', async () => {
    v2.on(DescribeTargetHealthCommand).resolves({});
    expect(await describeTargetHealth(aws, TARGET_GROUP)).toEqual(new Map());
  });
});

describe('instances of a classic load balancer', () => {
  async function seen(state: Omit<InstanceState, 'InstanceId'>) {
    classic
      .on(DescribeInstanceHealthCommand, { LoadBalancerName: 'web' })
      .resolves({ InstanceStates: [{ InstanceId: 'i-1', ...state }] });
    return (await describeTargetHealth(aws, LOAD_BALANCER)).get('i-1');
  }

  test('are healthy when InService', async () => {
    const found = await seen({ State: 'InService', ReasonCode: 'N/A', Description: 'N/A' });
    expect(found).toEqual({ healthy: true, state: 'InService' });
    expect(v2.calls()).toHaveLength(0);
  });

  const UNHEALTHY =
    'Instance has failed at least the UnhealthyThreshold number of health checks consecutively.';
  const COMING = [
    'Instance registration is still in progress.',
    'Instance has not passed the configured HealthyThreshold number of health checks consecutively.',
    'Instance is in pending state.',
  ];

  test.each([...COMING, COMING.join(' ')])(
    'are on their way while OutOfService so: %s',
    async (Description) => {
      expect(await seen({ State: 'OutOfService', ReasonCode: 'ELB', Description })).toEqual({
        healthy: false,
        starting: true,
        state: 'OutOfService',
        description: Description,
      });
      const both = { State: 'OutOfService', Description: `${Description} ${UNHEALTHY}` };
      expect(await seen(both)).not.toHaveProperty('starting');
    },
  );

  test('are unhealthy when OutOfService otherwise, and nobody knows when Unknown', async () => {
    expect(await seen({ State: 'OutOfService', ReasonCode: 'Instance', Description: UNHEALTHY })).toEqual({
      healthy: false,
      state: 'OutOfService',
      description: UNHEALTHY,
    });
    expect(await seen({ State: 'Unknown' })).toMatchObject({
      healthy: false,
      unknown: true,
      state: 'Unknown',
    });
  });

  test.each([
    'Instance is in the EC2 Availability Zone for which LoadBalancer is not configured to route traffic to.',
    'Disable Availability Zone is currently in progress.',
  ])('are served in no zone that the load balancer is not enabled in: %s', async (Description) => {
    expect(await seen({ State: 'OutOfService', ReasonCode: 'ELB', Description })).toEqual({
      healthy: false,
      barred: true,
      state: 'OutOfService',
      description: Description,
    });
  });

  test.each([
    'Instance deregistration currently in progress.',
    'Disable Availability Zone is currently in progress. Instance deregistration currently in progress.',
  ])('are unhealthy when last InService, while their connections drain: %s', async (Description) => {
    expect(await seen({ State: 'InService', ReasonCode: 'N/A', Description })).toEqual({
      healthy: false,
      state: 'InService',
      description: Description,
    });
  });
});

describe('a traffic source', () => {
  test('that is gone is named', async () => {
    v2.on(DescribeTargetHealthCommand).rejects(
      await refusal('elasticloadbalancingv2', 'TargetGroupNotFound'),
    );
    classic
      .on(DescribeInstanceHealthCommand)
      .rejects(await refusal('elasticloadbalancing', 'LoadBalancerNotFound'));
    const gone = describeTargetHealth(aws, TARGET_GROUP);
    await expect(gone).rejects.toBeInstanceOf(TrafficSourceNotFound);
    await expect(gone).rejects.toMatchObject({
      source: TARGET_GROUP,
      message: expect.stringContaining(`target group ${ARN} does not exist`),
      cause: expect.objectContaining({ name: 'TargetGroupNotFoundException' }),
    });
    await expect(describeTargetHealth(aws, LOAD_BALANCER)).rejects.toThrow(
      'classic load balancer web does not exist',
    );
  });

  test('that AWS refuses otherwise is passed on', async () => {
    v2.on(DescribeTargetHealthCommand).rejects(await refusal('elasticloadbalancingv2', 'AccessDenied'));
    await expect(describeTargetHealth(aws, TARGET_GROUP)).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

describe('whether zones are served apart', () => {
  const Key = 'load_balancing.cross_zone.enabled';
  const BALANCER = ARN.replace(':targetgroup/', ':loadbalancer/');
  const attributes = (Value: string | undefined) => ({
    Attributes: Value === undefined ? [] : [{ Key, Value }],
  });

  async function answered(own?: string, kind?: string, theirs?: string) {
    v2.on(DescribeTargetGroupAttributesCommand, { TargetGroupArn: ARN }).resolves(attributes(own));
    const arn = BALANCER.replace('/web/', `/${kind}/web/`);
    v2.on(DescribeTargetGroupsCommand, { TargetGroupArns: [ARN] }).resolves({
      TargetGroups: [{ LoadBalancerArns: kind === undefined ? [] : [arn] }],
    });
    v2.on(DescribeLoadBalancerAttributesCommand, { LoadBalancerArn: arn }).resolves(attributes(theirs));
    return isZonal(aws, TARGET_GROUP);
  }

  test('is said by the target group, before its load balancer is asked', async () => {
    expect(await answered('false', 'net', 'true')).toBe(true);
    expect(await answered('true', 'net', 'false')).toBe(false);
    expect(v2.calls()).toHaveLength(2);
  });

  test.each([
    ['app', undefined, false],
    ['net', 'false', true],
    ['net', 'true', false],
    ['gwy', undefined, true],
    ['gwy', 'true', false],
  ] as const)('is said by the load balancer otherwise: %s, %s', async (kind, theirs, expected) => {
    expect(await answered('use_load_balancer_configuration', kind, theirs)).toBe(expected);
    expect(await answered(undefined, kind, theirs)).toBe(expected);
  });

  test('is no matter where no load balancer uses the target group', async () => {
    expect(await answered('use_load_balancer_configuration')).toBe(false);
  });

  test.each([true, false])('is said by a classic load balancer: %s', async (Enabled) => {
    classic
      .on(DescribeClassicAttributesCommand, { LoadBalancerName: 'web' })
      .resolves({ LoadBalancerAttributes: { CrossZoneLoadBalancing: { Enabled } } });
    expect(await isZonal(aws, LOAD_BALANCER)).toBe(!Enabled);
  });
});

describe('the share of targets that is to be healthy', () => {
  const key = (action: string) => `target_group_health.${action}.minimum_healthy_targets.percentage`;

  test.each([
    [[], 0],
    [[{ Key: key('unhealthy_state_routing'), Value: 'off' }], 0],
    [[{ Key: key('unhealthy_state_routing'), Value: '50' }], 50],
    [
      [
        { Key: key('unhealthy_state_routing'), Value: '50' },
        { Key: key('dns_failover'), Value: '75' },
        { Key: 'target_group_health.dns_failover.minimum_healthy_targets.count', Value: '90' },
      ],
      75,
    ],
  ])('is said by a target group: %j', async (Attributes, percent) => {
    v2.on(DescribeTargetGroupAttributesCommand, { TargetGroupArn: ARN }).resolves({ Attributes });
    expect(await leastHealthyPercent(aws, TARGET_GROUP)).toBe(percent);
  });

  test('is none of a classic load balancer', async () => {
    expect(await leastHealthyPercent(aws, LOAD_BALANCER)).toBe(0);
  });
});

describe('how long requests to what leaves run out', () => {
  test.each([
    [[{ Key: 'deregistration_delay.timeout_seconds', Value: '0' }], 0],
    [[{ Key: 'deregistration_delay.timeout_seconds', Value: '3600' }], 3600],
    [[], 300],
  ])('is said by a target group: %j', async (Attributes, seconds) => {
    v2.on(DescribeTargetGroupAttributesCommand, { TargetGroupArn: ARN }).resolves({ Attributes });
    expect(await deregistrationSeconds(aws, TARGET_GROUP)).toBe(seconds);
  });

  test.each([
    [{ Enabled: true, Timeout: 60 }, 60],
    [{ Enabled: true }, 300],
    [{ Enabled: false, Timeout: 60 }, 0],
  ])('is said by a classic load balancer: %j', async (ConnectionDraining, seconds) => {
    classic
      .on(DescribeClassicAttributesCommand, { LoadBalancerName: 'web' })
      .resolves({ LoadBalancerAttributes: { ConnectionDraining } });
    expect(await deregistrationSeconds(aws, LOAD_BALANCER)).toBe(seconds);
  });
});
